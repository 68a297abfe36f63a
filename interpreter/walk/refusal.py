"""Why a pick is not legal: its domain or the first line that it breaks, with the values in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.dsl.model.traversal import within
from gemwright.interpreter import decision
from gemwright.interpreter.block import Block, Frame
from gemwright.interpreter.evaluation.evaluate import Evaluator
from gemwright.interpreter.events import Value
from gemwright.interpreter.walk.domains import Choices, Taken
from gemwright.interpreter.walk.picks import Flat, Picks
from gemwright.interpreter.walk.values import compared


@dataclass(frozen=True, slots=True)
class Refusal(decision.Refusal):
    """A refusal with what a front end may want to know beyond its text. Only the chooser may see
    it.

    Attributes:
        kind: 'domain' (cannot be picked at all), 'where' (breaks a line) or 'stuck' (no pick of the
            action is legal).
        parameter: the name of the parameter to blame; '' for a line.
        rule: the line of `where`, for 'where' and 'stuck'.
        available: for a count of pieces, how many there are.
        kept: for an option or 'stuck', how many leading lines can be kept; `rule` is the next one.
    """

    kind: str = "where"
    parameter: str = ""
    rule: m.Line | None = None
    available: int | None = None
    kept: int | None = None


class Explainer:
    """Finds reasons for one model."""

    __slots__ = ("_asks_for_lots", "_choices", "_evaluator", "_model")

    def __init__(self, model: m.Game, evaluator: Evaluator, choices: Choices) -> None:
        self._model = model
        self._evaluator = evaluator
        self._choices = choices
        self._asks_for_lots = [
            any(isinstance(each, t.SomeLot) for line in lines for each in within(line.condition))
            for lines in (action.where for action in model.actions)
        ]

    def check(
        self, block: Block, frame: Frame, action: m.Action, values: Flat, picks: Picks
    ) -> Refusal | None:
        """Why a complete pick is not legal, or None."""
        found = self._domains(block, frame, action, values)
        if found is not None:
            return found
        if self._asks_for_lots[action.id]:
            held = picks.best(values)  # by passes: trying every lot could take for ever
        else:
            held = self._held(block, frame, action)
        if held == len(action.where):
            return None
        line = action.where[held]
        shown = compared(self._model, self._evaluator, line, block, frame)
        return _of_line(f"this breaks `{line.text}`", held, line, "where", shown)

    def option(
        self,
        block: Block,
        frame: Frame,
        action: m.Action,
        picks: Picks,
        prefix: Flat,
        value: int | tuple[int, int],
    ) -> Refusal:
        """Why a value is not offered after a prefix."""
        if not picks.completable():
            return self.stuck(action, picks)
        found = self._domains(block, frame, action, (*prefix, value))
        if found is not None:
            return found
        kept = picks.best((*prefix, value))
        name = _parameter(action, len(prefix)).name
        if not 0 <= kept < len(action.where):
            text = f"`{name}` cannot be completed so"
            return Refusal(text, span=action.span, kind="domain", parameter=name)
        line = action.where[kept]
        text = f"with this `{name}` no pick keeps `{line.text}`"
        return _of_line(text, kept, line, "where", (), kept)

    def stuck(self, action: m.Action, picks: Picks) -> Refusal:
        """Why an action has no complete pick."""
        best = picks.best(())
        if best < 0:
            text = f"there is nothing to pick for `{action.name}`"
            return Refusal(text, span=action.span, kind="stuck", kept=0)
        line = action.where[best]
        return _of_line(f"no pick keeps `{line.text}`", best, line, "stuck", (), best)

    def _held(self, block: Block, frame: Frame, action: m.Action) -> int:
        """How many leading lines hold in the frame."""
        for number, line in enumerate(action.where):
            if not self._evaluator.value(line.condition, block, frame):
                return number
        return len(action.where)

    # -- domains

    def _domains(
        self, block: Block, frame: Frame, action: m.Action, values: Flat
    ) -> Refusal | None:
        """Why the entries so far lie outside their domains, or None; fills the frame."""
        at = 0
        taken: dict[tuple[int, int], int] = {}
        for parameter in action.parameters:
            if at >= len(values):
                return None
            if isinstance(parameter.domain, m.LotDomain):
                width = len(parameter.domain.cells)
                counts = values[at : at + width]
                found = self._lot(block, frame, parameter, counts, taken)
                if len(counts) == width:
                    frame[parameter.slot] = counts
                at += width
            else:
                value = values[at]
                found = self._single(block, frame, parameter, value, taken)
                frame[parameter.slot] = value
                if isinstance(value, tuple):
                    taken[value] = taken.get(value, 0) + 1
                at += 1
            if found is not None:
                return found
        return None

    def _single(
        self,
        block: Block,
        frame: Frame,
        parameter: m.Parameter,
        value: int | tuple[int, int],
        taken: Taken,
    ) -> Refusal | None:
        if value in self._choices.single(parameter, block, frame, taken):
            return None
        text = f"`{parameter.name}` cannot be that here"
        available = None
        if isinstance(value, tuple):
            text, available = f"there is no such piece for `{parameter.name}`", 0
        return Refusal(
            text, span=parameter.span, kind="domain", parameter=parameter.name, available=available
        )

    def _lot(
        self,
        block: Block,
        frame: Frame,
        parameter: m.Parameter,
        counts: Sequence[int | tuple[int, int]],
        taken: dict[tuple[int, int], int],
    ) -> Refusal | None:
        assert isinstance(parameter.domain, m.LotDomain)
        cells = self._choices.available(parameter.domain, block, frame)
        for (where, there), count in zip(cells, counts, strict=False):
            assert isinstance(count, int)
            left = there - taken.get(where, 0)
            if not 0 <= count <= left:
                face = self._model.faces[where[1]].name
                text = f"`{parameter.name}` cannot hold {count} `{face}`: {left} there"
                return Refusal(
                    text, span=parameter.span, values=((face, left),), kind="domain",
                    parameter=parameter.name, available=left,
                )  # fmt: skip
            taken[where] = taken.get(where, 0) + count
        return None


def _parameter(action: m.Action, at: int) -> m.Parameter:
    """The parameter of an entry of a walk."""
    for parameter in action.parameters:
        domain = parameter.domain
        at -= len(domain.cells) if isinstance(domain, m.LotDomain) else 1
        if at < 0:
            return parameter
    raise ValueError("the walk is complete")


def _of_line(
    text: str,
    number: int,
    line: m.Line,
    kind: str,
    values: tuple[tuple[str, Value], ...],
    kept: int | None = None,
) -> Refusal:
    return Refusal(
        text, number, line.text, line.clauses, line.span, values, kind=kind, rule=line, kept=kept
    )
