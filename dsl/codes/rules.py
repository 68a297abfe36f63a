"""Codes of findings about names, types, phases, information and options: E, G, I, K and O."""

from __future__ import annotations

from typing import Final

from gemwright.dsl.codes.base import CodeInfo

_DECIDED = "Decided exactly when the file is loaded, at each player count and choice of options."


def _code(code: str, name: str, summary: str, why: str, bad: str, good: str) -> CodeInfo:
    return CodeInfo(code, name, summary, why, bad, good, _DECIDED)


RULES_CODES: Final[tuple[CodeInfo, ...]] = (
    _code(
        "E001",
        "expression-syntax",
        "a sentence or expression cannot be read",
        "Nothing is guessed: what cannot be read is not played.",
        "actions:\n  take: {where: size of lot =}\n",
        "actions:\n  take: {where: size of lot = 2}\n",
    ),
    _code(
        "E002",
        "unknown-name",
        "a name stands for nothing here",
        "A misspelt name would otherwise be a silent zero.",
        "actions:\n  take: {do: move lot to my hnd}\n",
        "actions:\n  take: {do: move lot to my hand}\n",
    ),
    _code(
        "E003",
        "type-mismatch",
        "a value is not of the kind that is wanted here",
        "Comparing a member with a number has no meaning at the table.",
        "actions:\n  take: {where: red = 3}\n",
        "actions:\n  take:\n    where: lot[red] = 3\n",
    ),
    _code(
        "E005",
        "quantifier-scope",
        "a condition after `has` takes in a part that looks as if it stood outside",
        "`has` goes on as far as it can; the two readings mean different things.",
        "actions:\n  take:\n    where: |\n      size of lot = 1\n"
        "      no stone s has lot[s] >= 2 and bank[red] >= 1\n",
        "actions:\n  take:\n    where: |\n      size of lot = 1\n"
        "      (no stone s has lot[s] >= 2) and bank[red] >= 1\n",
    ),
    _code(
        "E006",
        "outside-range",
        "a constant lies outside what is possible",
        "Ranges are promises that layouts and proofs build on.",
        "state:\n  score: {per: player, range: 0..5, start: 9}\n",
        "state:\n  score: {per: player, range: 0..9, start: 9}\n",
    ),
    _code(
        "E007",
        "unbound-name",
        "`me`, `my` or opponents are named where nobody chooses",
        "Setup and phases have no acting player; roles do.",
        "setup: my score := 1\n",
        "setup: score[first] := 1\n",
    ),
    _code(
        "E008",
        "shadowed-name",
        "a bound name hides another",
        "Two meanings of one name are misread sooner or later.",
        "setup: |\n  for each player p:\n    for each card p: score[first] += 1\n",
        "setup: |\n  for each player p:\n    for each card c: score[first] += 1\n",
    ),
    _code(
        "E009",
        "too-large",
        "an expression or declaration is larger than its budget",
        "A file costs bounded time and memory, whoever wrote it.",
        "kinds:\n  rank: {members: 1..99999999}\n",
        "kinds:\n  rank: {members: 1..20}\n",
    ),
    _code(
        "E010",
        "name-taken",
        "one name is declared twice",
        "There is one namespace: a name means one thing.",
        "state:\n  hand: 0..9\n",
        "state:\n  hands: 0..9\n",
    ),
    _code(
        "E011",
        "too-many-marks",
        "one element carries more than three clause marks",
        "A mark should point at the rule that it carries.",
        "actions:\n  take: {clause: [A-1, A-2, A-3, A-4]}\n",
        "actions:\n  take: {clause: [A-1, A-2]}\n",
    ),
    _code(
        "E012",
        "recursive",
        "a define, effect or kind uses itself",
        "Everything is finite: nothing may recur.",
        "define:\n  twice(x): twice(x) + 1\nsetup: score[first] := twice(1)\n",
        "define:\n  twice(x): x + x\nsetup: score[first] := twice(1)\n",
    ),
    _code(
        "E013",
        "after-end",
        "a sentence follows one that ends the effect",
        "It could never run.",
        "phases:\n  over:\n    do: |\n      end game\n      score[first] += 1\n",
        "phases:\n  over:\n    do: |\n      score[first] += 1\n      end game\n",
    ),
    _code(
        "E014",
        "clause-mark",
        "a clause mark is not a letter, a dash and a number",
        "Marks tie lines to the rulebook.",
        "actions:\n  take: {clause: first rule}\n",
        "actions:\n  take: {clause: A-1}\n",
    ),
    _code(
        "E015",
        "unknown-clause",
        "a clause mark names a clause that the rulebook does not list",
        "Then no scenario can show that the rule says what its clause says.",
        "actions:\n  take: {clause: A-99}\n",
        "actions:\n  take: {clause: A-9}\n",
    ),
    _code(
        "E016",
        "may-be-nobody",
        "a player is used who may be nobody",
        "Nobody has no hand, no seat and no neighbour; the rulebook must say what happens then.",
        "phases:\n  over:\n    do: |\n      score[buyer] += 1\n      end game\n",
        (
            "phases:\n"
            "  over:\n"
            "    do: |\n"
            "      if buyer is somebody: score[buyer] += 1\n"
            "      end game\n"
        ),
    ),
    _code(
        "E017",
        "may-be-missing",
        "the top of a stack or the piece of a zone is used where there may be none",
        "There is no piece to speak of; only the tests `is` and `is not` are always allowed.",
        (
            "actions:\n"
            "  take:\n"
            "    do: |\n"
            "      move lot to my hand\n"
            "      my score += shown.top.worth\n"
        ),
        (
            "actions:\n"
            "  take:\n"
            "    do: |\n"
            "      move lot to my hand\n"
            "      if shown is not empty: my score += shown.top.worth\n"
        ),
    ),
    _code(
        "G001",
        "unknown-phase",
        "a phase that is named does not exist or cannot be reached from here",
        "Control must always know where to go.",
        "phases:\n  turns: {next: ovr}\n",
        "phases:\n  turns: {next: over}\n",
    ),
    _code(
        "G005",
        "start-count",
        "no first phase, or one that does not exist",
        "A game must start somewhere.",
        "phases: {start: begin}\n",
        "phases: {start: turns}\n",
    ),
    _code(
        "G007",
        "gap",
        "the lines of `next` leave a case open",
        "The last line is the case in which no other holds.",
        "phases:\n  turns:\n    next: to over when bank is empty\n",
        "phases:\n  turns:\n    next: |\n      to over when bank is empty\n      to over\n",
    ),
    _code(
        "G009",
        "phase-used-twice",
        "one phase is a step in two places",
        "A phase stands in one place of the tree.",
        "phases:\n  start: both\n  both: {steps: [turns, turns]}\n",
        "phases:\n  start: both\n  both: {steps: [turns, over]}\n",
    ),
    _code(
        "G010",
        "undeclared-cycle",
        "play can go round and nothing is declared to end it",
        "Each loop names a falling quantity or a cap, which the validator then checks.",
        "phases:\n  turns: {decreases: null}\n",
        "phases:\n  turns: {decreases: size of bank}\n",
    ),
    _code(
        "G011",
        "sealed-effect",
        "an action of a phase `at once` does what would make the order of players matter",
        "All choose before anything is done; then nobody may get in another's way.",
        "phases:\n  bids: {at once: true, actions: [bid]}\n  turns: {next: bids}\n"
        "actions:\n  bid: {do: move 1 red from bank to my hand}\n",
        "phases:\n  bids: {at once: true, actions: [bid]}\n  turns: {next: bids}\n"
        "actions:\n  bid: {do: my score += 1}\n",
    ),
    _code(
        "G012",
        "no-such-choice",
        "what a phase says of its choices is listed twice, or goes with nothing that it has",
        "Each move is offered once, and whatever a phase says has an effect.",
        "phases:\n  turns: {actions: [take, take]}\n",
        "phases:\n  turns: {actions: [take, pass]}\n",
    ),
    _code(
        "I001",
        "hidden-read",
        "a rule reads what the player or the table may not see",
        "Legality and branches would tell what is hidden.",
        (
            "phases:\n"
            "  turns:\n"
            "    next: |\n"
            "      to over when secret[first][red] > 1\n"
            "      to over\n"
        ),
        (
            "phases:\n"
            "  turns:\n"
            "    next: |\n"
            "      to over when openly (secret[first][red] > 1)\n"
            "      to over\n"
        ),
    ),
    _code(
        "I002",
        "visibility-by-state",
        "what is visible depends on the state",
        "Visibility is fixed by options, so that it can be checked.",
        "zones:\n  hand:\n    seen_by: all if score[first] > 3 else owner\n",
        "zones:\n  hand:\n    seen_by: all if open_hands else owner\n",
    ),
    _code(
        "K001",
        "not-walkable",
        "a condition on a lot is not a combination of sums over its kinds",
        "Such picks could only be found by trying them all.",
        (
            "kinds:\n"
            "  stone: {count: 900}\n"
            "actions:\n"
            "  take:\n"
            "    choose:\n"
            "      lot: stones from bank\n"
            "      n: 0..size of lot\n"
        ),
        (
            "kinds:\n"
            "  stone: {count: 900}\n"
            "actions:\n"
            "  take:\n"
            "    choose:\n"
            "      lot: stones from bank\n"
            "      n: 0..9\n"
            "    where: |\n"
            "      size of lot = 1\n"
            "      n <= size of lot\n"
        ),
    ),
    _code(
        "K002",
        "too-many-states",
        "a condition keeps too many totals apart",
        "Counting the picks would take too long.",
        (
            "kinds:\n"
            "  stone: {members: 1..7, count: 300}\n"
            "actions:\n"
            "  take:\n"
            "    where: |\n"
            "      (sum of lot[s] * s over stone s) * size of lot = 9999\n"
        ),
        (
            "kinds:\n"
            "  stone: {members: 1..7, count: 300}\n"
            "actions:\n"
            "  take:\n"
            "    where: |\n"
            "      (sum of lot[s] * s over stone s) = 9999\n"
        ),
    ),
    _code(
        "K003",
        "too-many-picks",
        "a decision could have more picks than can be counted",
        "Counts stay below 2**63.",
        (
            "kinds:\n"
            "  stone: {members: 1..40, count: 9}\n"
            "actions:\n"
            "  take: {where: size of lot >= 1}\n"
        ),
        (
            "kinds:\n"
            "  stone: {members: 1..10, count: 9}\n"
            "actions:\n"
            "  take: {where: size of lot >= 1}\n"
        ),
    ),
    _code(
        "O001",
        "options-clash",
        "options that do not go together",
        "A senseless combination is refused, not played.",
        "--option a=x --option b=y",
        "--option a=x",
    ),
    _code(
        "O002",
        "player-count",
        "the ruleset is not for this number of players",
        "Setup and components depend on it.",
        "--players 9",
        "--players 3",
    ),
    _code(
        "O003",
        "unknown-option",
        "the ruleset has no such option",
        "A misspelt option would otherwise change nothing.",
        "--option tokn_limit=9",
        "--option token_limit=9",
    ),
    _code(
        "O004",
        "option-value",
        "an option cannot have this value",
        "Values are listed in the file.",
        "--option order=blue",
        "--option order=random",
    ),
    _code(
        "O005",
        "no-such-ruleset",
        "no bundled ruleset or file of this name",
        "Names are exact.",
        "gemwright play markt",
        "gemwright play market",
    ),
)
