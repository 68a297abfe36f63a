"""Lays out pieces as `given` says, and counts them:

each piece of the game lies in exactly one zone.
"""

from __future__ import annotations

from dataclasses import dataclass

from gemwright.dsl.source import Span
from gemwright.interpreter.block import Block
from gemwright.interpreter.game import Game
from gemwright.interpreter.scenario.names import Names
from gemwright.interpreter.scenario.zones import GAP, Content


@dataclass(slots=True)
class _Plan:
    """What is to lie in a named instance, `rest` included."""

    said: Content
    pieces: list[int]
    rest: list[int]


def lay_out(game: Game, block: Block, contents: list[Content], span: Span, names: Names) -> None:
    """Write the contents into a block; unnamed instances keep theirs.

    Reports what does not add up.
    """
    layout = _Layout(game, block, names)
    if not all(layout.is_clear(content) for content in contents):
        return
    plans = [_Plan(content, list(content.pieces), []) for content in contents]
    before = len(names.reporter.diagnostics)
    layout.share(plans, span)
    if len(names.reporter.diagnostics) > before:
        return
    for plan in plans:
        layout.write(plan)


class _Layout:
    def __init__(self, game: Game, block: Block, names: Names) -> None:
        self._model = game.model
        self._layout = game.machine.layout
        self._places = game.machine.places
        self._block = block
        self._names = names

    def is_clear(self, content: Content) -> bool:
        """Whether it says enough to lay the pieces out."""
        if content.size is not None:
            text = f"say which pieces lie in `{content.label}`, not only how many"
            self._names.wrong("X004", content.span, text)
            return False
        ordered = content.zone.order != "counts"
        if ordered and not content.listed and len(set(content.pieces)) > 1:
            text = f"`{content.zone.name}` has an order: write its pieces as a list"
            self._names.wrong("X004", content.span, text)
            return False
        return True

    def share(self, plans: list[_Plan], span: Span) -> None:
        """Give every piece that no zone names to a zone that takes the rest."""
        named = {plan.said.instance for plan in plans}
        kept = [each for each in range(self._layout.instances) if each not in named]
        for face in self._model.faces:
            said = sum(plan.pieces.count(face.id) for plan in plans)
            stay = {each: self._places.count(each, face.id, self._block) for each in kept}
            left = face.count - said - sum(stay.values())
            if left < 0:
                where = [plan.said.span for plan in plans if face.id in plan.pieces]
                self._too_many(face.id, -left, said, stay, where[-1] if where else span)
            elif left > 0:
                self._left_over(face.id, left, plans, span)

    def _too_many(self, face: int, extra: int, said: int, stay: dict[int, int], span: Span) -> None:
        name, count = self._model.faces[face].name, self._model.faces[face].count
        labels = self._layout.instance_label
        keeping = [f"`{labels[each]}` keeps {number}" for each, number in stay.items() if number]
        text = f"{extra} `{name}` too many: the game has {count}, `given` lays out {said}"
        if keeping:
            text += f" and {', '.join(keeping)}"
        holders = [labels[each].split("[")[0] for each, number in stay.items() if number]
        help = f"say what else lies there, for example `{holders[0]}: rest`" if holders else ""
        self._names.wrong("X004", span, text, help)

    def _left_over(self, face: int, left: int, plans: list[_Plan], span: Span) -> None:
        takers = [plan for plan in plans if plan.said.more and face in plan.said.zone.faces]
        if takers:
            min(takers, key=lambda plan: self._strange(plan.said, face)).rest.extend([face] * left)
            return
        name, count = self._model.faces[face].name, self._model.faces[face].count
        text = f"{left} of {count} `{name}` would be lost: no zone takes them"
        self._names.wrong("X004", span, text, "mark the zone that takes what is left as `rest`")

    def _strange(self, taker: Content, face: int) -> int:
        """How little a zone has to do with a face: 0 if such a piece lay there, 1 if one lay in
        a zone of the same index, as in the row of a deck; so no card gets into another's deck."""
        lay = [
            each
            for each in range(self._layout.instances)
            if face in self._layout.instance_zone[each].faces
            and self._places.count(each, face, self._block)
        ]
        if taker.instance in lay:
            return 0
        label = taker.zone.labels[taker.instance - taker.zone.first]
        indices = {
            (zone.index, zone.labels[each - zone.first])
            for each in lay
            for zone in [self._layout.instance_zone[each]]
        }
        return 1 if label and (taker.zone.index, label) in indices else 2

    # -- writing

    def write(self, plan: _Plan) -> None:
        """Lay the pieces of one instance; its rest in the order in which it lay there before."""
        zone, instance = plan.said.zone, plan.said.instance
        offset = self._layout.instance_offset[instance]
        rest = self._ordered_rest(plan)
        if zone.order == "stack":
            pieces = rest + plan.pieces
            room = zone.slots
        else:
            pieces = plan.pieces + rest
            room = zone.slots if zone.order == "row" else len(pieces)
        real = len(pieces) - pieces.count(GAP)
        if len(pieces) > room or (zone.limit is not None and real > zone.limit):
            most = room if len(pieces) > room else zone.limit
            text = f"`{plan.said.label}` holds at most {most} pieces, not {real}"
            self._names.wrong("X005", plan.said.span, text)
            return
        cells = [face + 1 for face in pieces]
        if zone.order == "counts":
            cells = [pieces.count(face) for face in zone.faces]
        elif zone.order == "stack":
            cells = [len(pieces), *cells]
        cells += [0] * (zone.stride - len(cells))
        self._block[offset : offset + zone.stride] = cells

    def _ordered_rest(self, plan: _Plan) -> list[int]:
        """Pieces that lay there keep their order; others come beneath (a stack) or behind them."""
        left = list(plan.rest)
        stay = []
        for face in self._places.pieces(plan.said.instance, self._block):
            if face in left:
                left.remove(face)
                stay.append(face)
        return left + stay if plan.said.zone.order == "stack" else stay + left
