"""Mutants of rules files: every marked element taken away or turned round, one at a time.

    python -m tests.mutants RULESET

prints for each marked element what was done to it and which scenario noticed. A mutant is killed
when a scenario that names one of the clauses of the element fails. Only the scenarios of those
clauses run.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.document.tree import Entry, Map, Node, Scalar, Seq
from gemwright.dsl.model.game import Element
from gemwright.dsl.ruleset import Ruleset, open_ruleset
from gemwright.dsl.source import Span
from gemwright.interpreter.option_sets import OptionSet, singles
from gemwright.interpreter.scenario.files import read_all
from gemwright.interpreter.scenario.parts import Scenario, ScenarioFile
from gemwright.interpreter.scenario.run import Games, run_scenario

MOST_TRIES = 24
"""So many mutants of one element are tried until each of its clauses has noticed one."""

FLIPS = (
    (r"(?<![<>:+\-!])>=", "<"),
    (r"(?<![<>:+\-!])<=", ">"),
    (r"!=", "="),
    (r"(?<=[\w\]) ]) = (?=[\w(])", " != "),
    (r" < ", " >= "),
    (r" > ", " <= "),
    (r"\bis not\b", "is"),
    (r"\bis\b(?! not)", "is not"),
    (r"\bhighest\b", "lowest"),
    (r"\blowest\b", "highest"),
    (r"\btop of\b", "bottom of"),
    (r"\bbottom of\b", "top of"),
    (r"\bleft of\b", "right of"),
    (r"\bright of\b", "left of"),
    (r"\+=", "-="),
    (r"-=", "+="),
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r"\bno (?=\w+ \w+ has\b)", "some "),
    (r"\bsome (?=\w+ \w+ has\b)", "no "),
    (r"\bevery (?=\w+ \w+ has\b)", "no "),
    (r"\band\b", "or"),
    (r"\bor\b", "and"),
    (r"seen_by: (owner|nobody)", "seen_by: all"),
    (r"seen_by: all", "seen_by: nobody"),
    (r"\bowner\b", "all"),
    (r"\bto all\b", "to me"),
    (r"\bsecretly\b", ""),
    (r", shuffled\b", ""),
    (r" clockwise from [\w ]+?(?= as\b|\n|$)", " clockwise"),
    (r"values: \[([^,\]]+), ([^,\]]+)", r"values: [\2, \1"),
    (r"(members: )?\[([^\[\]]+),\s[^,\[\]]+\]", r"\1[\2]"),
    (r"\btrue\b", "false"),
    (r"\bfalse\b", "true"),
    (r"\brandom player\b", "seat 1"),
    (r"\bopponent\b", "player"),
)

LINES = (r"^\s*otherwise:.*\n", r"^\s*if:.*\n", r"^\s*repeat:.*\n", r"^\s*to .* when .*\n")
"""Lines of an element that can be taken out whole."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed file: `what` was done to it, its new text, and which file it is."""

    what: str
    text: str
    real: Path


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of an element.

    `killers` gives per clause the mutant that was noticed and the scenario that did; `blind` are
    the clauses whose scenarios all passed on some mutant that loads, or that have no scenario.
    """

    element: Element
    loaded: int
    killers: dict[str, tuple[str, str]]
    blind: frozenset[str]

    @property
    def survived(self) -> tuple[str, ...]:
        """The clauses of the element that noticed nothing although some mutant loads."""
        lost = self.blind.difference(self.killers)
        return tuple(each for each in self.element.clauses if each in lost)


class Bench:
    """A ruleset with its scenarios, and a copy of its folder in which files are changed."""

    def __init__(self, ruleset: str, folder: Path) -> None:
        rules = open_ruleset(ruleset, Reporter())
        assert rules is not None, ruleset
        self.rules: Ruleset = rules
        self.scenarios: list[ScenarioFile] = read_all(rules, Reporter())
        self.home = _home(rules)
        self.copy = folder / self.home.name
        shutil.copytree(self.home, self.copy)
        self._files = {source.path: source for source in rules.document.files}
        self._entries = list(_entries_of(rules.document.tree))
        self._changed: dict[Path, str] = {}

    def elements(self) -> list[Element]:
        """Every marked element of every game, once, in the order of the files."""
        games = Games(self.rules)
        low, high = self.rules.players
        sets: list[tuple[int, OptionSet]] = [(each, {}) for each in range(low, high + 1)]
        found: dict[tuple[Span, tuple[str, ...]], Element] = {}
        for players, options in [*sets, *((low, each) for each in singles(self.rules))]:
            game = games.game(players, options, Reporter())
            for element in game.model.elements if game is not None else ():
                if element.clauses:
                    found.setdefault((element.span, element.clauses), element)
        own = {source.path for source in self._files.values() if self._is_own(source.real)}
        return [found[key] for key in sorted(found) if key[0].path in own]

    def _is_own(self, real: Path) -> bool:
        """Whether a file is to be changed: of a variant only its own, not those of its base."""
        variant = self.rules.document.folder.name == "variants"
        return real == self._main() if variant else real.is_relative_to(self.home)

    def fate(self, element: Element) -> Fate:
        """Try mutants of an element until each of its clauses has noticed one."""
        loaded = 0
        killers: dict[str, tuple[str, str]] = {}
        blind = {clause for clause in element.clauses if not self._scenarios_of(clause)}
        for tried, mutant in enumerate(self.mutants(element)):
            if tried >= MOST_TRIES or len(killers) == len(element.clauses):
                break
            rules = self._load(mutant)
            if rules is None:
                continue
            loaded += 1
            games = Games(rules)
            for clause in element.clauses:
                if clause in killers:
                    continue
                noticed = self._noticed(games, clause)
                if noticed:
                    killers[clause] = (mutant.what, noticed)
                elif noticed is not None:
                    blind.add(clause)
        return Fate(element, loaded, killers, frozenset(blind))

    def _scenarios_of(self, clause: str) -> list[Scenario]:
        files = self.scenarios
        return [each for file in files for each in file.scenarios if each.is_about(clause)]

    def _noticed(self, games: Games, clause: str) -> str | None:
        """A scenario of a clause that fails; '' if all pass, None if a game does not load."""
        loads = True
        for scenario in self._scenarios_of(clause):
            result = run_scenario(scenario, games)
            if any(problem.code == "X002" for problem in result.problems):
                loads = False
            elif not result.passed:
                return scenario.name
        return "" if loads else None

    def _load(self, mutant: Mutant) -> Ruleset | None:
        """The ruleset with one file changed, if it still is one at its smallest player count."""
        for place, before in self._changed.items():
            place.write_text(before, encoding="utf-8")
        # The change stays until the next one: games read their tables when they are made.
        place = self.copy / mutant.real.relative_to(self.home)
        self._changed = {place: place.read_text(encoding="utf-8")}
        place.write_text(mutant.text, encoding="utf-8")
        main = self.copy / self._main().relative_to(self.home)
        reporter = Reporter()
        rules = open_ruleset(str(main), reporter)
        if rules is None or rules.instantiate(rules.players[0], {}, reporter) is None:
            return None
        return rules

    def _main(self) -> Path:
        name = f"{self.rules.name}.gem.yaml"
        return next(each.real for each in self.rules.document.files if each.real.name == name)

    # -- making mutants

    def mutants(self, element: Element) -> Iterator[Mutant]:
        """Changed files, the most thorough change first."""
        source = self._files[element.span.path]
        text = source.text
        entry = next((e for e in self._entries if element.span in (e.key_span, e.value.span)), None)
        # A text with a mark of its own is a sentence or a line, also where it is a whole value.
        if entry is None or "@" in text[slice(*_offsets(text, element.span))]:
            start, end = _offsets(text, element.span)
            changes = _without(text, start, end)
        elif element.span == entry.value.span and isinstance(entry.value, Scalar):
            start, end = _offsets(text, element.span)  # a text of one sentence or one line
            changes = _without(text, start, end)
        else:
            start = _offset(text, entry.key_span.line, entry.key_span.column)
            end = _offset(text, entry.value.span.end_line, entry.value.span.end_column)
            for name in re.findall(r"[\w.-]+\.csv", text[start:end]):
                yield from _other_tables(source.real.with_name(name))
            changes = iter(())
        taken_away = () if entry is None else (_blank(text, start, end),)
        for what, changed in (*changes, *_flipped(text, start, end), *taken_away):
            yield Mutant(what, changed, source.real)


def _other_tables(real: Path) -> Iterator[Mutant]:
    """A table without its last row, and with one number changed."""
    lines = real.read_text(encoding="utf-8").splitlines(keepends=True)
    yield Mutant(f"{real.name} without its last row", "".join(lines[:-1]), real)
    for number, line in enumerate(lines[1:], 1):
        changed = re.sub(r"(?<=,)-?\d+\b", lambda found: str(int(found[0]) + 1), line, count=1)
        if changed != line:
            text = "".join([*lines[:number], changed, *lines[number + 1 :]])
            yield Mutant(f"{real.name}:{number + 1} changed", text, real)
            return


def _home(rules: Ruleset) -> Path:
    """The folder that holds all files of a ruleset."""
    folder = rules.document.folder
    return folder.parent if folder.name == "variants" else folder


def _entries_of(node: Node) -> Iterator[Entry]:
    if isinstance(node, Map):
        for entry in node.entries:
            yield entry
            yield from _entries_of(entry.value)
    elif isinstance(node, Seq):
        for item in node.items:
            yield from _entries_of(item)
    else:
        assert isinstance(node, Scalar)


def _offset(text: str, line: int, column: int) -> int:
    lines = text.splitlines(keepends=True)
    return sum(map(len, lines[: line - 1])) + column - 1


def _offsets(text: str, span: Span) -> tuple[int, int]:
    return _offset(text, span.line, span.column), _offset(text, span.end_line, span.end_column)


def _without(text: str, start: int, end: int) -> Iterator[tuple[str, str]]:
    """A sentence, line or arm without its meaning: it does nothing, or always holds."""
    body = text[start:end]
    told = body.split("@")[0].strip()
    mark = body[len(body.split("@")[0].rstrip()) :]
    for what, instead in (
        ("removed", "let nothing_here = 0"),
        ("removed", "true"),
        ("negated", f"not ({told})"),
    ):
        changed = f"{text[:start]}{instead}{mark}{text[end:]}"
        yield f"{what}: {told}", changed
    arm = re.fullmatch(r"to (\w+) when (.*)", told, re.S)
    if arm:
        changed = f"{text[:start]}to {arm[1]} when not ({arm[2]}){mark}{text[end:]}"
        yield f"negated: {told}", changed
    yield _blank(text, start, end)


def _blank(text: str, start: int, end: int) -> tuple[str, str]:
    """A text without one part; in a variant, what it extends then holds again."""
    body = text[start:end]
    blank = re.sub(r"[^\n]", " ", body)
    return f"removed: {body.split('@')[0].strip()}", f"{text[:start]}{blank}{text[end:]}"


def _flipped(text: str, start: int, end: int) -> Iterator[tuple[str, str]]:
    """One word, sign or number of an element changed, marks and comments left alone."""
    body = text[start:end]
    kept = [each.span() for each in re.finditer(r"@[\w-]+|#.*|clause: (\[[^\]]*\]|\S+)", body)]
    found: list[tuple[int, int, str, str]] = []
    for pattern, instead in FLIPS:
        for each in re.finditer(pattern, body, re.M):
            found.append((each.start(), each.end(), each.expand(instead), each[0].strip()))
    for each in re.finditer(r"(?<![\w-])(?<!\w\.)(\d+)(?![\w-])", body):
        found.append((each.start(), each.end(), str(int(each[0]) + 1), each[0]))
    for pattern in LINES:
        for each in re.finditer(pattern, body, re.M):
            found.append((each.start(), each.end(), "", each[0].strip()))
    for at, stop, instead, was in found:
        if not any(at < high and low < stop for low, high in kept):
            changed = f"{text[: start + at]}{instead}{text[start + stop :]}"
            yield f"`{was}` -> `{instead.strip()}`", changed


def main(ruleset: str) -> int:
    """Print a table of all elements; 1 if a clause noticed nothing."""
    alive = 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(ruleset, Path(folder))
        for element in bench.elements():
            fate = bench.fate(element)
            where = f"{element.span.path}:{element.span.line}"
            for clause in element.clauses:
                what, name = fate.killers.get(clause, ("", ""))
                verdict = f"{what}  <-  {name}" if name else "-"
                if not fate.loaded:
                    verdict = "(no mutant of it loads)"
                print(f"{clause:7} {where}  {element.name[:40]}  {verdict}")
            alive += bool(fate.survived)
    print(f"{alive} elements survive")
    return int(bool(alive))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
