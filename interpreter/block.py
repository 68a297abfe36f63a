"""The state block: a list of bounded integers whose layout the game model fixes.

Cell 0 is the control point; the model says where the out flags, chance, zones, variables and
sealed picks lie. `Layout` holds what is looked up again and again, once per game model. The
canonical form of a block is bytes: each cell minus its lower bound, little-endian, in as few bytes
as its range needs.
"""

from __future__ import annotations

from typing import Any, Final

from gemwright.dsl.model.game import End, Game, Zone
from gemwright.dsl.model.traversal import nodes

Block = list[int]

Frame = list[Any]
"""The slots of one run of an action or term: int, (instance, face) or a tuple of counts."""

POINT: Final = 0
"""The cell of the control point."""

BOX: Final = "box"
"""The zone in which every piece lies before the setup."""


class Layout:
    """Tables of one game model: zone instances by number, face positions, ends, size of a frame."""

    __slots__ = (
        "ends",
        "frame_size",
        "instance_label",
        "instance_offset",
        "instance_zone",
        "instances",
        "model",
        "positions",
        "variable_cells",
        "zone_instances",
    )

    def __init__(self, model: Game) -> None:
        self.model = model
        self.instances = sum(zone.size for zone in model.zones)
        self.instance_zone: list[Zone] = []
        self.instance_offset: list[int] = []
        self.instance_label: list[str] = []
        for zone in sorted(model.zones, key=lambda zone: zone.first):
            for number, label in enumerate(zone.labels):
                self.instance_zone.append(zone)
                self.instance_offset.append(zone.offset + number * zone.stride)
                self.instance_label.append(f"{zone.name}[{label}]" if label else zone.name)
        self.positions: list[dict[int, int]] = [
            {face: position for position, face in enumerate(zone.faces)} for zone in model.zones
        ]
        self.ends: dict[str, int] = {
            point.reason: point.id for point in model.points if isinstance(point, End)
        }
        self.variable_cells = [(variable.offset, variable.size) for variable in model.variables]
        self.zone_instances = [(zone.first, zone.size) for zone in model.zones]
        self.frame_size = _frame_size(model)

    def frame(self, me: int = 0) -> Frame:
        """A fresh frame: `me` in slot 0, room for every slot of the model."""
        frame: Frame = [0] * self.frame_size
        frame[0] = me
        return frame


def initial_block(model: Game, key: int) -> Block:
    """The block before the setup: pieces in the box, variables at their start, nobody out.

    Raises:
        ValueError: there are pieces but no box that can hold them.
    """
    block = [0] * len(model.low)
    block[POINT] = model.start
    block[model.chance_offset] = key
    for variable in model.variables:
        block[variable.offset : variable.offset + variable.size] = variable.start
    box = next((zone for zone in model.zones if zone.name == BOX), None)
    for face in model.faces:
        if face.count:
            if box is None or face.id not in box.faces:
                raise ValueError(f"no box for the pieces {face.name}")
            block[box.offset + box.faces.index(face.id)] = face.count
    return block


def encode(model: Game, block: Block) -> bytes:
    """The canonical bytes of a block; equal for every engine."""
    data = bytearray()
    for low, high, value in zip(model.low, model.high, block, strict=True):
        data += (value - low).to_bytes(_width(low, high), "little")
    return bytes(data)


def decode(model: Game, data: bytes) -> Block:
    """The block of canonical bytes.

    Raises:
        ValueError: the length is wrong or a cell lies outside its range.
    """
    block: Block = []
    at = 0
    for number, (low, high) in enumerate(zip(model.low, model.high, strict=True)):
        width = _width(low, high)
        value = low + int.from_bytes(data[at : at + width], "little")
        at += width
        if value > high:
            raise ValueError(f"cell {number} ({model.cell_names[number]}) holds {value} > {high}")
        block.append(value)
    if at != len(data):
        raise ValueError(f"a state of this game has {at} bytes, not {len(data)}")
    return block


class Decoder:
    """Turns canonical bytes that an engine wrote into blocks, many of one game; it checks no
    values."""

    __slots__ = ("_lows", "_parts")

    def __init__(self, model: Game) -> None:
        self._lows = [(cell, low) for cell, low in enumerate(model.low) if low]
        self._parts: list[tuple[int, int, int]] = []
        """Runs of cells of the same width: where they begin and end, and the width."""
        at = 0
        for low, high in zip(model.low, model.high, strict=True):
            width = _width(low, high)
            if self._parts and self._parts[-1][2] == width == 1:
                self._parts[-1] = (self._parts[-1][0], at + 1, 1)
            else:
                self._parts.append((at, at + width, width))
            at += width

    def block(self, data: bytes) -> Block:
        """The block of canonical bytes."""
        block: Block = []
        for first, end, width in self._parts:
            if width == 1:
                block.extend(data[first:end])
            else:
                block.append(int.from_bytes(data[first:end], "little"))
        for cell, low in self._lows:
            block[cell] += low
        return block


def _width(low: int, high: int) -> int:
    return max(1, ((high - low).bit_length() + 7) // 8)


def _frame_size(model: Game) -> int:
    """One more than the highest slot that any term, domain, statement or parameter names."""
    highest = 0
    for node in nodes((model.points, model.actions, model.result, model.match, model.decreases)):
        for name in ("slot", "count_slot"):
            slot = getattr(node, name, None)
            highest = max(highest, slot) if isinstance(slot, int) else highest
        slots = getattr(node, "slots", None)
        highest = max(highest, slots - 1) if isinstance(slots, int) else highest
    return highest + 1
