"""Functions in the order of their calls: each stands after those that it calls."""

from __future__ import annotations

from dataclasses import replace

from gemwright.interpreter.compiled.flat.program import Call, Function, Program
from gemwright.interpreter.compiled.flat.visit import everything


def calls(function: Function) -> list[str]:
    """The functions that a function calls, in the order of its text, each once."""
    found = [each.function for each in everything(function.body) if isinstance(each, Call)]
    return list(dict.fromkeys(found))


def ordered(program: Program) -> Program:
    """The program with its functions in order; deterministic, and there is no recursion."""
    known = {function.name: function for function in program.functions}
    done: dict[str, Function] = {}
    open: set[str] = set()

    def visit(name: str) -> None:
        if name in done:
            return
        assert name not in open, f"`{name}` calls itself"
        open.add(name)
        for each in calls(known[name]):
            visit(each)
        done[name] = known[name]

    for function in program.functions:
        visit(function.name)
    return replace(program, functions=tuple(done.values()))
