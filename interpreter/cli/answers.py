"""Why a move is refused, and how a game ended, in words of one language."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gemwright.dsl.document.paths import bundled_root
from gemwright.interpreter.cli.telling import Telling
from gemwright.interpreter.decision import Decision, Refusal
from gemwright.interpreter.events import Value
from gemwright.interpreter.moves import Move, find_action
from gemwright.interpreter.outcome import Outcome
from gemwright.interpreter.walk import refusal as r


class Answers:
    """Answers about one game model."""

    def __init__(self, telling: Telling, clauses: Mapping[str, str]) -> None:
        """`clauses` are the texts of the rulebook's clauses; the label files may have their own."""
        self._telling = telling
        self._naming = telling.naming
        self._speech = telling.speech
        self._clauses = clauses

    # -- refusals

    def refusal(self, decision: Decision, move: Move, refusal: Refusal) -> list[str]:
        """Why not: the line of the rules, its clauses, the values in it, where it stands."""
        say = self._speech.say
        told = [say("refusal.head", why=self._why(decision, move, refusal))]
        for clause in refusal.clauses:
            told.append(say("refusal.clause", id=clause, text=self.clause(clause)))
        if refusal.values and refusal.text:
            values = [
                say("refusal.value", name=name, value=_plain(value))
                for name, value in refusal.values
            ]
            told.append(say("refusal.now", values=self._speech.listed(values)))
        if refusal.span is not None:
            span = refusal.span
            place = f"{_short(span.path)}:{span.line}:{span.column}"
            told.append(say("refusal.place", place=place))
        return told

    def clause(self, id: str) -> str:
        """The text of a clause, '' if there is none."""
        own = self._telling.labels.sentence("clauses", id)
        return self._clauses.get(id, "") if own is None else self._speech.tell(own)

    def _why(self, decision: Decision, move: Move, refusal: Refusal) -> str:
        """The reason in one sentence."""
        say = self._speech.say
        action = self._telling.action(move.action)
        if not isinstance(refusal, r.Refusal):
            if refusal.kind == "unlisted":
                phase = self._naming.phase(decision.phase)
                return say("refusal.not_listed", action=action, phase=phase)
            known = {"pass": "refusal.pass", "fallback": "refusal.only_else"}
            return say(known.get(refusal.kind, "refusal.nothing"), action=action)
        if refusal.kind == "where":
            return say("refusal.line", line=refusal.text)
        if refusal.kind == "stuck":
            key = "refusal.stuck" if refusal.text else "refusal.nothing"
            return say(key, action=action, line=refusal.text)
        return self._domain(move, refusal)

    def _domain(self, move: Move, refusal: r.Refusal) -> str:
        """Why a pick lies outside of what there is."""
        name = self._naming.label("parameters", refusal.parameter)
        if refusal.available is None:
            return self._speech.say("refusal.cannot_be", name=name)
        if not refusal.values:
            face = self._naming.face(self._picked(move, refusal.parameter))
            return self._speech.say("refusal.no_piece", name=name, face=face)
        face = self._naming.element("faces", refusal.values[0][0])
        number = refusal.available
        return self._speech.say("refusal.too_many", name=name, face=face, number=number)

    def _picked(self, move: Move, parameter: str) -> int:
        """The face of a picked piece."""
        action = find_action(self._telling.model, move.action)
        assert action is not None
        at = [each.name for each in action.parameters].index(parameter)
        value = move.values[at]
        assert isinstance(value, tuple)
        return value[1]

    # -- results

    def outcome(self, outcome: Outcome) -> list[str]:
        """The result, best player first."""
        told = [self._telling.end(outcome.reason)]
        for seat in sorted(range(len(outcome.ranks)), key=lambda seat: outcome.ranks[seat]):
            key = "result.winner" if seat in outcome.winners else "result.rank"
            score = outcome.scores[seat]
            told.append(
                self._speech.say(
                    key,
                    rank=outcome.ranks[seat],
                    seat=self._naming.seat(seat),
                    score="" if score is None else str(score),
                )
            )
        if not outcome.winners:
            told.append(self._speech.say("result.nobody"))
        elif len(outcome.winners) > 1:
            told.append(self._speech.say("result.shared"))
        return told


def _plain(value: Value) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _short(path: str) -> str:
    """The path of a rules file; of a bundled one only what follows the package."""
    root = bundled_root()
    if root is not None and Path(path).is_relative_to(root):
        return str(Path(path).relative_to(root.parent))
    return path
