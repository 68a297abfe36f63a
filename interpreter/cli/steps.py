"""Asks the picks of one action step by step, where its moves are too many for a menu."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType
from typing import Any

from gemwright.dsl.model import game as m
from gemwright.dsl.model.terms import Base
from gemwright.interpreter.cli.answers import Answers
from gemwright.interpreter.cli.lines import wrap
from gemwright.interpreter.cli.picks import entries, walks
from gemwright.interpreter.cli.saying import Saying, number_of
from gemwright.interpreter.cli.screen import Line, Screen
from gemwright.interpreter.cli.telling import Telling
from gemwright.interpreter.cli.typed import Reader, Typed, Unclear, words_of
from gemwright.interpreter.decision import Decision
from gemwright.interpreter.moves import PASS, Move, find_action
from gemwright.interpreter.option_space import Step

MENU = 30
"""So many moves or picks are listed with numbers; more are asked for step by step."""

_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Retyped:
    """A line that is a move of its own, typed where a pick was asked for."""

    text: str


class Steps:
    """Asks pick after pick.

    `commanded` follows a line that is a question or a command, `is_back` knows the word that begins
    the move again.
    """

    def __init__(
        self,
        screen: Screen,
        telling: Telling,
        reader: Reader,
        answers: Answers,
        commanded: Callable[[Decision, str], bool],
        is_back: Callable[[str], bool],
    ) -> None:
        self._screen = screen
        self._saying = Saying(screen)
        self._telling = telling
        self._naming = telling.naming
        self._speech = telling.speech
        self._say = telling.speech.say
        self._reader = reader
        self._answers = answers
        self._commanded = commanded
        self._is_back = is_back

    def walk(
        self, decision: Decision, name: str, picks: Mapping[str, Any] = MappingProxyType({})
    ) -> Move | Retyped | None:
        """Ask the picks of an action that are not known yet; None to begin again."""
        steps: tuple[Step, ...] = (name,)
        action = find_action(self._telling.model, name)
        for parameter in action.parameters if action else ():
            further: tuple[Step, ...] | Retyped | None
            if parameter.name in picks:
                further = self._taken(decision, steps, parameter, picks[parameter.name])
            else:
                further = self._step(decision, steps, parameter)
            if further is None or isinstance(further, Retyped):
                return further
            steps = further
        return decision.move(steps) if action else PASS

    def _step(
        self, decision: Decision, steps: tuple[Step, ...], parameter: m.Parameter
    ) -> tuple[Step, ...] | Retyped | None:
        width = len(parameter.domain.cells) if isinstance(parameter.domain, m.LotDomain) else 1
        found = list(islice(walks(decision, steps, width), MENU + 1))
        label = self._naming.label("parameters", parameter.name)
        texts = [self._pick_text(parameter, walk[len(steps) :]) for walk in found]
        if len(found) == 1:
            self._saying.tell([self._say("ask.only", name=label, value=texts[0])], "dim")
            return found[0]
        # Among numbers to choose from, a number means itself.
        numbered = len(found) <= MENU and parameter.type.base is not Base.INT
        if numbered:
            self._screen.show(
                [*self._asked(decision, steps, parameter), *self._saying.numbered(texts)]
            )
        else:
            self._screen.show(self._asked(decision, steps, parameter))
            self._many(parameter, texts)
        prompt = self._say("ask.pick_prompt", name=label)
        while True:
            text = self._screen.ask(prompt)
            if self._is_back(text):
                return None
            number = number_of(text)
            if number is not None and numbered and 1 <= number <= len(found):
                return found[number - 1]
            if self._commanded(decision, text):
                continue
            walk = self._typed(decision, steps, parameter, text)
            if walk is not None:
                return walk

    def _asked(
        self, decision: Decision, steps: tuple[Step, ...], parameter: m.Parameter
    ) -> list[Line]:
        """The question for a pick: a sentence of its own, or its name."""
        label = self._naming.label("parameters", parameter.name)
        field = f"ask {parameter.name}"
        sentence = self._telling.labels.sentence("actions", str(steps[0]), field)
        if sentence is not None:
            player = self._naming.player(decision.player, decision.player)
            label = self._speech.tell(sentence, player=player)
        return [Line(text, "title") for text in wrap(label, self._screen.width)]

    def _many(self, parameter: m.Parameter, texts: Sequence[str]) -> None:
        """What a pick may be made of, where it is not listed with numbers."""
        told: list[Line] = []
        if isinstance(parameter.domain, m.LotDomain):
            faces = [self._naming.face(face) for face in parameter.domain.faces]
            names = self._say("ask.of", names=self._speech.listed(faces))
            for text in (names, self._say("ask.lot")):
                told += [Line(line) for line in wrap(text, self._screen.width, "  ", "  ")]
        few = parameter.type.base is Base.INT and len(texts) <= MENU
        if few:
            some = self._speech.listed(texts).write("")
        else:
            first = self._speech.listed(texts[:_EXAMPLES], "lists.semicolon", "lists.semicolon")
            some = self._say("ask.examples", examples=first)
        told += [Line(text, "dim") for text in wrap(some, self._screen.width, "  ", "  ")]
        self._screen.show(told)

    def _typed(
        self, decision: Decision, steps: tuple[Step, ...], parameter: m.Parameter, text: str
    ) -> tuple[Step, ...] | Retyped | None:
        """The walk with a pick that was typed; None after saying what is wrong with it."""
        data = self._reader.pick(parameter, words_of(text))
        if isinstance(data, Unclear):
            if isinstance(self._reader.move(text), Typed):
                return Retyped(text)
            self._saying.sorry(data.text)
            return None
        return self._taken(decision, steps, parameter, data)

    def _taken(
        self, decision: Decision, steps: tuple[Step, ...], parameter: m.Parameter, data: object
    ) -> tuple[Step, ...] | None:
        """The walk with a pick that was read; None if it is not possible after the others."""
        offered = [option.step for option in decision.options(steps)]
        value = entries(self._telling.model, parameter, data, offered, self._speech)
        if isinstance(value, Unclear):
            self._saying.sorry(value.text)
            return None
        walk = steps
        for entry in value:
            if entry not in [option.step for option in decision.options(walk)]:
                self._refuse(decision, (*steps, *value), parameter)
                return None
            walk = (*walk, entry)
        return walk

    def _refuse(self, decision: Decision, steps: tuple[Step, ...], parameter: m.Parameter) -> None:
        """Say why a pick cannot be: by the rule where the move is whole, else plainly."""
        action = find_action(self._telling.model, str(steps[0]))
        if action is not None and action.parameters[-1] is parameter:
            move = decision.move(steps)
            refusal = decision.check(move)
            if refusal is not None:
                self._saying.tell(self._answers.refusal(decision, move, refusal), "bad")
                return
        self._saying.sorry(self._say("ask.back"))

    def _pick_text(self, parameter: m.Parameter, entries: Sequence[Step]) -> str:
        """A pick in words."""
        if isinstance(parameter.domain, m.LotDomain):
            counts = tuple(entry for entry in entries if isinstance(entry, int))
            return self._telling.pick(parameter, counts).write("")
        entry = entries[0]
        assert not isinstance(entry, str)
        return self._telling.pick(parameter, entry).write("")
