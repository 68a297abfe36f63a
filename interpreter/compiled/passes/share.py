"""Sharing: what is worked out twice is worked out once, and in loops before the loop if it can be.

Machines below do some of this themselves, but none of them knows that two arrays never overlap.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.effects import NOTHING, Effects, Touched, Writes, read_by
from gemwright.interpreter.compiled.flat.ops import Reader
from gemwright.interpreter.compiled.flat.program import (
    Bits,
    Block,
    Cell,
    Const,
    Entry,
    Expr,
    For,
    Function,
    Item,
    Loop,
    Op,
    Program,
    Set,
    Stmt,
    Trusted,
    Var,
)
from gemwright.interpreter.compiled.flat.visit import (
    blocks,
    changed,
    everything,
    expressions,
    same_var,
    target,
    with_blocks,
)
from gemwright.interpreter.compiled.passes.names import times_set

CHEAP: Final = 3
"""Expressions of fewer nodes without a read of memory are not shared."""


def share(program: Program) -> Program:
    """The program with common expressions shared."""
    effects = Effects()
    reader = Reader(program)
    functions = []
    for function in program.functions:
        functions.append(_Sharer(function, effects, reader).shared())
        effects.add(function)
    return replace(program, functions=tuple(functions))


@dataclass(frozen=True, slots=True)
class _Facts:
    """What one expression reads, how large it is, and whether its place protects it."""

    number: int
    size: int
    variables: frozenset[str]
    memory: Touched
    guarded: bool
    """It reads memory at an index that is trusted, perhaps because of a test before."""


class _Numbers:
    """Numbers expressions: equal ones alike."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], _Facts] = {}
        self._by_object: dict[int, tuple[Expr, _Facts]] = {}

    def of(self, expr: Expr) -> _Facts:
        """The facts of an expression."""
        kept = self._by_object.get(id(expr))
        if kept is not None:
            return kept[1]
        facts = self._facts(expr)
        self._by_object[id(expr)] = (expr, facts)
        return facts

    def _facts(self, expr: Expr) -> _Facts:
        inner = [self.of(each) for each in ops.inner(expr)]
        key = (type(expr), *_own(expr), *(each.number for each in inner))
        found = self._known.get(key)
        if found is not None:
            return found
        variables = frozenset((expr.name,)) if isinstance(expr, Var) else frozenset[str]()
        memory = read_by(expr)
        guarded = isinstance(expr, Trusted)
        for each in inner:
            variables |= each.variables
            memory |= each.memory
            guarded = guarded or each.guarded
        size = 1 + sum(each.size for each in inner)
        found = _Facts(len(self._known), size, variables, memory, guarded)
        self._known[key] = found
        return found


def _own(expr: Expr) -> tuple[object, ...]:
    """What tells an expression from others with the same parts."""
    if isinstance(expr, Const | Trusted):
        return (expr.low, expr.high)
    if isinstance(expr, Var):
        return (expr.name, expr.low, expr.high)
    if isinstance(expr, Cell):
        return (expr.first, expr.last)
    if isinstance(expr, Item):
        return (expr.array,)
    if isinstance(expr, Entry):
        return (expr.table,)
    return (expr.name,) if isinstance(expr, Op) else ()


@dataclass(frozen=True, slots=True)
class _Kept:
    """A variable that holds an expression."""

    var: Var
    facts: _Facts


class _Sharer:
    """Shares the expressions of one function."""

    def __init__(self, function: Function, effects: Effects, reader: Reader) -> None:
        self._function = function
        self._effects = effects
        self._reader = reader
        self._numbers = _Numbers()
        self._made = 0
        times = times_set(function.body)
        self._changing = {name for name, n in times.items() if n > 1}
        self._writes: dict[int, tuple[Stmt, Writes]] = {}
        self._times: Counter[int] = Counter()
        for statement in everything(function.body):
            for expr in expressions(statement):
                self._count(expr)

    def _count(self, expr: Expr) -> None:
        facts = self._numbers.of(expr)
        self._times[facts.number] += 1
        # Parts of a repeated expression are counted where it comes first only.
        if self._times[facts.number] == 1:
            for each in ops.inner(expr):
                self._count(each)

    def shared(self) -> Function:
        """The function."""
        return replace(self._function, body=self._block(self._function.body, {}))

    def _block(self, block: Block, known: dict[int, _Kept]) -> Block:
        known = dict(known)
        found: list[Stmt] = []
        for each in block:
            self._statement(each, known, found)
        return tuple(found)

    def _statement(self, each: Stmt, known: dict[int, _Kept], found: list[Stmt]) -> None:
        if isinstance(each, For | Bits | Loop):
            self._loop(each, known, found)
            return
        after = changed(
            each, lambda expr: self._expr(expr, known, found), lambda block: block, same_var
        )
        found.append(with_blocks(after, lambda block: self._block(block, known)))
        self._forget(each, known)
        if isinstance(each, Set):
            self._remember(each, known)

    def _remember(self, each: Set, known: dict[int, _Kept]) -> None:
        """A variable that is set holds its value for those who ask for the same."""
        facts = self._numbers.of(each.value)
        value, var = each.value, each.var
        same = (var.low, var.high) == (value.low, value.high)
        if same and var.name not in facts.variables and self._is_worth(value, facts):
            known.setdefault(facts.number, _Kept(each.var, facts))

    def _loop(self, each: For | Bits | Loop, known: dict[int, _Kept], found: list[Stmt]) -> None:
        after = changed(
            each, lambda expr: self._expr(expr, known, found), lambda block: block, same_var
        )
        writes = self._written(each)
        self._drop(known, writes.memory, writes.variables)
        for statement in each.body:
            for expr in expressions(statement):
                self._hoist(expr, writes.memory, writes.variables, known, found)
        assert isinstance(after, For | Bits | Loop)
        found.append(replace(after, body=self._block(each.body, known)))

    def _hoist(
        self,
        expr: Expr,
        memory: Touched,
        variables: set[str],
        known: dict[int, _Kept],
        found: list[Stmt],
    ) -> None:
        """Work out before a loop what every round would work out alike."""
        facts = self._numbers.of(expr)
        steady = not (facts.variables & variables) and not facts.memory.meets(memory)
        if steady and not facts.guarded and self._is_worth(expr, facts):
            self._keep(expr, facts, known, found)
            return
        for each in ops.inner(expr):
            self._hoist(each, memory, variables, known, found)

    def _is_worth(self, expr: Expr, facts: _Facts) -> bool:
        if isinstance(expr, Var | Const):
            return False
        return facts.size >= CHEAP or isinstance(expr, Cell | Item | Entry)

    # -- expressions

    def _expr(self, expr: Expr, known: dict[int, _Kept], found: list[Stmt]) -> Expr:
        facts = self._numbers.of(expr)
        kept = known.get(facts.number)
        if kept is not None:
            return kept.var
        if self._times[facts.number] > 1 and self._is_worth(expr, facts):
            return self._keep(expr, facts, known, found)
        return ops.rebuilt(expr, lambda each: self._expr(each, known, found), self._reader)

    def _keep(self, expr: Expr, facts: _Facts, known: dict[int, _Kept], found: list[Stmt]) -> Expr:
        kept = known.get(facts.number)
        if kept is not None:
            return kept.var
        value = ops.rebuilt(expr, lambda each: self._expr(each, known, found), self._reader)
        self._made += 1
        var = Var(value.low, value.high, f"shared_{self._made}")
        found.append(Set(var, value))
        known[facts.number] = _Kept(var, facts)
        return var

    # -- what ends

    def _forget(self, each: Stmt, known: dict[int, _Kept]) -> None:
        writes = self._written(each)
        # Nobody can have asked before for what reads a variable that is set only here.
        variables = writes.variables & self._changing
        if writes.memory or variables:
            self._drop(known, writes.memory, variables)

    def _written(self, each: Stmt) -> Writes:
        """What a statement writes; worked out once, from what its blocks write."""
        kept = self._writes.get(id(each))
        if kept is not None:
            return kept[1]
        found = Writes(self._effects.by(each))
        var = target(each)
        if var is not None:
            found.variables.add(var.name)
        for block in blocks(each):
            for inner in block:
                more = self._written(inner)
                found.variables |= more.variables
                if more.memory:
                    found.memory |= more.memory
        self._writes[id(each)] = (each, found)
        return found

    def _drop(self, known: dict[int, _Kept], memory: Touched, variables: set[str]) -> None:
        """Forget what depends on memory or variables that are written."""
        gone = [
            number
            for number, kept in known.items()
            if kept.facts.variables & variables
            or kept.var.name in variables
            or (memory is not NOTHING and kept.facts.memory.meets(memory))
        ]
        for number in gone:
            del known[number]
