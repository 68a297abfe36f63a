"""Prints a flat program as C: one file, no library beyond the standard one, for any compiler.

A game that is given up goes back by `longjmp` to the call that played it. Built with `-DMAIN` the
file is a program that plays games and writes their results; else it is a library: `gw_batch` plays
games, `gw_rolls` plays one state on, `gw_state` and `gw_array_NAME` tell where memory lies, and
`gw_NAME` calls a function. It needs no more of the standard headers than `setjmp.h`, `stdint.h` and
`string.h`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from importlib.resources import files
from typing import Any, Final

from gemwright.interpreter.compiled.flat import program as p
from gemwright.interpreter.compiled.flat.visit import everything, target
from gemwright.interpreter.compiled.printers.c_values import (
    INT,
    LONG,
    Values,
    constant,
    local,
    natural,
    stored,
    type_of,
)
from gemwright.interpreter.compiled.printers.layout import Layout

_PLAYS: Final = frozenset({"play", "resume", "roll"})
"""Functions that a program has which plays games."""


def c_source(program: p.Program, exported: Collection[str]) -> str:
    """The source; `exported` functions are also known outside, as `gw_NAME`."""
    layout = Layout(program)
    parts = [f"/* {program.name} for {program.players} players, printed by gemwright. */", ""]
    parts += _constants(layout)
    parts += [files(__package__).joinpath("prelude.c").read_text("utf-8"), ""]
    parts += _memory(layout)
    reasons: dict[str, int] = {}
    for function in program.functions:
        parts += [*_Function(function, layout, reasons).lines(), ""]
    for function in program.functions:
        if function.name in exported:
            parts += [*_export(function), ""]
    texts = ", ".join(f'"{reason}"' for reason in reasons) or '""'
    parts += [f"static const char *const REASONS[] = {{{texts}}};"]
    parts += ["const char *gw_reason(void) { return REASONS[reason]; }", ""]
    if {function.name for function in program.functions} >= _PLAYS:
        parts += [files(__package__).joinpath("games.c").read_text("utf-8")]
    return "\n".join(parts)


def _constants(layout: Layout) -> list[str]:
    program = layout.program
    return [
        f"#define STATE {layout.state_bytes}",
        f"#define RECORD {layout.record_bytes}",
        f"#define SEATS {program.players}",
        f"#define KEY {layout.offsets[program.chance]}",
        f"#define TICK {layout.offsets[program.chance + 1]}",
        "",
    ]


def _memory(layout: Layout) -> list[str]:
    """The image of the state, tables, arrays, and what begins a game."""
    program = layout.program
    image = ", ".join(str(byte) for byte in layout.state(program.start))
    lines = [f"static const uint8_t START[STATE] = {{{image}}};"]
    for table in program.tables:
        kind = stored(layout.tables[table.name])
        values = ", ".join(constant(value) for value in table.values)
        lines.append(f"static const {kind} T_{table.name}[] = {{{values}}};")
    begins: list[str] = []
    for array in program.arrays:
        kind = stored(layout.arrays[array.name])
        lines.append(f"static {kind} A_{array.name}[{array.length}];")
        if array.start:
            values = ", ".join(constant(value) for value in array.start)
            lines.append(f"static const {kind} B_{array.name}[] = {{{values}}};")
            begins.append(f"    memcpy(A_{array.name}, B_{array.name}, sizeof A_{array.name});")
    lines += ["", "static void begin(int64_t number) {", "    memcpy(s, START, STATE);"]
    lines += [*begins, "    restart(number);", "}", ""]
    if "record" in layout.arrays:
        lines += ["static const void *record(void) { return A_record; }", ""]
    for array in program.arrays:
        lines.append(f"void *gw_array_{array.name}(void) {{ return A_{array.name}; }}")
    return [*lines, ""]


def _export(function: p.Function) -> list[str]:
    """A function that sets `*failed` if the game is given up."""
    params = [f"{natural(var)} {local(var)}" for var in function.params]
    args = ", ".join(local(var) for var in function.params)
    call = f"f_{function.name}({args})"
    body = f"{call}; return 0;" if function.result is None else f"return {call};"
    return [
        f"int64_t gw_{function.name}({', '.join([*params, 'int *failed'])}) {{",
        "    *failed = 0;",
        "    if (setjmp(out)) {",
        "        *failed = 1;",
        "        return 0;",
        "    }",
        f"    {body}",
        "}",
    ]


class _Function:
    """Prints one function."""

    def __init__(self, function: p.Function, layout: Layout, reasons: dict[str, int]) -> None:
        self._function = function
        self._layout = layout
        self._values = Values(layout)
        self._reasons = reasons
        self._lines: list[str] = []
        self._depth = 1
        self._made = 0
        self._loops: list[int] = []
        self._labels: set[str] = set()
        self._types = self._declared()

    def _declared(self) -> dict[str, str]:
        types = {var.name: natural(var) for var in self._function.params}
        for statement in everything(self._function.body):
            var = target(statement)
            if var is not None and types.get(var.name) != LONG:
                types[var.name] = natural(var)
        return types

    def lines(self) -> list[str]:
        """The lines of the function."""
        function = self._function
        result = "void" if function.result is None else type_of(*function.result)
        params = ", ".join(f"{natural(var)} {local(var)}" for var in function.params) or "void"
        given = {var.name for var in function.params}
        own = [f"    {type} v_{name};" for name, type in self._types.items() if name not in given]
        for each in function.body:
            self._statement(each)
        if function.result is not None:
            self._line("__builtin_unreachable();")
        head = f"static {result} f_{function.name}({params}) {{"
        return [head, *own, *self._lines, "}"]

    def _line(self, text: str) -> None:
        self._lines.append("    " * self._depth + text)

    def _statement(self, each: p.Stmt) -> None:
        _STATEMENTS[type(each)](self, each)

    def _block(self, block: p.Block) -> None:
        self._depth += 1
        for each in block:
            self._statement(each)
        self._depth -= 1

    def _text(self, expr: p.Expr, type: str | None = None) -> str:
        return self._values.text(expr, type)

    def _number(self) -> int:
        self._made += 1
        return self._made

    # -- statements

    def _set(self, each: p.Set) -> None:
        self._line(f"{local(each.var)} = {self._text(each.value)};")

    def _gain(self, each: p.Gain) -> None:
        self._line(f"{local(each.var)} += {self._text(each.value)};")

    def _store(self, each: p.Store) -> None:
        runs = self._layout.runs(each.first, each.last)
        for number, run in enumerate(runs):
            last = number + 1 == len(runs)
            test = "" if last else f"if ({self._text(each.index)} <= {run.last}) "
            value = f"{self._text(each.value, LONG)} - {constant(run.low)}"
            if run.width == 1:
                value = self._text(each.value)
                if run.low:
                    value += f" - {constant(run.low)}"
                store = f"s[{self._values.address(each.index, run)}] = (uint8_t)({value});"
            else:
                at = self._values.address(each.index, run)
                store = f"store{run.width}({at}, (uint64_t)({value}));"
            self._line(f"{test}{store}" + ("" if last else " else"))

    def _put(self, each: p.Put) -> None:
        self._line(f"A_{each.array}[{self._text(each.index)}] = {self._text(each.value)};")

    def _if(self, each: p.If) -> None:
        self._line(f"if ({self._text(each.condition)}) {{")
        self._block(each.then)
        if each.otherwise:
            self._line("} else {")
            self._block(each.otherwise)
        self._line("}")

    def _loop_body(self, body: p.Block) -> None:
        """The body of a loop with labels to go on and to leave, where somebody does."""
        number = self._number()
        self._loops.append(number)
        self._block(body)
        self._loops.pop()
        if f"next{number}" in self._labels:
            self._line(f"next{number}:;")

    def _after_loop(self, number: int) -> None:
        if f"done{number}" in self._labels:
            self._line(f"done{number}:;")

    def _for(self, each: p.For) -> None:
        name, type = local(each.var), self._types[each.var.name]
        last = f"last{self._number()}"
        self._rounds(
            each.body,
            f"{type} {last} = {self._text(each.high, type)};",
            f"for ({name} = {self._text(each.low, type)}; {name} <= {last}; {name}++) {{",
        )

    def _bits(self, each: p.Bits) -> None:
        mask = f"mask{self._number()}"
        self._rounds(
            each.body,
            f"uint64_t {mask} = (uint64_t){self._text(each.mask)};",
            f"for (; {mask}; {mask} &= {mask} - 1) {{",
            f"    {local(each.var)} = __builtin_ctzll({mask});",
        )

    def _loop(self, each: p.Loop) -> None:
        rounds = f"rounds{self._number()}"
        self._rounds(
            each.body,
            f"int32_t {rounds};",
            f"for ({rounds} = 0;; {rounds}++) {{",
            f"    if ({rounds} == {each.cap}) {self._give_up('a loop goes on for too long')}",
        )

    def _rounds(self, body: p.Block, *head: str) -> None:
        """A loop in a scope of its own: what counts its rounds, its head, its body."""
        self._line("{")
        self._depth += 1
        for line in head:
            self._line(line)
        inner = self._made + 1
        self._loop_body(body)
        self._line("}")
        self._after_loop(inner)
        self._depth -= 1
        self._line("}")

    def _break(self, each: p.Break) -> None:
        self._go_to(f"done{self._loops[-1]}")

    def _next(self, each: p.Next) -> None:
        self._go_to(f"next{self._loops[-1]}")

    def _go_to(self, label: str) -> None:
        self._labels.add(label)
        self._line(f"goto {label};")

    def _switch(self, each: p.Switch) -> None:
        self._line(f"switch ({self._text(each.value)}) {{")
        for number, block in enumerate(each.blocks):
            last = number + 1 == len(each.blocks)
            self._line("default: {" if last else f"case {number}: {{")
            self._block(block)
            self._line("    break;")
            self._line("}")
        self._line("}")

    def _return(self, each: p.Return) -> None:
        self._line("return;" if each.value is None else f"return {self._text(each.value)};")

    def _call(self, each: p.Call) -> None:
        args = ", ".join(self._text(arg) for arg in each.args)
        call = f"f_{each.function}({args});"
        self._line(call if each.var is None else f"{local(each.var)} = {call}")

    def _draw(self, each: p.Draw) -> None:
        stream, n = self._text(each.stream, INT), self._text(each.n, LONG)
        wide = "_wide" if each.n.high > 1 << 32 else ""
        type = self._types[each.var.name]
        self._line(f"{local(each.var)} = ({type})draw{wide}({stream}, (uint64_t)({n}));")

    def _begin(self, each: p.Begin) -> None:
        self._line(f"begin({self._text(each.number, LONG)});")

    def _keep(self, each: p.Keep) -> None:
        self._line("keep(record());")

    def _fail(self, each: p.Fail) -> None:
        self._line(self._give_up(each.reason))

    def _give_up(self, reason: str) -> str:
        number = self._reasons.setdefault(reason, len(self._reasons))
        return f"give_up({number});"


_STATEMENTS: Final[Mapping[type, Callable[[_Function, Any], None]]] = {
    p.Set: _Function._set,
    p.Gain: _Function._gain,
    p.Store: _Function._store,
    p.Put: _Function._put,
    p.If: _Function._if,
    p.For: _Function._for,
    p.Bits: _Function._bits,
    p.Loop: _Function._loop,
    p.Break: _Function._break,
    p.Next: _Function._next,
    p.Switch: _Function._switch,
    p.Return: _Function._return,
    p.Call: _Function._call,
    p.Draw: _Function._draw,
    p.Begin: _Function._begin,
    p.Keep: _Function._keep,
    p.Fail: _Function._fail,
}
