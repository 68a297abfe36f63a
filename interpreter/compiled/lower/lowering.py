"""The whole way from a game model to a flat program."""

from __future__ import annotations

from gemwright.dsl.model import game as m
from gemwright.interpreter.compiled.flat.order import ordered
from gemwright.interpreter.compiled.flat.program import Program
from gemwright.interpreter.compiled.lower.actions import Actions
from gemwright.interpreter.compiled.lower.answering import Answering
from gemwright.interpreter.compiled.lower.control import Control
from gemwright.interpreter.compiled.lower.deciding import Deciding
from gemwright.interpreter.compiled.lower.parts import Parts
from gemwright.interpreter.compiled.lower.playing import Playing
from gemwright.interpreter.compiled.lower.result import Results
from gemwright.interpreter.compiled.lower.together import Together


def lower(model: m.Game) -> Program:
    """The flat program of a game model, as it comes; passes make it fast."""
    parts = Parts(model)
    actions = Actions(parts)
    deciding = Deciding(parts, actions)
    answering = Answering(parts, actions, deciding)
    together = Together(parts, actions, deciding, answering)
    Control(parts, deciding, together).write()
    Results(parts).write()
    Playing(parts, deciding, answering, together).write()
    parts.handling.write()
    return ordered(parts.memory.maker.program(parts.memory.start_block))
