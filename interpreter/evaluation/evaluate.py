"""What terms mean: the value of a term in a state block and a frame.

Values are integers (numbers, flags as 0/1 or bool, faces, seats), tuples of counts for vectors and
picked lots, and (zone instance, face) for picked pieces. A term reads a block and a frame and
changes neither; only a frame slot that a fold binds is overwritten.

A term is turned into a Python function when it is first read, by one small method per class of
terms (`term_functions`, `fold_functions`); the functions of the terms inside it are made once, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from gemwright.dsl.model import terms as t
from gemwright.interpreter.block import Block, Frame, Layout
from gemwright.interpreter.evaluation import fold_functions as folds
from gemwright.interpreter.evaluation import term_functions as plain
from gemwright.interpreter.evaluation.places import Places
from gemwright.interpreter.evaluation.term_functions import Publish, Read, outside

if TYPE_CHECKING:
    from gemwright.interpreter.walk.some_lot import SomeLots


def silent(term: t.Openly, value: Any) -> None:
    """Publishes nothing."""


class Evaluator:
    """Evaluates terms and domains of one game model.

    Args:
        layout: the tables of the model.

    `publish` is called with each `Openly` term and its value, in the order of reading.
    """

    __slots__ = ("_kept", "_lots", "layout", "places")

    def __init__(self, layout: Layout, places: Places | None = None) -> None:
        self.layout = layout
        self.places = places or Places(layout)
        self._kept: dict[int, tuple[t.Term | t.Domain, Read]] = {}
        self._lots: SomeLots | None = None

    def function(self, node: t.Term | t.Domain) -> Read:
        """The function of a term or domain; made once per object."""
        kept = self._kept.get(id(node))
        if kept is None:
            # The term is kept too, so that its id stays its own.
            kept = self._kept[id(node)] = (node, _FUNCTIONS[type(node)](self, node))
        return kept[1]

    @property
    def lots(self) -> SomeLots:
        """What decides `some lot` terms."""
        if self._lots is None:
            # Imported here because deciding such a term evaluates terms in turn.
            from gemwright.interpreter.walk.some_lot import SomeLots

            self._lots = SomeLots(self, self.layout.model.players)
        return self._lots

    # -- for engines

    def value(self, term: t.Term, block: Block, frame: Frame, publish: Publish = silent) -> Any:
        """The value of a term.

        Raises:
            RuntimeProblem: an index or a table is read outside its range (R001), or at the top of
                an empty stack (R004).
        """
        return self.function(term)(block, frame, publish)

    def elements(
        self, domain: t.Domain, block: Block, frame: Frame, publish: Publish = silent
    ) -> Sequence[int]:
        """The elements of a domain, in its order."""
        if type(domain) is t.Pieces:
            return [face for face, _ in self.weighted(domain, block, frame, publish)]
        found: Sequence[int] = self.function(domain)(block, frame, publish)
        return found

    def weighted(
        self, domain: t.Pieces, block: Block, frame: Frame, publish: Publish = silent
    ) -> list[tuple[int, int]]:
        """The faces of a `Pieces` domain that are there, with their counts."""
        found: list[tuple[int, int]] = self.function(domain)(block, frame, publish)
        return found

    def instance(
        self,
        zone: int,
        index: t.Term | None,
        block: Block,
        frame: Frame,
        publish: Publish = silent,
    ) -> int:
        """The global number of the zone instance that a family and an index name."""
        first, size = self.layout.zone_instances[zone]
        return self._place(first, size, index, block, frame, publish)

    def cell(
        self,
        variable: int,
        index: t.Term | None,
        block: Block,
        frame: Frame,
        publish: Publish = silent,
    ) -> int:
        """The block cell of a state variable."""
        first, size = self.layout.variable_cells[variable]
        return self._place(first, size, index, block, frame, publish)

    def _place(
        self,
        first: int,
        size: int,
        index: t.Term | None,
        block: Block,
        frame: Frame,
        publish: Publish,
    ) -> int:
        if index is None:
            return first
        position: int = self.function(index)(block, frame, publish)
        if not 0 <= position < size:
            raise outside(position, index)
        return first + position


_FUNCTIONS: Final[Mapping[type, Callable[[Evaluator, Any], Read]]] = {
    **plain.FUNCTIONS,
    **folds.FUNCTIONS,
}
