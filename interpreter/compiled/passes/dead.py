"""Dead code: values that nobody reads, functions that nobody calls, tables and arrays unused."""

from __future__ import annotations

from dataclasses import replace

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.order import calls
from gemwright.interpreter.compiled.flat.program import (
    Bits,
    Block,
    Entry,
    For,
    Function,
    Gain,
    If,
    Item,
    Program,
    Put,
    Set,
    Stmt,
)
from gemwright.interpreter.compiled.flat.visit import (
    all_expressions,
    changed,
    everything,
    expressions,
)


def remove_dead(program: Program, roots: frozenset[str], read: frozenset[str]) -> Program:
    """The program without what has no effect.

    Args:
        roots: the functions that are called from outside.
        read: the arrays that are read from outside.
    """
    program = replace(program, functions=_called(program, roots))
    while True:
        functions = tuple(_live(each) for each in program.functions)
        items = {
            expr.array
            for function in functions
            for expr in all_expressions(function.body)
            if isinstance(expr, Item)
        } | read
        functions = tuple(replace(each, body=_puts(each.body, items)) for each in functions)
        if functions == program.functions:
            break
        program = replace(program, functions=functions)
    return _trimmed(program, read)


def _called(program: Program, roots: frozenset[str]) -> tuple[Function, ...]:
    wanted = set(roots)
    for function in reversed(program.functions):
        if function.name in wanted:
            wanted |= set(calls(function))
    return tuple(each for each in program.functions if each.name in wanted)


def _live(function: Function) -> Function:
    """The function without variables that nobody reads."""
    body = function.body
    while True:
        read: set[str] = set()
        for statement in everything(body):
            for expr in expressions(statement):
                read |= ops.reads(expr)
        shorter = _without(body, read)
        if shorter == body:
            return replace(function, body=body)
        body = shorter


def _without(block: Block, read: set[str]) -> Block:
    found: list[Stmt] = []
    for each in block:
        if isinstance(each, Set | Gain) and each.var.name not in read:
            continue
        each = changed(each, lambda e: e, lambda b: _without(b, read), lambda v: v)
        if isinstance(each, For | Bits) and not each.body:
            continue
        if isinstance(each, If) and not each.then:
            if not each.otherwise:
                continue
            each = If(ops.negate(each.condition), each.otherwise)
        found.append(each)
    return tuple(found)


def _puts(block: Block, items: set[str] | frozenset[str]) -> Block:
    return tuple(
        changed(each, lambda e: e, lambda b: _puts(b, items), lambda v: v)
        for each in block
        if not (isinstance(each, Put) and each.array not in items)
    )


def _trimmed(program: Program, read: frozenset[str]) -> Program:
    tables: set[str] = set()
    arrays = set(read)
    for function in program.functions:
        for expr in all_expressions(function.body):
            if isinstance(expr, Entry):
                tables.add(expr.table)
            elif isinstance(expr, Item):
                arrays.add(expr.array)
        arrays |= {each.array for each in everything(function.body) if isinstance(each, Put)}
    return replace(
        program,
        tables=tuple(each for each in program.tables if each.name in tables),
        arrays=tuple(each for each in program.arrays if each.name in arrays),
    )
