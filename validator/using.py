"""What is declared and never used: names that no rule mentions, state that nothing reads, options
that change nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from gemwright.dsl.diagnostics import Diagnostic, Reporter
from gemwright.dsl.document.tree import Entry, Map, Node, Scalar, Seq
from gemwright.dsl.model import game as m
from gemwright.dsl.ruleset import Ruleset
from gemwright.dsl.source import Span
from gemwright.interpreter.option_sets import OptionSet
from gemwright.validator.matrix import Matrix
from gemwright.validator.rules.walking import nodes, reads

_DECLARED: Final = {
    "options": "option",
    "tables": "table",
    "zones": "zone",
    "state": "state",
    "define": "define",
    "effects": "effect",
}
"""Sections whose entries are names to be used elsewhere."""
_FOR_PEOPLE: Final = frozenset({"title", "label", "because", "rulebook", "file", "expect", "game"})
_WORD: Final = re.compile(r"[a-z][a-z0-9_]*")
_COMMENT: Final = re.compile(r"#[^\n]*")


def unused_names(rules: Ruleset) -> tuple[Diagnostic, ...]:
    """Warnings for names of the file itself, not of its bases, that stand nowhere else in it."""
    tree, reporter = rules.document.tree, Reporter()
    used = _used(rules)
    for section, what in _DECLARED.items():
        for entry in _entries(tree.get(section)):
            name = entry.key.partition("(")[0].strip()
            if name not in used and entry.key_span.path == _own(rules):
                message = f"nothing uses the {what} `{name}`"
                reporter.warning("V001", entry.key_span, message, "use it, or take it out")
    return reporter.diagnostics


def unread_state(rules: Ruleset, games: Sequence[m.Game]) -> tuple[Diagnostic, ...]:
    """Warnings for state of the file itself that is changed and that no rule of any game reads."""
    reporter = Reporter()
    unread = [_unread(game) for game in games]
    for name, span in unread[0].items() if unread else ():
        if span.path == _own(rules) and all(name in each for each in unread):
            message = f"`{name}` is changed, but nothing reads it"
            reporter.warning("V001", span, message, "read it, or take it out")
    return reporter.diagnostics


def _unread(game: m.Game) -> dict[str, Span]:
    """State that is changed and never read, with its place."""
    rules = (game.points, game.actions, game.result, game.match, game.decreases)
    read = {number for what, number in reads(rules) if what == "variable"}
    if game.match is not None and game.match.start_variable is not None:
        read.add(game.match.start_variable)
    changed = (each for each in nodes(rules) if isinstance(each, m.Assign | m.AssignRandom))
    written = {each.variable for each in changed}
    return {
        variable.name: variable.span
        for variable in game.variables
        if variable.id in written
        and variable.id not in read
        and not variable.role
        # Counters of loops have a space in their name, so that no file can name them.
        and " " not in variable.name
    }


def idle_options(
    rules: Ruleset, games: Sequence[tuple[int, OptionSet, m.Game]], look: Matrix
) -> tuple[Diagnostic, ...]:
    """Warnings for options of the file itself of which no value changes a game in any way, be it
    alone or beside another option that is changed.

    Nothing is said of an option of which some pair was not looked at, or could not be.
    """
    if look.pairs_taken < look.pairs:
        return ()
    known = {(players, frozenset(options.items())): game for players, options, game in games}
    made = {options for _, options in known}
    idle = {name: True for _, options, _ in games for name in options}
    for options in look.sets:
        if frozenset(options.items()) not in made:
            idle |= dict.fromkeys(options, False)
    for (players, items), game in known.items():
        for item in items:
            base = known.get((players, items - {item}))
            if idle[item[0]] and base is not None and _differ(game, base):
                idle[item[0]] = False
    return _idle(rules, idle)


def _idle(rules: Ruleset, same: Mapping[str, bool]) -> tuple[Diagnostic, ...]:
    reporter = Reporter()
    used = _used(rules)
    for spec in rules.options:
        # An option that is named nowhere is told of as such.
        if same.get(spec.name) and spec.span.path == _own(rules) and spec.name in used:
            message = f"the option `{spec.name}` changes nothing, whatever its value"
            reporter.warning("V001", spec.span, message, "use it, or take it out")
    return reporter.diagnostics


def _differ(one: m.Game, other: m.Game) -> bool:
    """Whether two games of one file, at one player count, differ in anything that options change.

    What is equal stands at the same place of the file, so that places need not be left out.
    """
    names = ("actions", "points", "variables", "zones", "faces", "start", "result", "match")
    return any(getattr(one, name) != getattr(other, name) for name in names)


def _own(rules: Ruleset) -> str:
    """The path of the file itself, without its bases."""
    return rules.document.files[len(rules.document.chain) - 1].path


def _used(rules: Ruleset) -> set[str]:
    """The words of rules and tables: cells may be expressions."""
    tables = rules.document.files[len(rules.document.chain) :]
    words = {word for file in tables for word in _WORD.findall(file.text)}
    return words.union(_words(rules.document.tree))


def _words(node: Node) -> Iterator[str]:
    """The words of all texts of a tree that are no declared names, comments left out."""
    todo: list[Node] = [node]
    while todo:
        at = todo.pop()
        if isinstance(at, Map):
            todo.extend(entry.value for entry in at.entries if entry.key not in _FOR_PEOPLE)
        elif isinstance(at, Seq):
            todo.extend(at.items)
        elif isinstance(at, Scalar):
            yield from _WORD.findall(_COMMENT.sub("", at.text))


def _entries(node: Node | None) -> tuple[Entry, ...]:
    return node.entries if isinstance(node, Map) else ()
