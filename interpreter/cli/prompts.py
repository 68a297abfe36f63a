"""Asks a person for one move: by number, by name, or step by step.

Nothing that is typed changes the game before a whole legal move stands: whatever cannot be
understood or is not legal gets an answer, and the question is asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Any

from gemwright.dsl import model as m
from gemwright.dsl.label_vocabulary import phase_key
from gemwright.dsl.terms import Base
from gemwright.interpreter.cli.answers import Answers
from gemwright.interpreter.cli.lines import wrap
from gemwright.interpreter.cli.picks import entries, walks
from gemwright.interpreter.cli.screen import Line, Screen
from gemwright.interpreter.cli.telling import Telling
from gemwright.interpreter.cli.typed import Reader, Typed, Unclear, normal, words_of
from gemwright.interpreter.decision import Decision, Step
from gemwright.interpreter.moves import PASS, Move, move_from_json

MENU = 30
"""So many moves or picks are listed with numbers; more are asked for step by step."""

_EXAMPLES = 3


Command = Callable[[str], None]
"""Something that a person may ask beside a move; it takes the words after its name."""


class Asker:
    """Asks the decisions of one game model."""

    def __init__(
        self,
        screen: Screen,
        telling: Telling,
        commands: Mapping[str, Command],
        answers: Answers,
    ) -> None:
        """`commands` by the keys that their words have in the catalogue."""
        self._screen = screen
        self._telling = telling
        self._naming = telling.naming
        self._speech = telling.speech
        self._say = telling.speech.say
        self._reader = Reader(telling.model, telling.labels, telling.speech)
        self._answers = answers
        inner = ("help", "why", "moves", "back")
        self._commands = dict(commands)
        self._words = {normal(self._say(f"commands.{key}")): key for key in (*inner, *commands)}
        self._words |= {key: key for key in (*inner, *commands)} | {"?": "help"}

    def ask(self, decision: Decision) -> Move:
        """A legal move.

        Raises:
            EndOfInput, KeyboardInterrupt: the person left; nothing was chosen.
        """
        count = decision.count()
        menu = list(decision.moves(MENU)) if count <= MENU else []
        self._offer(decision, menu, count)
        prompt = self._say("ask.prompt", player=self._naming.player(decision.player))
        while True:
            text = self._screen.ask(prompt)
            if not text and count == 1:
                return menu[0]
            move = self._answer(decision, menu, count, text)
            if move is not None:
                return move

    def _offer(self, decision: Decision, menu: Sequence[Move], count: int) -> None:
        lines = [Line(text, "title") for text in wrap(self._question(decision), self._screen.width)]
        if menu:
            moves = [self._telling.move(move, decision.player) for move in menu]
            lines += self._numbered(moves)
        else:
            lines += self._numbered([self._described(name) for name in self._names(decision)])
            number = self._speech.number(count)
            lines.append(Line("  " + self._say("ask.count", number=number, count=count), "dim"))
        hint = self._say("ask.hint_only" if count == 1 else "ask.hint")
        lines += [Line(text, "dim") for text in wrap(hint, self._screen.width, "  ", "  ")]
        self._screen.show(lines)

    def _question(self, decision: Decision) -> str:
        """What is asked: by the sentence of the phase, if it has one."""
        key = phase_key(decision.phase)
        sentence = self._telling.labels.sentence("phases", key, "ask")
        if sentence is None:
            return self._say("ask.menu")
        return self._speech.tell(
            sentence, player=self._naming.player(decision.player, decision.player)
        )

    def _names(self, decision: Decision) -> list[str]:
        return [*decision.actions, *([m.PASS_ACTION] if decision.can_pass else [])]

    def _described(self, name: str) -> str:
        """An action with what it asks for."""
        action = self._action(name)
        title = self._telling.action(name)
        if action is None or not action.parameters:
            return title
        picks = [self._naming.label("parameters", each.name) for each in action.parameters]
        return self._say("ask.described", action=title, picks=self._speech.listed(picks))

    def _action(self, name: str) -> m.Action | None:
        return next((each for each in self._telling.model.actions if each.name == name), None)

    # -- answers

    def _answer(
        self, decision: Decision, menu: Sequence[Move], count: int, text: str
    ) -> Move | None:
        """Follow one line; a move if it is one."""
        if self._commanded(decision, text):
            return None
        choices: Sequence[Move | str] = menu or self._names(decision)
        number = _number(text)
        if number is not None:
            if not 1 <= number <= len(choices):
                self._sorry(self._say("ask.no_number", number=number, last=len(choices)))
                return None
            choice = choices[number - 1]
            return choice if isinstance(choice, Move) else self._walk(decision, choice)
        return self._named(decision, text)

    def _named(self, decision: Decision, text: str) -> Move | None:
        """A move by name; an action alone is asked further."""
        found = self._reader.move(text)
        if isinstance(found, Unclear):
            self._sorry(found.text)
            return None
        if found.missing and found.action in decision.actions:
            return self._walk(decision, found.action, found.picks)
        if found.missing:
            action = self._telling.action(found.action)
            self._sorry(self._say("ask.not_now", action=action))
            return None
        move = self._move(decision, found)
        if isinstance(move, Unclear):
            self._sorry(move.text)
            return None
        return move if self._legal(decision, move) else None

    def _move(self, decision: Decision, typed: Typed) -> Move | Unclear:
        """The move that was typed, legal or not; or what is wrong with it."""
        if typed.lacking:
            action = self._telling.action(typed.action)
            name = self._naming.label("parameters", typed.lacking)
            return Unclear(self._say("typed.lacks", action=action, name=name))
        move = move_from_json(self._telling.model, decision.player, typed.data)
        return Unclear(move) if isinstance(move, str) else move

    def _legal(self, decision: Decision, move: Move) -> bool:
        refusal = decision.check(move)
        if refusal is not None:
            self._tell(self._answers.refusal(decision, move, refusal), "bad")
        return refusal is None

    # -- commands

    def _commanded(self, decision: Decision, text: str) -> bool:
        """Whether a line was a question or a command, answered now.

        A word that is also an action is the action; with a colon before it, the command.
        """
        word, _, rest = text.partition(" ")
        named = not isinstance(self._reader.action(words_of(word.removeprefix(":"))), Unclear)
        plain = normal(word.removeprefix(":"))
        command = self._words.get(plain, "") if text.startswith(":") or not named else ""
        if not text:
            self._sorry(self._say("ask.say_move"))
        elif command == "help":
            self._help(decision)
        elif command == "why":
            self._why(decision, rest)
        elif command == "moves":
            self._list(decision)
        elif command in self._commands:
            self._commands[command](rest.strip())
        else:
            return False
        return True

    def _help(self, decision: Decision) -> None:
        rows = [self._say("commands.help_number")]
        for name in self._names(decision):
            rows.append(f"{self._telling.action(name)}{self._usage(name)}")
        keys = ("why", "moves", *self._commands, "back")
        rows += [self._say(f"commands.help_{key}") for key in keys]
        self._tell(rows)

    def _usage(self, name: str) -> str:
        """How to type the picks of an action."""
        action = self._action(name)
        parts = []
        for parameter in action.parameters if action else ():
            label = self._naming.label("parameters", parameter.name)
            parts.append(f" {label} {self._example(parameter)}")
        return "".join(parts)

    def _example(self, parameter: m.Parameter) -> str:
        domain = parameter.domain
        if isinstance(domain, m.LotDomain):
            names = [self._naming.face(face).write("") for face in domain.faces[:2]]
            return " ".join(f"{name}={2 - n}" for n, name in enumerate(names))
        if isinstance(domain, m.PieceDomain):
            if not domain.faces:
                return self._say("commands.example_piece")
            return self._naming.face(domain.faces[0]).write("")
        known = {
            Base.PLAYER: self._naming.player(1).write(""),
            Base.FLAG: self._say("values.yes"),
            Base.INT: str(domain.low),
        }
        return known.get(parameter.type.base, self._say("commands.example_name"))

    def _why(self, decision: Decision, text: str) -> None:
        if not text.strip():
            self._sorry(self._say("ask.say_why"))
            return
        typed = self._reader.move(text)
        move = typed if isinstance(typed, Unclear) else self._move(decision, typed)
        if isinstance(move, Unclear):
            self._sorry(move.text)
        elif self._legal(decision, move):
            told = self._telling.move(move, decision.player)
            self._tell([self._say("ask.possible", move=told)], "good")

    def _list(self, decision: Decision) -> None:
        shown = [self._telling.move(move, decision.player) for move in decision.moves(2 * MENU)]
        left = decision.count() - len(shown)
        # Numbers only where a number may be typed.
        if len(shown) <= MENU and not left:
            self._screen.show(self._numbered(shown))
        else:
            more = [self._say("ask.more", number=self._speech.number(left))] if left else []
            self._tell([*shown, *more])

    # -- step by step

    def _walk(
        self, decision: Decision, name: str, picks: Mapping[str, Any] = MappingProxyType({})
    ) -> Move | None:
        """Ask the picks of an action that are not known yet; None to begin again."""
        steps: tuple[Step, ...] = (name,)
        action = self._action(name)
        for parameter in action.parameters if action else ():
            if parameter.name in picks:
                further = self._taken(decision, steps, parameter, picks[parameter.name])
            else:
                further = self._step(decision, steps, parameter)
            if further is None:
                return None
            steps = further
        return decision.move(steps) if action else PASS

    def _step(
        self, decision: Decision, steps: tuple[Step, ...], parameter: m.Parameter
    ) -> tuple[Step, ...] | None:
        width = len(parameter.domain.cells) if isinstance(parameter.domain, m.LotDomain) else 1
        found = list(islice(walks(decision, steps, width), MENU + 1))
        label = self._naming.label("parameters", parameter.name)
        texts = [self._pick_text(parameter, walk[len(steps) :]) for walk in found]
        if len(found) == 1:
            self._tell([self._say("ask.only", name=label, value=texts[0])], "dim")
            return found[0]
        # Among numbers to choose from, a number means itself.
        numbered = len(found) <= MENU and parameter.type.base is not Base.INT
        if numbered:
            self._screen.show([*self._asked(decision, steps, parameter), *self._numbered(texts)])
        else:
            self._screen.show(self._asked(decision, steps, parameter))
            self._many(parameter, texts)
        prompt = self._say("ask.pick_prompt", name=label)
        while True:
            text = self._screen.ask(prompt)
            if self._words.get(normal(text)) == "back":
                return None
            number = _number(text)
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
    ) -> tuple[Step, ...] | None:
        """The walk with a pick that was typed; None after saying what is wrong with it."""
        data = self._reader.pick(parameter, words_of(text))
        if isinstance(data, Unclear):
            self._sorry(data.text)
            return None
        return self._taken(decision, steps, parameter, data)

    def _taken(
        self, decision: Decision, steps: tuple[Step, ...], parameter: m.Parameter, data: object
    ) -> tuple[Step, ...] | None:
        """The walk with a pick that was read; None if it is not possible after the others."""
        offered = [option.step for option in decision.options(steps)]
        value = entries(self._telling.model, parameter, data, offered, self._speech)
        if isinstance(value, Unclear):
            self._sorry(value.text)
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
        action = self._action(str(steps[0]))
        if action is not None and action.parameters[-1] is parameter:
            move = decision.move(steps)
            refusal = decision.check(move)
            if refusal is not None:
                self._tell(self._answers.refusal(decision, move, refusal), "bad")
                return
        self._sorry(self._say("ask.back"))

    def _pick_text(self, parameter: m.Parameter, entries: Sequence[Step]) -> str:
        """A pick in words."""
        if isinstance(parameter.domain, m.LotDomain):
            counts = tuple(entry for entry in entries if isinstance(entry, int))
            return self._telling.pick(parameter, counts).write("")
        entry = entries[0]
        assert not isinstance(entry, str)
        return self._telling.pick(parameter, entry).write("")

    # -- saying

    def _numbered(self, texts: Sequence[str]) -> list[Line]:
        digits = len(str(len(texts)))
        lines = []
        for number, text in enumerate(texts, 1):
            head = f"  {number:>{digits}} "
            for line in wrap(text, self._screen.width, head, " " * len(head)):
                lines.append(Line(line))
        return lines

    def _tell(self, texts: Sequence[str], style: str = "") -> None:
        self._screen.show(
            Line(line, style)
            for text in texts
            for line in wrap(text, self._screen.width, "  ", "    ")
        )

    def _sorry(self, text: str) -> None:
        self._tell([text], "bad")


def _number(text: str) -> int | None:
    """The number that a line is, if it is one; wide digits count, too."""
    return int(text) if text.isdecimal() and len(text) < 10 else None
