"""Asks a person for one move: by number, by name, or step by step.

Nothing that is typed changes the game before a whole legal move stands: whatever cannot be
understood or is not legal gets an answer, and the question is asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gemwright.dsl.labels.vocabulary import phase_key
from gemwright.dsl.model import game as m
from gemwright.dsl.model.terms import Base
from gemwright.interpreter.cli.answers import Answers
from gemwright.interpreter.cli.lines import wrap
from gemwright.interpreter.cli.saying import Saying, number_of
from gemwright.interpreter.cli.screen import Line, Screen
from gemwright.interpreter.cli.steps import MENU, Retyped, Steps
from gemwright.interpreter.cli.telling import Telling
from gemwright.interpreter.cli.typed import Reader, Typed, Unclear, normal, words_of
from gemwright.interpreter.decision import Decision
from gemwright.interpreter.moves import Move, find_action, instance_label, move_from_json

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
        self._saying = Saying(screen)
        inner = ("help", "why", "moves", "back")
        self._commands = dict(commands)
        self._words = {normal(self._say(f"commands.{key}")): key for key in (*inner, *commands)}
        self._words |= {key: key for key in (*inner, *commands)} | {"?": "help"}
        self._steps = Steps(screen, telling, self._reader, answers, self._commanded, self._is_back)

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

    def _is_back(self, text: str) -> bool:
        return self._words.get(normal(text)) == "back"

    def _offer(self, decision: Decision, menu: Sequence[Move], count: int) -> None:
        lines = [Line(text, "title") for text in wrap(self._question(decision), self._screen.width)]
        if menu:
            moves = [self._telling.move(move, decision.player) for move in menu]
            lines += self._saying.numbered(moves)
        else:
            lines += self._saying.numbered(
                [self._described(name) for name in self._names(decision)]
            )
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
        action = find_action(self._telling.model, name)
        title = self._telling.action(name)
        if action is None or not action.parameters:
            return title
        picks = [self._naming.label("parameters", each.name) for each in action.parameters]
        return self._say("ask.described", action=title, picks=self._speech.listed(picks))

    # -- answers

    def _answer(
        self, decision: Decision, menu: Sequence[Move], count: int, text: str
    ) -> Move | None:
        """Follow one line; a move if it is one."""
        if self._commanded(decision, text, menu):
            return None
        choices: Sequence[Move | str] = menu or self._names(decision)
        number = number_of(text)
        if number is not None:
            if not 1 <= number <= len(choices):
                self._saying.sorry(self._say("ask.no_number", number=number, last=len(choices)))
                return None
            choice = choices[number - 1]
            found = choice if isinstance(choice, Move) else self._steps.walk(decision, choice)
        else:
            found = self._as_offered(decision, menu, text) or self._named(decision, text)
        if isinstance(found, Retyped):
            return self._answer(decision, menu, count, found.text)
        return found

    def _as_offered(self, decision: Decision, menu: Sequence[Move], text: str) -> Move | None:
        """The move of the menu that was typed as it stands there."""
        typed = _plain_words(text)
        shown = [(self._telling.move(move, decision.player), move) for move in menu]
        return next((move for line, move in shown if _plain_words(line) == typed), None)

    def _named(self, decision: Decision, text: str) -> Move | Retyped | None:
        """A move by name; an action alone is asked further."""
        found = self._reader.move(text, decision.actions)
        if isinstance(found, Unclear):
            self._saying.sorry(found.text)
            return None
        if found.missing and found.action in decision.actions:
            return self._steps.walk(decision, found.action, found.picks)
        if found.missing:
            action = self._telling.action(found.action)
            self._saying.sorry(self._say("ask.not_now", action=action))
            return None
        move = self._move(decision, found)
        if isinstance(move, Unclear):
            self._saying.sorry(move.text)
            return None
        return move if self._legal(decision, move) else None

    def _move(self, decision: Decision, typed: Typed) -> Move | Unclear:
        """The move that was typed, legal or not; or what is wrong with it."""
        if typed.lacking:
            action = self._telling.action(typed.action)
            name = self._naming.label("parameters", typed.lacking)
            return Unclear(self._say("typed.lacks", action=action, name=name))
        move = move_from_json(self._telling.model, decision.player, typed.data, decision.lies)
        return self._unreadable(typed) if isinstance(move, str) else move

    def _unreadable(self, typed: Typed) -> Unclear:
        """Why picks that could be read make no move: a piece may lie in several places."""
        action = find_action(self._telling.model, typed.action)
        for parameter in action.parameters if action else ():
            said, domain = typed.picks.get(parameter.name), parameter.domain
            if isinstance(domain, m.PieceDomain) and isinstance(said, str):
                faces = self._telling.model.faces
                places = {zone for zone, face in domain.options if faces[face].name == said}
                if len(places) > 1:
                    names = [instance_label(self._telling.model, each) for each in sorted(places)]
                    return Unclear(self._say("typed.say_place", places=", ".join(names)))
        return Unclear(self._say("typed.not_now"))

    def _legal(self, decision: Decision, move: Move) -> bool:
        refusal = decision.check(move)
        if refusal is not None:
            self._saying.tell(self._answers.refusal(decision, move, refusal), "bad")
        return refusal is None

    # -- commands

    def _commanded(self, decision: Decision, text: str, menu: Sequence[Move] = ()) -> bool:
        """Whether a line was a question or a command, answered now.

        A word that is also an action is the action; with a colon before it, the command.
        """
        word, _, rest = text.partition(" ")
        named = not isinstance(self._reader.action(words_of(word.removeprefix(":"))), Unclear)
        plain = normal(word.removeprefix(":"))
        command = self._words.get(plain, "") if text.startswith(":") or not named else ""
        if not text:
            self._saying.sorry(self._say("ask.say_move"))
        elif command == "help":
            self._help(decision)
        elif command == "why":
            self._why(decision, menu, rest)
        elif command == "moves":
            self._list(decision)
        elif command == "back":
            self._saying.sorry(self._say("ask.no_back"))
        elif command in self._commands:
            self._commands[command](rest.strip())
        else:
            return False
        return True

    def _help(self, decision: Decision) -> None:
        rows = [self._say("commands.help_number"), self._say("commands.help_name")]
        for name in self._names(decision):
            rows.append(f"`{self._usage(name)}`")
        keys = ("why", "moves", *self._commands, "back")
        rows += [self._say(f"commands.help_{key}") for key in keys]
        self._saying.tell(rows)

    def _usage(self, name: str) -> str:
        """How to type an action with its picks."""
        action = find_action(self._telling.model, name)
        title = self._telling.action(name)
        if action is None or not action.parameters:
            return title
        picks = []
        for parameter in action.parameters:
            label = self._naming.label("parameters", parameter.name)
            example = self._example(parameter)
            picks.append(self._say("moves.pick", name=label, value=example))
        listed = self._speech.listed(picks, "lists.semicolon", "lists.semicolon")
        return self._say("moves.action", action=title, picks=listed)

    def _example(self, parameter: m.Parameter) -> str:
        domain = parameter.domain
        if isinstance(domain, m.LotDomain):
            names = [self._naming.face(face).write("") for face in domain.faces[:2]]
            return " ".join(f"{name}={2 - n}" for n, name in enumerate(names))
        if isinstance(domain, m.PieceDomain):
            if not domain.faces:
                return self._say("commands.example_piece")
            return self._naming.face(domain.faces[0]).write("")
        if parameter.type.base is Base.FACE and parameter.type.faces:
            return self._naming.face(parameter.type.faces[0]).write("")
        known = {
            Base.PLAYER: self._naming.player(1).write(""),
            Base.FLAG: self._say("values.yes"),
            Base.INT: str(domain.low),
        }
        return known.get(parameter.type.base, self._say("commands.example_name"))

    def _why(self, decision: Decision, menu: Sequence[Move], text: str) -> None:
        if not text.strip():
            self._saying.sorry(self._say("ask.say_why"))
            return
        move = self._meant(decision, menu, text)
        if isinstance(move, Unclear):
            self._saying.sorry(move.text)
        elif self._legal(decision, move):
            told = self._telling.move(move, decision.player)
            self._saying.tell([self._say("ask.possible", move=told)], "good")

    def _meant(self, decision: Decision, menu: Sequence[Move], text: str) -> Move | Unclear:
        """The move that a question is about: by number, as it is offered, or by name."""
        number = number_of(text)
        if number is not None and 1 <= number <= len(menu):
            return menu[number - 1]
        offered = self._as_offered(decision, menu, text)
        if offered is not None:
            return offered
        typed = self._reader.move(text, decision.actions)
        return typed if isinstance(typed, Unclear) else self._move(decision, typed)

    def _list(self, decision: Decision) -> None:
        shown = [self._telling.move(move, decision.player) for move in decision.moves(2 * MENU)]
        left = decision.count() - len(shown)
        # Numbers only where a number may be typed.
        if len(shown) <= MENU and not left:
            self._screen.show(self._saying.numbered(shown))
        else:
            more = [self._say("ask.more", number=self._speech.number(left))] if left else []
            self._saying.tell([*shown, *more])


def _plain_words(text: str) -> list[str]:
    """The words of a line, as they are compared; what stands between them does not count."""
    return [normal(word) for word in words_of(text)]
