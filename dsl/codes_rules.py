"""Codes of findings about names, types, phases, information and options: E, G, I, K and O."""

from __future__ import annotations

from typing import Final

from gemwright.dsl.codes_base import CodeInfo

_DECIDED = "Decided exactly when the file is loaded, at each player count and choice of options."


def _code(code: str, name: str, summary: str, why: str, bad: str, good: str) -> CodeInfo:
    return CodeInfo(code, name, summary, why, bad, good, _DECIDED)


RULES_CODES: Final[tuple[CodeInfo, ...]] = (
    _code("E001", "expression-syntax", "a sentence or expression cannot be read", "Nothing is guessed: what cannot be read is not played.", "size of hand >=", "size of hand >= 1"),
    _code("E002", "unknown-name", "a name stands for nothing here", "A misspelt name would otherwise be a silent zero.", "move 1 red from bnak to my purse", "move 1 red from bank to my purse"),
    _code("E003", "type-mismatch", "a value is not of the kind that is wanted here", "Comparing a member with a number has no meaning at the table.", "red = 3", "bank[red] = 3"),
    _code("E006", "outside-range", "a constant lies outside what is possible", "Ranges are promises that layouts and proofs build on.", "score: {range: 0..5, start: 9}", "score: {range: 0..9, start: 9}"),
    _code("E007", "unbound-name", "`me`, `my` or opponents are named where nobody chooses", "Setup and phases have no acting player; roles do.", "setup: my score := 1", "setup: score[first] := 1"),
    _code("E008", "shadowed-name", "a bound name hides another", "Two meanings of one name are misread sooner or later.", "for each player p: for each card p: ...", "for each player p: for each card c: ..."),
    _code("E009", "too-large", "an expression or declaration is larger than its budget", "A file costs bounded time and memory, whoever wrote it.", "members: 1..99999999", "members: 1..20"),
    _code("E010", "name-taken", "one name is declared twice", "There is one namespace: a name means one thing.", "zones: {bank: ..}  state: {bank: ..}", "zones: {bank: ..}  state: {money: ..}"),
    _code("E011", "too-many-marks", "one element carries more than three clause marks", "A mark should point at the rule that it carries.", "move x to y @A-1 @A-2 @A-3 @A-4", "move x to y @A-1"),
    _code("E012", "recursive", "a define, effect or kind uses itself", "Everything is finite: nothing may recur.", "twice(x): twice(x) + 1", "twice(x): x + x"),
    _code("E013", "after-end", "a sentence follows one that ends the effect", "It could never run.", "end game\nscore += 1", "score += 1\nend game"),
    _code("E014", "clause-mark", "a clause mark is not a letter, a dash and a number", "Marks tie lines to the rulebook.", "clause: first rule", "clause: A-1"),
    _code("G001", "unknown-phase", "a phase that is named does not exist or cannot be reached from here", "Control must always know where to go.", "next: buyy", "next: buy"),
    _code("G005", "start-count", "no first phase, or one that does not exist", "A game must start somewhere.", "phases: {a: ..}", "phases: {start: a, a: ..}"),
    _code("G007", "gap", "the lines of `next` leave a case open", "The last line is the case in which no other holds.", "to a when x", "to a when x\nto b"),
    _code("G009", "phase-used-twice", "one phase is a step in two places", "A phase stands in one place of the tree.", "steps: [a, a]", "steps: [a, b]"),
    _code("G010", "undeclared-cycle", "play can go round and nothing is declared to end it", "Each loop names a falling quantity or a cap, which the validator then checks.", "a: {next: b}  b: {next: a}", "a: {next: b, decreases: size of deck}  b: {next: a}"),
    _code("I001", "hidden-read", "a rule reads what the player or the table may not see", "Legality and branches would tell what is hidden.", "to end when size of secret[red] > 1", "to end when openly (secret[red] > 1)"),
    _code("I002", "visibility-by-state", "what is visible depends on the state", "Visibility is fixed by options, so that it can be checked.", "seen_by: all if score > 3 else owner", "seen_by: all if open_hands else owner"),
    _code("K001", "not-walkable", "a condition on a lot is not a combination of sums over its kinds", "Such picks could only be found by trying them all.", "where: lot[top of pile] = lot[bank_kind]", "where: size of lot <= 3"),
    _code("K002", "too-many-states", "a condition keeps too many totals apart", "Counting the picks would take too long.", "a condition with several wide weighted sums", "fewer or narrower sums"),
    _code("K003", "too-many-picks", "a decision could have more picks than can be counted", "Counts stay below 2**63.", "a lot over hundreds of kinds", "limit what can be picked"),
    _code("O001", "options-clash", "options that do not go together", "A senseless combination is refused, not played.", "--option a=x --option b=y", "--option a=x"),
    _code("O002", "player-count", "the ruleset is not for this number of players", "Setup and components depend on it.", "--players 9", "--players 3"),
    _code("O003", "unknown-option", "the ruleset has no such option", "A misspelt option would otherwise change nothing.", "--option tokn_limit=9", "--option token_limit=9"),
    _code("O004", "option-value", "an option cannot have this value", "Values are listed in the file.", "--option order=blue", "--option order=random"),
    _code("O005", "no-such-ruleset", "no bundled ruleset or file of this name", "Names are exact.", "gemwright play markt", "gemwright play market"),
)
