"""Asks a person for one move: by number, by name, or step by step.

Nothing that is typed changes the game before a whole legal move stands: whatever cannot be
understood or is not legal gets an answer, and the question is asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType
from typing import Any

from gemwright.dsl import model as m
from gemwright.dsl.terms import Base
from gemwright.interpreter.cli.lines import wrap
from gemwright.interpreter.cli.picks import entries, walks
from gemwright.interpreter.cli.screen import Line, Screen
from gemwright.interpreter.cli.telling import Telling
from gemwright.interpreter.cli.typed import Reader, Typed, Unclear, words_of
from gemwright.interpreter.decision import Decision, Step
from gemwright.interpreter.moves import PASS, Move, move_from_json

MENU = 30
"""So many moves or picks are listed with numbers; more are asked for step by step."""

_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Command:
    """Something that a person may ask beside a move; `run` takes the words after its name."""

    help: str
    run: Callable[[str], None]


class Asker:
    """Asks the decisions of one game model."""

    def __init__(
        self,
        screen: Screen,
        telling: Telling,
        commands: Mapping[str, Command],
        clauses: Mapping[str, str],
    ) -> None:
        """`clauses` are the texts of the rulebook's clauses, for refusals."""
        self._screen = screen
        self._telling = telling
        self._reader = Reader(telling.model, telling.names)
        self._commands = commands
        self._clauses = dict(clauses)

    def ask(self, decision: Decision) -> Move:
        """A legal move.

        Raises:
            EndOfInput, KeyboardInterrupt: the person left; nothing was chosen.
        """
        count = decision.count()
        menu = list(decision.moves(MENU)) if count <= MENU else []
        self._offer(decision, menu, count)
        while True:
            text = self._screen.ask(f"P{decision.player + 1}>")
            if not text and count == 1:
                return menu[0]
            move = self._answer(decision, menu, count, text)
            if move is not None:
                return move

    def _offer(self, decision: Decision, menu: Sequence[Move], count: int) -> None:
        lines = [Line("you may", "title")]
        if menu:
            lines += self._numbered([self._telling.move(move) for move in menu])
        else:
            lines += self._numbered([self._described(name) for name in self._names(decision)])
            lines.append(Line(f"  {count:,} moves in all", "dim"))
        only = ", Enter takes the only one" if count == 1 else ""
        lines.append(Line(f"  (a number or the move by name{only}; ? helps)", "dim"))
        self._screen.show(lines)

    def _names(self, decision: Decision) -> list[str]:
        return [*decision.actions, *([m.PASS_ACTION] if decision.can_pass else [])]

    def _described(self, name: str) -> str:
        """An action with what it asks for."""
        action = self._action(name)
        title = self._telling.action(name)
        if action is None or not action.parameters:
            return title
        picks = [self._telling.label("parameter", each.name) for each in action.parameters]
        return f"{title} ({', '.join(picks)})"

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
                self._sorry(f"there is no number {number}; say 1 to {len(choices)}")
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
        if found.missing and found.action not in decision.actions:
            text = f"`{self._telling.action(found.action)}` is not possible now"
            self._sorry(f"{text}; `why` and the whole move tells the reason")
            return None
        move = self._move(decision, found)
        if isinstance(move, str):
            self._sorry(move)
            return None
        return move if self._legal(decision, move) else None

    def _move(self, decision: Decision, typed: Typed) -> Move | str:
        """The move that was typed, legal or not; or what is wrong with it."""
        data = typed.data
        if isinstance(data, Unclear):
            return data.text
        return move_from_json(self._telling.model, decision.player, data)

    def _legal(self, decision: Decision, move: Move) -> bool:
        refusal = decision.check(move)
        if refusal is not None:
            self._say(self._telling.refusal(refusal, self._clauses), "bad")
        return refusal is None

    # -- commands

    def _commanded(self, decision: Decision, text: str) -> bool:
        """Whether a line was a question or a command, answered now."""
        word, _, rest = text.partition(" ")
        named = not isinstance(self._reader.action(words_of(word.removeprefix(":"))), Unclear)
        word = word.removeprefix(":") if text.startswith(":") or not named else ""
        if not text:
            self._sorry("say a number or a move; ? helps")
        elif word in ("?", "help"):
            self._help(decision)
        elif word == "why":
            self._why(decision, rest)
        elif word == "moves":
            self._list(decision)
        elif word in self._commands:
            self._commands[word].run(rest.strip())
        else:
            return False
        return True

    def _help(self, decision: Decision) -> None:
        rows = ["a number: the choice of that number"]
        for name in self._names(decision):
            rows.append(f"{name.replace('_', ' ')}{self._usage(name)}")
        rows += [
            "why MOVE: whether a move is possible, and which rule forbids it",
            "moves: the first possible moves",
            *(f"{name}: {command.help}" for name, command in self._commands.items()),
        ]
        rows.append("back: begin again, in a choice that is asked step by step")
        self._say(rows)

    def _usage(self, name: str) -> str:
        """How to type the picks of an action."""
        action = self._action(name)
        parts = []
        for parameter in action.parameters if action else ():
            parts.append(f" {parameter.name} {self._example(parameter)}")
        return "".join(parts)

    def _example(self, parameter: m.Parameter) -> str:
        domain = parameter.domain
        if isinstance(domain, m.LotDomain):
            names = [self._telling.model.faces[face].name for face in domain.faces[:2]]
            return " ".join(f"{name}={2 - n}" for n, name in enumerate(names))
        if isinstance(domain, m.PieceDomain):
            return self._telling.model.faces[domain.faces[0]].name if domain.faces else "PIECE"
        return {"player": "P2", "yes/no": "yes", "number": str(domain.low)}.get(
            parameter.type.base, "NAME"
        )

    def _why(self, decision: Decision, text: str) -> None:
        if not text.strip():
            self._sorry("say `why` and a move")
            return
        typed = self._reader.move(text)
        move = typed.text if isinstance(typed, Unclear) else self._move(decision, typed)
        if isinstance(move, str):
            self._sorry(move)
        elif self._legal(decision, move):
            self._say([f"possible: {self._telling.move(move)}"], "good")

    def _list(self, decision: Decision) -> None:
        shown = [self._telling.move(move) for move in decision.moves(2 * MENU)]
        left = decision.count() - len(shown)
        # Numbers only where a number may be typed.
        if len(shown) <= MENU and not left:
            self._screen.show(self._numbered(shown))
        else:
            self._say([*shown, *([f".. and {left:,} more"] if left else [])])

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
        label = self._telling.label("parameter", parameter.name)
        texts = [self._pick_text(parameter, walk[len(steps) :]) for walk in found]
        if len(found) == 1:
            self._say([f"{label}: {texts[0]} (nothing else is possible)"], "dim")
            return found[0]
        # Among numbers to choose from, a number means itself.
        numbered = len(found) <= MENU and parameter.type.base is not Base.INT
        if numbered:
            self._screen.show([Line(label, "title"), *self._numbered(texts)])
        else:
            self._many(parameter, label, texts)
        while True:
            text = self._screen.ask(f"{label}>")
            if text == "back":
                return None
            number = _number(text)
            if number is not None and numbered and 1 <= number <= len(found):
                return found[number - 1]
            if self._commanded(decision, text):
                continue
            walk = self._typed(decision, steps, parameter, text)
            if walk is not None:
                return walk

    def _many(self, parameter: m.Parameter, label: str, texts: Sequence[str]) -> None:
        """What a pick may be made of, where it is not listed with numbers."""
        told = [Line(label, "title")]
        if isinstance(parameter.domain, m.LotDomain):
            names = ", ".join(self._telling.face(face) for face in parameter.domain.faces)
            told += [Line(f"  {text}") for text in wrap(f"of {names}", self._screen.width - 2)]
            told.append(Line("  say how many of each, such as `2 NAME, 1 NAME`, or `nothing`"))
        few = parameter.type.base is Base.INT and len(texts) <= MENU
        some = ", ".join(texts) if few else f"for example: {'; '.join(texts[:_EXAMPLES])}"
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
        value = entries(self._telling.model, parameter, data, offered)
        if isinstance(value, str):
            self._sorry(value)
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
            refusal = decision.check(decision.move(steps))
            if refusal is not None:
                self._say(self._telling.refusal(refusal, self._clauses), "bad")
                return
        self._sorry("that is not possible after what you picked before; `back` begins again")

    def _pick_text(self, parameter: m.Parameter, entries: Sequence[Step]) -> str:
        """A pick in words."""
        if isinstance(parameter.domain, m.LotDomain):
            counts = tuple(entry for entry in entries if isinstance(entry, int))
            return self._telling.pick(parameter, counts)
        entry = entries[0]
        assert not isinstance(entry, str)
        return self._telling.pick(parameter, entry)

    # -- saying

    def _numbered(self, texts: Sequence[str]) -> list[Line]:
        digits = len(str(len(texts)))
        lines = []
        for number, text in enumerate(texts, 1):
            head = f"  {number:>{digits}} "
            for line in wrap(text, self._screen.width, head, " " * len(head)):
                lines.append(Line(line))
        return lines

    def _say(self, texts: Sequence[str], style: str = "") -> None:
        self._screen.show(
            Line(line, style)
            for text in texts
            for line in wrap(text, self._screen.width, "  ", "    ")
        )

    def _sorry(self, text: str) -> None:
        self._say([text], "bad")


def _number(text: str) -> int | None:
    """The number that a line is, if it is one."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None
