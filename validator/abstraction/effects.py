"""Sentences on a path: what they do to the cells, and where they go.

A path on which the engine would stop with an error is not followed; what has to hold so that it
does not stop is an obligation of the edge.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.validator.abstraction.blur import Blur
from gemwright.validator.abstraction.conditions import Conditions
from gemwright.validator.abstraction.moves import Movement, Moves
from gemwright.validator.abstraction.numbers import Element
from gemwright.validator.abstraction.places import Places
from gemwright.validator.abstraction.symbols import Path, Piece, Some, Value, as_affine, total
from gemwright.validator.abstraction.vocabulary import NUMERIC
from gemwright.validator.linear.affine import ONE, ZERO, Affine, at_least, at_most, number
from gemwright.validator.rules.doing import ends_of
from gemwright.validator.rules.walking import OUT

Ways = list[tuple[Path, int | None]]
"""Paths, each with the control point that a sentence sends it to, None when it goes on."""

_Assign = m.Assign | m.AssignRandom

_TO_DRAW: Final = "there is something to draw"

MOST_WAYS: Final = 64
"""A block that can be run in more ways than these is followed only roughly."""


class Effects:
    """Runs sentences of one game on paths."""

    def __init__(self, terms: Conditions, places: Places) -> None:
        self.terms = terms
        self.places = places
        self.game = terms.game
        self.vocabulary = terms.vocabulary
        self.moves = Moves(terms, places)
        self.blur = Blur(self.vocabulary, places)
        self._ends = ends_of(self.game)
        self._whole = {
            variable.id: t.ReadVariable(variable.type, None, variable.id, None)
            for variable in self.game.variables
        }

    def run(self, body: Sequence[m.Statement], path: Path) -> Ways:
        """All ways through a block. The path given must not be used any more."""
        spare = path.fork()
        going, left = [path], Ways()
        for statement in body:
            following: list[Path] = []
            for way in going:
                for last, target in self._statement(statement, way):
                    if target is None:
                        following.append(last)
                    elif last.possible():
                        left.append((last, target))
            going = [way for way in following if way.possible()]
            if len(going) + len(left) > MOST_WAYS:
                return list(self.blur.run(body, spare))
        return [*left, *((way, None) for way in going)]

    def _statement(self, statement: m.Statement, path: Path) -> Ways:
        match statement:
            case m.IfDo():
                return self._if_do(statement, path)
            case m.ForEach():
                return self._for_each(statement, path)
            case m.Leave():
                return [(path, statement.target)]
            case m.EndGame():
                return [(path, self._ends[statement.reason])]
        return [(way, None) for way in self._simple(statement, path)]

    def _simple(self, statement: m.Statement, path: Path) -> list[Path]:
        match statement:
            case m.Shuffle():
                return self._shuffle(statement, path)
            case m.Assign():
                return self._assign(statement, path)
            case m.AssignRandom():
                return self._assign_random(statement, path)
            case m.Let():
                return self._let(statement, path)
            case m.Eliminate():
                return self._eliminate(statement, path)
            case m.Show() | m.Tell():
                return [path]
        assert isinstance(statement, Movement)
        return self.moves.run(statement, path)

    # -- flow inside a block

    def _if_do(self, branch: m.IfDo, path: Path) -> Ways:
        yes, no = self.terms.branch(branch.condition, path)
        found = [each for way in yes for each in self.run(branch.then, way)]
        return found + [each for way in no for each in self.run(branch.otherwise, way)]

    def _for_each(self, loop: m.ForEach, path: Path) -> Ways:
        found: Ways = []
        for way, elements in self.terms.elements(loop.domain, path, ordered=True):
            if elements is None:
                found.extend(self.blur.run((loop,), way))
            else:
                found.extend(self._unrolled(loop, elements, way))
        return found

    def _unrolled(self, loop: m.ForEach, elements: Sequence[Element], path: Path) -> Ways:
        spare = path.fork()
        going, left = [path], Ways()
        for element, there in elements:
            following: list[Path] = []
            for way in going:
                if there != ONE:
                    absent = way.fork()
                    absent.builder.assume(at_most(there, ZERO))
                    following += [absent] if absent.possible() else []
                    way.builder.assume(at_least(there, ONE))
                if not way.possible():
                    continue
                way.frame[loop.slot] = element
                for last, target in self.run(loop.body, way):
                    if target is None:
                        following.append(last)
                    else:
                        left.append((last, target))
            going = following
            if len(going) + len(left) > MOST_WAYS:
                return list(self.blur.run((loop,), spare))
        return [*left, *((way, None) for way in going)]

    # -- state

    def _shuffle(self, shuffle: m.Shuffle, path: Path) -> list[Path]:
        found = []
        for way, spot in self.moves.spots(shuffle.zone, path):
            self.places.mix(spot, way)
            found.append(way)
        return found

    def _assign(self, assign: m.Assign, path: Path) -> list[Path]:
        variable = self.game.variables[assign.variable]
        found: list[Path] = []
        for way, value in self.terms.read(assign.value, path):
            if variable.type.base in NUMERIC:
                found.extend(self._assign_number(assign, assign.op, value, way))
            else:
                found.append(self._assign_member(assign, value, way))
        return found

    def _assign_number(self, assign: _Assign, op: str, value: Value, path: Path) -> list[Path]:
        variable = self.game.variables[assign.variable]
        if not isinstance(value, int | Affine):
            low, high = variable.type.low, variable.type.high
            value = self.places.fresh(path, low, high)
        found = []
        pooled = self.vocabulary.pooled and variable.index == "player"
        for way, position in self._positions(assign, variable, pooled, path):
            for last, before in self._before(assign, variable, pooled, way):
                cell = self.vocabulary.variable(variable.id, position)
                assert cell is not None, "numbers have cells"
                self._put(assign, op, cell, before, as_affine(value), last)
                found.append(last)
        return found

    def _positions(
        self, assign: _Assign, variable: m.Variable, pooled: bool, path: Path
    ) -> list[tuple[Path, int]]:
        if pooled:
            return [(path, 0)]
        ways = self.terms.known(assign.index, path)
        return [(way, position) for way, position in ways if 0 <= position < variable.size]

    def _before(
        self, assign: _Assign, variable: m.Variable, pooled: bool, path: Path
    ) -> list[tuple[Path, Affine | None]]:
        """What one player's share of a pooled counter was; None where a cell tells it."""
        if not pooled:
            return [(path, None)]
        term = t.ReadVariable(variable.type, None, variable.id, assign.index)
        return [(way, value) for way, value in self.terms.number(term, path)]

    def _put(
        self,
        assign: _Assign,
        op: str,
        cell: int,
        share: Affine | None,
        value: Affine,
        path: Path,
    ) -> None:
        builder, variable = path.builder, self.game.variables[assign.variable]
        before = builder.value(cell) if share is None else share
        after = value
        if op != ":=":
            after = before + value if op == "+=" else before - value
        low, high = variable.type.low, variable.type.high
        least, most = f"{variable.name} >= {low}", f"{variable.name} <= {high}"
        builder.require(at_least(after, number(low)), "R001", least, assign.span)
        builder.require(at_most(after, number(high)), "R001", most, assign.span)
        if share is None and op == ":=":
            builder.assign(cell, after)
        else:
            builder.add(cell, after - before)
        path.forget(("variable", variable.id))

    def _assign_member(self, assign: _Assign, value: Value, path: Path) -> Path:
        path.forget(("variable", assign.variable))
        if assign.index is None:
            self.set_member(assign.variable, value, path)
        return path

    def set_member(self, variable: int, value: Value, path: Path) -> None:
        """A single variable becomes a member or seat that may be only partly known."""
        path.forget(("variable", variable))
        path.explicit.pop(variable, None)
        if isinstance(value, int):
            path.explicit[variable] = value
        elif isinstance(value, Some):
            self._remember(variable, value, path)
        elif isinstance(value, Piece):
            several = len(value.faces) > 1
            face = Some(value.faces, value.number) if several else value.faces[0]
            self._remember(variable, face, path)

    def _remember(self, variable: int, value: Value, path: Path) -> None:
        """A single variable holds what is only partly known."""
        term = self._whole[variable]
        path.memo[self.terms.keys.key(term, path)] = (value, self.terms.keys.tokens(term))

    def _assign_random(self, assign: m.AssignRandom, path: Path) -> list[Path]:
        variable = self.game.variables[assign.variable]
        found: list[Path] = []
        for way, value in self._drawn(assign, variable, path):
            if variable.type.base in NUMERIC:
                found.extend(self._assign_number(assign, ":=", value, way))
            else:
                found.append(self._assign_member(assign, value, way))
        return found

    def _drawn(
        self, assign: m.AssignRandom, variable: m.Variable, path: Path
    ) -> list[tuple[Path, Value]]:
        domain = assign.domain
        if isinstance(domain, t.Numbers):
            found: list[tuple[Path, Value]] = []
            for first, low in self.terms.number(domain.low, path):
                for way, high in self.terms.number(domain.high, first):
                    way.builder.require(at_least(high, low), "R002", _TO_DRAW, assign.span)
                    drawn = self.places.fresh(way, None, None, variable.name)
                    way.builder.assume(at_least(drawn, low), at_most(drawn, high))
                    found.append((way, drawn))
            return found
        if isinstance(domain, t.Players):
            self._need_somebody(domain, assign, path)
        if isinstance(domain, t.Players) and variable.id in self.vocabulary.explicit:
            return [(way, seat) for way, seat in self._seats(domain, path)]
        if isinstance(domain, t.Players):
            return [(path, self.places.some(range(self.game.players)))]
        return [(path, self.places.some(domain.faces))]

    def _need_somebody(self, domain: t.Players, assign: m.AssignRandom, path: Path) -> None:
        """One of the players is still in the game, not counting one who is left aside."""
        outs = dict.fromkeys(self.vocabulary.outs)
        inside = number(self.game.players) - total(path.builder.value(out) for out in outs)
        least = 1 if domain.other is None else 2
        path.builder.ask(at_least(inside, number(least)), "R002", _TO_DRAW, assign.span)

    def _seats(self, domain: t.Players, path: Path) -> list[tuple[Path, int]]:
        """A path for each player who may be drawn."""
        found = []
        for way, elements in self.terms.elements(domain, path):
            for seat, there in elements or ():
                last = way.fork()
                last.builder.assume(at_least(there, ONE))
                if isinstance(seat, int) and last.possible():
                    found.append((last, seat))
        return found

    def _let(self, let: m.Let, path: Path) -> list[Path]:
        found = []
        for way, value in self.terms.read(let.value, path):
            way.frame[let.slot] = value
            found.append(way)
        return found

    def _eliminate(self, eliminate: m.Eliminate, path: Path) -> list[Path]:
        found = []
        ways: list[tuple[Path, Value]]
        if self.vocabulary.pooled:
            ways = self.terms.read(eliminate.player, path)
        else:
            ways = [(way, seat) for way, seat in self.terms.known(eliminate.player, path)]
        for way, seat in ways:
            if isinstance(seat, Some) or (isinstance(seat, int) and seat >= 0):
                was = self.terms.is_out(seat, way)
                cell = self.vocabulary.out(0 if isinstance(seat, Some) else seat)
                way.builder.add(cell, ONE - was)
                way.forget(OUT)
                found.append(way)
        return found
