"""WebAssembly in binary form: bytes of instructions, functions and modules.

Only what the printer needs, after the core specification 2.0 (bulk memory included). Alignment
hints are 0: cells lie where the canonical form puts them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

I32: Final = 0x7F
I64: Final = 0x7E

PAGE: Final = 1 << 16

_EMPTY: Final = 0x40

_PLAIN: Final = {
    "unreachable": 0x00,
    "else": 0x05,
    "end": 0x0B,
    "return": 0x0F,
    "drop": 0x1A,
    "select": 0x1B,
    "i32.eqz": 0x45,
    "i32.eq": 0x46,
    "i32.ne": 0x47,
    "i32.lt": 0x48,
    "i32.gt": 0x4A,
    "i32.gt_u": 0x4B,
    "i32.le": 0x4C,
    "i32.ge": 0x4E,
    "i32.ge_u": 0x4F,
    "i64.eqz": 0x50,
    "i64.eq": 0x51,
    "i64.ne": 0x52,
    "i64.lt": 0x53,
    "i64.gt": 0x55,
    "i64.le": 0x57,
    "i64.ge": 0x59,
    "i32.ctz": 0x68,
    "i32.ones": 0x69,
    "i32.add": 0x6A,
    "i32.sub": 0x6B,
    "i32.mul": 0x6C,
    "i32.and": 0x71,
    "i32.or": 0x72,
    "i32.shl": 0x74,
    "i32.shr": 0x76,
    "i64.ctz": 0x7A,
    "i64.ones": 0x7B,
    "i64.add": 0x7C,
    "i64.sub": 0x7D,
    "i64.mul": 0x7E,
    "i64.and": 0x83,
    "i64.or": 0x84,
    "i64.xor": 0x85,
    "i64.shl": 0x86,
    "i64.shr": 0x88,
    "i32.wrap": 0xA7,
    "i64.extend": 0xAC,
    "i64.extend_u": 0xAD,
}
"""Instructions without operands; comparisons are signed and shifts to the right are not."""

_LOADS: Final = {
    (I32, 1, False): 0x2D,
    (I32, 1, True): 0x2C,
    (I32, 2, False): 0x2F,
    (I32, 2, True): 0x2E,
    (I32, 4, False): 0x28,
    (I32, 4, True): 0x28,
    (I64, 1, False): 0x31,
    (I64, 1, True): 0x30,
    (I64, 2, False): 0x33,
    (I64, 2, True): 0x32,
    (I64, 4, False): 0x35,
    (I64, 4, True): 0x34,
    (I64, 8, False): 0x29,
    (I64, 8, True): 0x29,
}
_STORES: Final = {
    (I32, 1): 0x3A,
    (I32, 2): 0x3B,
    (I32, 4): 0x36,
    (I64, 1): 0x3C,
    (I64, 2): 0x3D,
    (I64, 4): 0x3E,
    (I64, 8): 0x37,
}


def unsigned(value: int) -> bytes:
    """An unsigned number in LEB128."""
    data = bytearray()
    while True:
        low, value = value & 0x7F, value >> 7
        data.append(low | 0x80 if value else low)
        if not value:
            return bytes(data)


def signed(value: int) -> bytes:
    """A signed number in LEB128."""
    data = bytearray()
    while True:
        low, value = value & 0x7F, value >> 7
        last = (value == 0 and not low & 0x40) or (value == -1 and low & 0x40)
        data.append(low if last else low | 0x80)
        if last:
            return bytes(data)


class Code:
    """The instructions of one function. Labels are counted from the outside, from 0."""

    def __init__(self) -> None:
        self._data = bytearray()
        self.depth = 0

    def bytes(self) -> bytes:
        """What was written."""
        return bytes(self._data)

    def plain(self, *names: str) -> None:
        """Instructions without operands."""
        for name in names:
            self._data.append(_PLAIN[name])
            if name == "end":
                self.depth -= 1

    def const(self, type: int, value: int) -> None:
        """A constant."""
        self._data.append(0x41 if type == I32 else 0x42)
        self._data += signed(value)

    def get(self, local: int) -> None:
        """Read a local variable."""
        self._data.append(0x20)
        self._data += unsigned(local)

    def set(self, local: int) -> None:
        """Set a local variable."""
        self._data.append(0x21)
        self._data += unsigned(local)

    def tee(self, local: int) -> None:
        """Set a local variable and keep the value."""
        self._data.append(0x22)
        self._data += unsigned(local)

    def get_global(self, number: int) -> None:
        """Read a global variable."""
        self._data.append(0x23)
        self._data += unsigned(number)

    def set_global(self, number: int) -> None:
        """Set a global variable."""
        self._data.append(0x24)
        self._data += unsigned(number)

    def load(self, type: int, width: int, signed: bool, offset: int) -> None:
        """Read memory."""
        self._data.append(_LOADS[type, width, signed])
        self._data += b"\0" + unsigned(offset)

    def store(self, type: int, width: int, offset: int) -> None:
        """Write memory."""
        self._data.append(_STORES[type, width])
        self._data += b"\0" + unsigned(offset)

    def copy_memory(self) -> None:
        """Copy bytes: (to, from, length)."""
        self._data += b"\xfc\x0a\0\0"

    def call(self, function: int) -> None:
        """Call a function."""
        self._data.append(0x10)
        self._data += unsigned(function)

    def block(self) -> int:
        """Begin a block: its label."""
        return self._begin(0x02)

    def loop(self) -> int:
        """Begin a loop: its label."""
        return self._begin(0x03)

    def if_(self) -> int:
        """Begin an `if`: its label."""
        return self._begin(0x04)

    def _begin(self, code: int) -> int:
        self._data += bytes((code, _EMPTY))
        self.depth += 1
        return self.depth - 1

    def branch(self, label: int) -> None:
        """Go to a label."""
        self._data.append(0x0C)
        self._data += unsigned(self.depth - 1 - label)

    def branch_if(self, label: int) -> None:
        """Go to a label if the flag on the stack is set."""
        self._data.append(0x0D)
        self._data += unsigned(self.depth - 1 - label)

    def branch_table(self, labels: Sequence[int], default: int) -> None:
        """Go to the label of the number on the stack."""
        self._data.append(0x0E)
        self._data += unsigned(len(labels))
        for label in (*labels, default):
            self._data += unsigned(self.depth - 1 - label)


def vector(items: Sequence[bytes]) -> bytes:
    """Items with their number."""
    return unsigned(len(items)) + b"".join(items)


def _sized(data: bytes) -> bytes:
    return unsigned(len(data)) + data


def _name(text: str) -> bytes:
    return _sized(text.encode())


class Module:
    """A module with functions, one memory, globals of 32 bits and bytes of memory."""

    def __init__(self) -> None:
        self._types: dict[bytes, int] = {}
        self._functions: list[bytes] = []
        self._bodies: list[bytes] = []
        self._exports: list[bytes] = []
        self._globals: list[bytes] = []
        self._data: list[bytes] = []

    def function(
        self, params: Sequence[int], results: Sequence[int], locals: Sequence[int], code: Code
    ) -> int:
        """Add a function: its number. `locals` are the types of its variables."""
        type = b"\x60" + vector([bytes((each,)) for each in params])
        type += vector([bytes((each,)) for each in results])
        self._functions.append(unsigned(self._types.setdefault(type, len(self._types))))
        body = vector(_grouped(locals)) + code.bytes() + b"\x0b"
        self._bodies.append(_sized(body))
        return len(self._functions) - 1

    def export(self, name: str, function: int) -> None:
        """Make a function known outside."""
        self._exports.append(_name(name) + b"\0" + unsigned(function))

    def global_i32(self, value: int) -> int:
        """Add a global variable: its number."""
        self._globals.append(bytes((I32, 1)) + b"\x41" + signed(value) + b"\x0b")
        return len(self._globals) - 1

    def data(self, address: int, data: bytes) -> None:
        """Bytes that lie in memory from the start."""
        self._data.append(b"\0\x41" + signed(address) + b"\x0b" + _sized(data))

    def binary(self, pages: int, most_pages: int) -> bytes:
        """The module; its memory has `pages` at first and never more than `most_pages`."""
        exports = [*self._exports, _name("memory") + b"\x02\0"]
        sections = [
            (1, vector(list(self._types))),
            (3, vector(self._functions)),
            (5, vector([b"\x01" + unsigned(pages) + unsigned(most_pages)])),
            (6, vector(self._globals)),
            (7, vector(exports)),
            (10, vector(self._bodies)),
            (11, vector(self._data)),
        ]
        data = b"\0asm\x01\0\0\0"
        for number, content in sections:
            data += bytes((number,)) + _sized(content)
        return data


def _grouped(locals: Sequence[int]) -> list[bytes]:
    """Local variables as (how many, type) groups."""
    groups: list[tuple[int, int]] = []
    for type in locals:
        if groups and groups[-1][1] == type:
            groups[-1] = (groups[-1][0] + 1, type)
        else:
            groups.append((1, type))
    return [unsigned(n) + bytes((type,)) for n, type in groups]
