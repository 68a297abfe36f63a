"""The phase graph as people draw it: a box for each phase that does something, arrows between.

Control points at which nothing is seen to happen are left out; arrows go past them and take their
conditions along.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from gemwright.dsl.diagnostics import cleaned
from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.dsl.source import Span
from gemwright.validator.graph.phase_graph import Key, Way, start_of, ways
from gemwright.validator.rules.doing import has_chance

MOST_SHOWN: Final = 44
"""Longer texts of the rules are cut."""


@dataclass(frozen=True, slots=True)
class Box:
    """A box. `shape` is 'start', 'do', 'chance', 'decision', 'together', 'loop', 'choice' or 'end';
    `lines` its text; `group` the phases around it, outermost first."""

    id: str
    shape: str
    lines: tuple[str, ...]
    group: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow between two boxes. `loose`: taken only when nothing else can be done."""

    source: str
    target: str
    label: str
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is drawn, in a fixed order."""

    title: str
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]


@dataclass(frozen=True, slots=True)
class _Link:
    source: Key
    target: Key
    words: tuple[str, ...]
    loose: bool


def drawing(game: m.Game, sources: Mapping[str, str]) -> Drawing:
    """The drawing of a game. `sources` are the texts of its rules files by path."""
    return _Drawer(game, sources).draw()


class _Drawer:
    def __init__(self, game: m.Game, sources: Mapping[str, str]) -> None:
        self.game = game
        self.lines = {path: text.split("\n") for path, text in sources.items()}
        self.links: dict[_Link, None] = {}

    def draw(self) -> Drawing:
        """Only what play can reach."""
        for point in self.game.points:
            for source, target, way in ways(self.game, point):
                # The box says that all choose; that each does so is no way of its own.
                if way.kind == "commit":
                    continue
                link = _Link(source, target, self._words(way), way.kind == "otherwise")
                self.links[link] = None
        reached = self._reached()
        self.links = {link: None for link in self.links if link.source in reached}
        for node in sorted(reached, key=_order):
            self._leave_out(node)
        kept = [node for node in sorted(reached, key=_order) if self._is_linked(node)]
        names = {node: f"n{number}" for number, node in enumerate(kept)}
        boxes = tuple(self._box(node, names[node]) for node in kept)
        return Drawing(self.game.title, boxes, tuple(self._arrows(names)))

    def _reached(self) -> set[Key]:
        found, todo = set[Key](), [start_of(self.game)]
        while todo:
            node = todo.pop()
            if node not in found:
                found.add(node)
                todo += [link.target for link in self.links if link.source == node]
        return found

    def _is_linked(self, node: Key) -> bool:
        ends = any(node in (link.source, link.target) for link in self.links)
        return ends or node == start_of(self.game)

    # -- leaving out

    def _leave_out(self, node: Key) -> None:
        """Let arrows go past a node if that does not make many of few."""
        if node == start_of(self.game) or self._shape(node) != "choice":
            return
        before = [link for link in self.links if link.target == node and link.source != node]
        after = [link for link in self.links if link.source == node]
        if len(before) > 1 < len(after) or any(link.target == node for link in after):
            return
        for link in (*before, *after):
            self.links.pop(link, None)
        for first in before:
            for second in after:
                words = tuple(dict.fromkeys((*first.words, *second.words)))
                loose = first.loose or second.loose
                self.links[_Link(first.source, second.target, words, loose)] = None

    # -- words

    def _words(self, way: Way) -> tuple[str, ...]:
        if way.kind in ("move", "anytime") and way.action is not None:
            return (self.game.actions[way.action].name.replace("_", " "),)
        if way.kind == "branch":
            if way.guard.holds is None:
                return ("else",)
            return (self._excerpt(way.guard.holds.span or way.span),)
        shown = {
            "pass": "pass",
            "otherwise": "nothing can be chosen",
            "exit": "all done",
            "reveal": "all are in",
            "capped": "the cap is reached",
            "end": "end game",
            "leave": "leave",
        }
        return (shown[way.kind],) if way.kind in shown else ()

    def _excerpt(self, span: Span) -> str:
        lines = self.lines.get(span.path)
        if lines is None or not 1 <= span.line <= span.end_line <= len(lines):
            return "a condition"
        part = lines[span.line - 1 : span.end_line]
        part[-1] = part[-1][: span.end_column - 1]
        part[0] = part[0][span.column - 1 :]
        text = cleaned(" ".join(" ".join(part).split()))
        return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 2]}.."

    def _box(self, node: Key, name: str) -> Box:
        point = self.game.points[node[1]] if node[0] in ("point", "reveal") else None
        if point is None:
            action = self.game.actions[node[1] // len(self.game.points)]
            point = self.game.points[node[1] % len(self.game.points)]
            return Box(name, "chance", (action.name.replace("_", " "), "by chance"), _group(point))
        return Box(name, self._shape(node), self._lines(point), _group(point))

    def _lines(self, point: m.Point) -> tuple[str, ...]:
        phase = point.phase.split("/")[-1].replace("_", " ") or "game over"
        match point:
            case m.End():
                return (point.reason,)
            case m.LoopTest():
                role = "round" if point.role is None else self.game.variables[point.role].name
                return (phase, f"next {role.replace('_', ' ')}")
            case m.Decide(together=True):
                return (phase, "all choose at once")
            case m.Decide(by=t.ReadVariable(variable=variable)):
                return (phase, f"{self.game.variables[variable].name.replace('_', ' ')} chooses")
        return (phase,)

    def _shape(self, node: Key) -> str:
        if node[0] not in ("point", "reveal"):
            return "chance"
        if node[0] == "reveal":
            return "choice"
        point = self.game.points[node[1]]
        if node == start_of(self.game):
            return "start"
        match point:
            case m.End():
                return "end"
            case m.Do():
                return "chance" if has_chance(point.body) else "do"
            case m.Decide():
                return "together" if point.together else "decision"
            case m.LoopTest():
                return "loop"
        return "choice"

    def _arrows(self, names: Mapping[Key, str]) -> Iterable[Arrow]:
        merged: dict[tuple[Key, Key, bool], list[str]] = {}
        for link in self.links:
            words = merged.setdefault((link.source, link.target, link.loose), [])
            text = ", ".join(link.words)
            if text and text not in words:
                words.append(text)
        ordered = sorted(merged, key=lambda key: (_order(key[0]), _order(key[1]), key[2]))
        for source, target, loose in ordered:
            label = "\n".join(merged[source, target, loose])
            yield Arrow(names[source], names[target], label, loose)


def _group(point: m.Point) -> tuple[str, ...]:
    return tuple(part.replace("_", " ") for part in point.phase.split("/")[:-1])


def _order(node: Key) -> tuple[int, str]:
    return node[1], node[0]


def flattened(shown: Drawing) -> Drawing:
    """The same with the phases around a box named in it, and arrows from a box to itself too."""
    again: dict[str, list[str]] = {}
    for arrow in shown.arrows:
        if arrow.source == arrow.target:
            again.setdefault(arrow.source, []).extend(arrow.label.split("\n"))
    boxes = tuple(
        replace(
            box,
            lines=(
                " / ".join((*box.group, box.lines[0])),
                *box.lines[1:],
                *(f"again: {label}" for label in again.get(box.id, ())),
            ),
            group=(),
        )
        for box in shown.boxes
    )
    arrows = tuple(arrow for arrow in shown.arrows if arrow.source != arrow.target)
    return replace(shown, boxes=boxes, arrows=arrows)
