"""From a game model to its abstract transition system.

An abstract control point is a control point of the model with the values of what is explicit there
(whose turn it is, where a lap began). Every way that the engine may go from one to the next becomes
an edge; points at which nothing happens are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.interpreter.block import Layout, initial_block
from gemwright.interpreter.evaluation.places import Places as ConcretePlaces
from gemwright.validator.abstraction.conditions import Conditions
from gemwright.validator.abstraction.edge_builder import EdgeBuilder
from gemwright.validator.abstraction.effects import Effects
from gemwright.validator.abstraction.picking import Picking
from gemwright.validator.abstraction.places import Places
from gemwright.validator.abstraction.points import Node, Nodes
from gemwright.validator.abstraction.stepping import Steps
from gemwright.validator.abstraction.symbols import Path
from gemwright.validator.abstraction.transitions import Edge, Hint, TransitionSystem
from gemwright.validator.abstraction.vocabulary import Precision, Vocabulary
from gemwright.validator.linear.affine import Constraint, equal, number, unknown
from gemwright.validator.linear.feasible import possible

MOST_POINTS: Final = 2_000
MOST_EDGES: Final = 6_000
MOST_CONDITIONS: Final = 32


class TooLarge(Exception):
    """The abstract system would have more points or edges than can be looked at."""


@dataclass(frozen=True, slots=True)
class Lowered:
    """An abstract system with what its points and cells stand for; `places` are its points by
    their position. `turned`: if not all plays go through it, what each cell becomes when every seat
    takes the name of the next one; each play does so after some such renamings, and () if all do.
    """

    system: TransitionSystem
    vocabulary: Vocabulary
    nodes: Nodes
    places: tuple[Node, ...]
    turned: tuple[int, ...] = ()


def lower(game: m.Game, precision: Precision, *, with_cap: bool = False) -> Lowered:
    """The abstract transition system of a game.

    Raises:
        TooLarge: at this precision it has too many points or edges.
    """
    first = _Lowering(game, precision, (), with_cap)
    found = first.lowered()
    kept = first.terms.known_conditions.worth_cells()
    if not kept:
        return found
    return _Lowering(game, precision, kept[:MOST_CONDITIONS], with_cap).lowered()


class _Lowering:
    """One lowering in progress."""

    def __init__(
        self, game: m.Game, precision: Precision, conditions: Sequence[t.Term], with_cap: bool
    ) -> None:
        self.game = game
        self.vocabulary = Vocabulary(game, precision, conditions, with_cap)
        self.places = Places(self.vocabulary)
        self.terms = Conditions(self.vocabulary, self.places)
        effects = Effects(self.terms, self.places)
        self.steps = Steps(effects, Picking(self.terms, self.places), with_cap)
        self.nodes = Nodes(game, self.vocabulary.explicit)
        self.with_cap = with_cap
        self.found: dict[Node, int] = {}
        self.edges: list[Edge] = []
        self.refused: dict[object, Edge] = {}

    def lowered(self) -> Lowered:
        """The whole system, explored from its start."""
        self._node(self.nodes.first())
        at = 0
        found = list(self.found)
        while at < len(found):
            self._explore(found[at], at)
            at += 1
            found = list(self.found)
            if len(found) > MOST_POINTS or len(self.edges) > MOST_EDGES:
                raise TooLarge
        system = TransitionSystem(
            tuple(self.vocabulary.cells),
            tuple(self.nodes.described(node) for node in found),
            tuple(self.edges),
            0,
            tuple(self._initial()),
            tuple(self._hints()),
            tuple(self.vocabulary.facts),
            self.with_cap,
            tuple(self.refused.values()),
        )
        return Lowered(system, self.vocabulary, self.nodes, tuple(found))

    def _node(self, node: Node) -> int:
        return self.found.setdefault(node, len(self.found))

    # -- edges

    def _explore(self, node: Node, source: int) -> None:
        point = self.game.points[node.point]
        path = Path(EdgeBuilder(self.vocabulary.cells, source), dict(node.explicit))
        found: list[Edge] = []
        for going in self.steps.step(point, node.stage, path):
            builder = going.path.builder
            self.terms.known_conditions.tell(going.path)
            if possible(builder.guard, builder.range_of):
                target = self._skipped(going.target) if going.stage == 0 else going.target
                for goal in self.nodes.at(target, going.stage, going.path.explicit):
                    edge = builder.finish(
                        self._node(goal),
                        moves=going.moves,
                        sufficient=going.sufficient,
                        label=going.label,
                        span=going.span,
                        action=going.action,
                    )
                    found.append(edge)
        self.edges.extend(without_weaker(found))
        for parameters, obligations in path.builder.refused:
            guard = (*obligations[-1].given, obligations[-1].claim)
            edge = Edge(source, source, parameters, guard, (), obligations=obligations)
            self.refused.setdefault((parameters, obligations), edge)

    def _skipped(self, target: int) -> int:
        """Past points at which nothing happens."""
        for _ in range(len(self.game.points)):
            point = self.game.points[target]
            if isinstance(point, m.Branch) and point.arms[0].condition is None:
                target = point.arms[0].target
            elif isinstance(point, m.Count) and not self.with_cap:
                target = point.next
            else:
                return target
        return target

    # -- the rest of the system

    def _initial(self) -> Iterator[Constraint]:
        """Everything lies in the box, state has its start values."""
        block, counts = initial_state(self.game)
        values = self.vocabulary.values(block, counts)
        conditions = {cell for _, cell in self.vocabulary.condition_cells()}
        for cell, value in enumerate(values):
            if cell not in conditions:
                yield equal(unknown(cell), number(value))

    def _hints(self) -> Iterator[Hint]:
        for term in self.game.decreases:
            path = Path(EdgeBuilder(self.vocabulary.cells, 0), {})
            ways = self.terms.number(term, path)
            if len(ways) == 1 and ways[0][0].exact:
                yield Hint(ways[0][1], "decreases", term.span)


def without_weaker(edges: Sequence[Edge]) -> list[Edge]:
    """Edges without those that another one covers: the same, under fewer conditions."""
    kept: list[Edge] = []
    for edge in edges:
        guard = frozenset(edge.guard)
        if any(_same_way(edge, other) and frozenset(other.guard) <= guard for other in kept):
            continue
        kept = [
            other
            for other in kept
            if not (_same_way(edge, other) and guard <= frozenset(other.guard))
        ]
        kept.append(edge)
    return kept


def _same_way(one: Edge, other: Edge) -> bool:
    return (
        one.target == other.target
        and one.effects == other.effects
        and one.parameters == other.parameters
        and one.moves == other.moves
        and one.obligations == other.obligations
    )


def initial_state(game: m.Game) -> tuple[list[int], Mapping[int, Sequence[int]]]:
    """The block before the setup and the counts of its zone instances."""
    block = initial_block(game, 0)
    places = ConcretePlaces(Layout(game))
    instances = sum(zone.size for zone in game.zones)
    return block, {number: places.counts(number, block) for number in range(instances)}
