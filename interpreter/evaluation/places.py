"""Zone instances in a state block: what lies there, taking pieces out and putting them in.

Three orders: 'counts' is one cell per face; a 'stack' is its size, then face + 1 from bottom to
top; a 'row' is face + 1 per slot, 0 = gap. Identical pieces are one piece: taking a face from a
stack takes the topmost such piece, from a row the first.
"""

from __future__ import annotations

from collections.abc import Iterator

from gemwright.dsl.model.game import Zone
from gemwright.interpreter.block import Block, Layout
from gemwright.interpreter.problem import RuntimeProblem


class Places:
    """Reads and writes zone instances by their global number. Holds no state of a game."""

    __slots__ = ("_labels", "_names", "_offset", "_positions", "_zone")

    def __init__(self, layout: Layout) -> None:
        self._zone = layout.instance_zone
        self._offset = layout.instance_offset
        self._labels = layout.instance_label
        self._positions = layout.positions
        self._names = {face.id: face.name for face in layout.model.faces}

    # -- reading

    def size(self, instance: int, block: Block) -> int:
        """How many pieces lie there."""
        zone, offset = self._zone[instance], self._offset[instance]
        if zone.order == "stack":
            return block[offset]
        cells = block[offset : offset + zone.stride]
        return sum(cells) if zone.order == "counts" else len(cells) - cells.count(0)

    def counts(self, instance: int, block: Block) -> tuple[int, ...]:
        """The pieces as counts over all faces of the zone."""
        zone, offset = self._zone[instance], self._offset[instance]
        if zone.order == "counts":
            return tuple(block[offset : offset + len(zone.faces)])
        counts = [0] * len(zone.faces)
        position = self._positions[zone.id]
        for face in self._listed(zone, offset, block):
            counts[position[face]] += 1
        return tuple(counts)

    def count(self, instance: int, face: int, block: Block) -> int:
        """How many pieces of one face lie there; 0 for a face that the zone cannot hold."""
        zone, offset = self._zone[instance], self._offset[instance]
        if zone.order != "counts":
            return block[_first(zone, offset) : _end(zone, offset, block)].count(face + 1)
        position = self._positions[zone.id].get(face)
        return 0 if position is None else block[offset + position]

    def top(self, instance: int, block: Block) -> int:
        """The face on top of a stack, -1 if it is empty."""
        offset = self._offset[instance]
        size = block[offset]
        return block[offset + size] - 1 if size else -1

    def pieces(self, instance: int, block: Block) -> list[int]:
        """One face per piece: in face order, from bottom to top, or from left to right."""
        zone, offset = self._zone[instance], self._offset[instance]
        if zone.order != "counts":
            return self._listed(zone, offset, block)
        found: list[int] = []
        for face, count in zip(zone.faces, block[offset:], strict=False):
            found.extend([face] * count)
        return found

    def _listed(self, zone: Zone, offset: int, block: Block) -> list[int]:
        cells = block[_first(zone, offset) : _end(zone, offset, block)]
        return [cell - 1 for cell in cells if cell]

    # -- taking out

    def take(self, instance: int, face: int, count: int, block: Block) -> None:
        """Take `count` >= 0 pieces of one face out.

        Raises:
            RuntimeProblem: R002 if there are not so many (nothing is taken then), R004 if the face
                is the top of an empty stack.
        """
        there = self.count(instance, face, block)
        if count > there or count < 0:
            raise self._missing(instance, face, count, there)
        zone, offset = self._zone[instance], self._offset[instance]
        if zone.order == "counts":
            if count:
                block[offset + self._positions[zone.id][face]] -= count
            return
        for _ in range(count):
            first, end = _first(zone, offset), _end(zone, offset, block)
            if zone.order == "row":
                block[block.index(face + 1, first, end)] = 0
            else:
                at = max(cell for cell in range(first, end) if block[cell] == face + 1)
                self._close(offset, at, end, block)

    def take_end(self, instance: int, end: str, block: Block) -> int:
        """Take the piece at the 'top' or 'bottom' of a stack that is not empty: its face."""
        offset = self._offset[instance]
        size = block[offset]
        at = offset + size if end == "top" else offset + 1
        face = block[at] - 1
        self._close(offset, at, offset + size + 1, block)
        return face

    def _close(self, offset: int, at: int, end: int, block: Block) -> None:
        """Remove the cell `at` of a stack; the cells above it move down."""
        block[at : end - 1] = block[at + 1 : end]
        block[end - 1] = 0
        block[offset] -= 1

    def _missing(self, instance: int, face: int, count: int, there: int) -> RuntimeProblem:
        if face < 0:
            return RuntimeProblem("R004", "this piece is the top of an empty stack")
        name = self._names[face]
        text = f"cannot take {count} `{name}` from `{self._labels[instance]}`: {there} there"
        return RuntimeProblem("R002", text)

    # -- putting in

    def put(
        self, instance: int, face: int, count: int, block: Block, at: int | None = None
    ) -> None:
        """Put `count` pieces of one face in.

        In a stack they go on top, or to position `at` from the bottom; in a row to the first gaps.

        Raises:
            RuntimeProblem: R003 if they do not fit.
        """
        zone, offset = self._zone[instance], self._offset[instance]
        position = self._positions[zone.id].get(face)
        if position is None:
            text = f"`{self._labels[instance]}` cannot hold `{self._names[face]}`"
            raise RuntimeProblem("R003", text)
        if zone.order == "counts":
            block[offset + position] += count
        else:
            for _ in range(count):
                self._insert(zone, instance, face, at, block)
        if zone.limit is not None and count:
            size = self.size(instance, block)
            if size > zone.limit:
                raise self._full(instance, size, zone.limit)

    def _insert(self, zone: Zone, instance: int, face: int, at: int | None, block: Block) -> None:
        offset = self._offset[instance]
        if zone.order == "row":
            for cell in range(offset, offset + zone.slots):
                if not block[cell]:
                    block[cell] = face + 1
                    return
            raise self._full(instance, zone.slots + 1, zone.slots)
        size = block[offset]
        if size >= zone.slots:
            raise self._full(instance, size + 1, zone.slots)
        cell = offset + 1 + (size if at is None else at)
        block[cell + 1 : offset + size + 2] = block[cell : offset + size + 1]
        block[cell] = face + 1
        block[offset] = size + 1

    def _full(self, instance: int, size: int, limit: int) -> RuntimeProblem:
        text = f"`{self._labels[instance]}` would hold {size} pieces; it holds at most {limit}"
        return RuntimeProblem("R003", text)

    def arrange(self, instance: int, faces: list[int], block: Block) -> None:
        """Lay the pieces of a stack in a new order, from bottom to top."""
        offset = self._offset[instance]
        block[offset + 1 : offset + 1 + len(faces)] = [face + 1 for face in faces]

    def gaps(self, instance: int, block: Block) -> Iterator[int]:
        """The cells of the gaps of a row, from left to right."""
        offset = self._offset[instance]
        for cell in range(offset, offset + self._zone[instance].slots):
            if not block[cell]:
                yield cell


def _first(zone: Zone, offset: int) -> int:
    """The first piece cell of an ordered instance."""
    return offset + 1 if zone.order == "stack" else offset


def _end(zone: Zone, offset: int, block: Block) -> int:
    """Past the last piece cell of an ordered instance that may hold a piece now."""
    return offset + 1 + block[offset] if zone.order == "stack" else offset + zone.slots
