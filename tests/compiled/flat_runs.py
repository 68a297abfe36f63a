"""What a flat program means, said once more and as plainly as possible: for tests of everything
that rewrites or prints one. No draws, no states: expressions, variables, arrays, control."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gemwright.interpreter.compiled.flat import program as p

OPERATIONS: Mapping[str, Callable[..., int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "min": min,
    "max": max,
    "eq": lambda a, b: int(a == b),
    "ne": lambda a, b: int(a != b),
    "lt": lambda a, b: int(a < b),
    "le": lambda a, b: int(a <= b),
    "gt": lambda a, b: int(a > b),
    "ge": lambda a, b: int(a >= b),
    "and": lambda a, b: int(bool(a) and bool(b)),
    "or": lambda a, b: int(bool(a) or bool(b)),
    "not": lambda a: int(not a),
    "select": lambda c, a, b: a if c else b,
    "bit_and": lambda a, b: a & b,
    "bit_or": lambda a, b: a | b,
    "shift_left": lambda a, b: a << b,
    "shift_right": lambda a, b: a >> b,
    "mul_low": lambda a, b: a * b % (1 << 62),
    "ones": lambda a: a.bit_count(),
}


class Left(Exception):
    """Control leaves a loop, a round of it, or the function with `value`."""

    def __init__(self, how: str, value: int = 0) -> None:
        super().__init__(how)
        self.how = how
        self.value = value


class Runs:
    """Runs functions of a program."""

    def __init__(self, program: p.Program) -> None:
        self.functions = {function.name: function for function in program.functions}
        self.tables = {table.name: table.values for table in program.tables}
        self.arrays = {a.name: list(a.start or [0] * a.length) for a in program.arrays}
        self.cells = list(program.start)

    def call(self, name: str, *args: int) -> int:
        """The value of a function, 0 if it has none. `Left('fail')` if it fails."""
        function = self.functions[name]
        frame = {var.name: arg for var, arg in zip(function.params, args, strict=True)}
        try:
            self._block(function.body, frame)
        except Left as left:
            if left.how == "return":
                return left.value
            raise
        return 0

    def value(self, expr: p.Expr, frame: Mapping[str, int]) -> int:
        """The value of an expression, which must lie in its range."""
        found = self._value(expr, frame)
        assert expr.low <= found <= expr.high, f"{expr} is {found}"
        return found

    def _value(self, expr: p.Expr, frame: Mapping[str, int]) -> int:
        if isinstance(expr, p.Const):
            return expr.low
        if isinstance(expr, p.Var):
            return frame[expr.name]
        if isinstance(expr, p.Cell):
            return self.cells[self.value(expr.index, frame)]
        if isinstance(expr, p.Item):
            return self.arrays[expr.array][self.value(expr.index, frame)]
        if isinstance(expr, p.Entry):
            return self.tables[expr.table][self.value(expr.index, frame)]
        if isinstance(expr, p.Trusted):
            return self.value(expr.value, frame)
        assert isinstance(expr, p.Op)
        return OPERATIONS[expr.name](*[self.value(arg, frame) for arg in expr.args])

    def _block(self, block: p.Block, frame: dict[str, int]) -> None:
        for each in block:
            self._statement(each, frame)

    def _statement(self, each: p.Stmt, frame: dict[str, int]) -> None:
        value = self.value
        if isinstance(each, p.Set):
            frame[each.var.name] = value(each.value, frame)
        elif isinstance(each, p.Gain):
            frame[each.var.name] += value(each.value, frame)
        elif isinstance(each, p.Store):
            self.cells[value(each.index, frame)] = value(each.value, frame)
        elif isinstance(each, p.Put):
            self.arrays[each.array][value(each.index, frame)] = value(each.value, frame)
        elif isinstance(each, p.If):
            self._block(each.then if value(each.condition, frame) else each.otherwise, frame)
        elif isinstance(each, p.For):
            numbers = range(value(each.low, frame), value(each.high, frame) + 1)
            self._loop(numbers, each.var, each.body, frame)
        elif isinstance(each, p.Bits):
            mask = value(each.mask, frame)
            bits = [at for at in range(64) if mask >> at & 1]
            self._loop(bits, each.var, each.body, frame)
        elif isinstance(each, p.Loop):
            self._loop(range(each.cap), None, each.body, frame, endless=True)
        elif isinstance(each, p.Switch):
            self._block(each.blocks[value(each.value, frame)], frame)
        elif isinstance(each, p.Call):
            found = self.call(each.function, *[value(arg, frame) for arg in each.args])
            if each.var is not None:
                frame[each.var.name] = found
        elif isinstance(each, p.Return):
            raise Left("return", 0 if each.value is None else value(each.value, frame))
        else:
            assert isinstance(each, p.Break | p.Next | p.Fail), each
            raise Left(type(each).__name__.lower())

    def _loop(
        self,
        numbers: Sequence[int],
        var: p.Var | None,
        body: p.Block,
        frame: dict[str, int],
        endless: bool = False,
    ) -> None:
        for number in numbers:
            if var is not None:
                frame[var.name] = number
            try:
                self._block(body, frame)
            except Left as left:
                if left.how == "break":
                    return
                if left.how != "next":
                    raise
        if endless:
            raise Left("fail")
