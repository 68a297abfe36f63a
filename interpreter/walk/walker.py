"""Walking decisions: which picks of an action are legal, listed, counted, drawn, checked,
explained.

An option is offered exactly if it can be completed to a legal pick. Picks are flat walk values: one
entry per single pick, one per cell of a lot, in the order of `choose`.
"""

from __future__ import annotations

from collections.abc import Iterator

from gemwright.dsl.model import game as m
from gemwright.dsl.walkable.classification import walk_of
from gemwright.dsl.walkable.forms import Problem
from gemwright.interpreter.block import Block
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.evaluation.evaluate import Evaluator
from gemwright.interpreter.walk.domains import Choices
from gemwright.interpreter.walk.listing import Listing
from gemwright.interpreter.walk.locals import Locals
from gemwright.interpreter.walk.picks import Flat, PassPicks, Picks, Plan
from gemwright.interpreter.walk.refusal import Explainer, Refusal
from gemwright.interpreter.walk.samplers import SAMPLERS


class Walker:
    """Walks the actions of one model.

    The picks of the decision that was asked for last are kept, since a walk asks again and again.

    Raises:
        ValueError: an action cannot be walked, which the loader would have reported.
    """

    __slots__ = ("_choices", "_evaluator", "_explainer", "_last", "_locals", "_plans")

    def __init__(self, model: m.Game, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._choices = Choices(model, evaluator)
        self._locals = Locals()
        self._plans = [_plan(model, action) for action in model.actions]
        self._explainer = Explainer(model, evaluator, self._choices)
        self._last: dict[tuple[int, int], tuple[list[int], Picks]] = {}

    def picks(self, block: Block, me: int, action: m.Action) -> Picks:
        """The legal picks of an action in a block, for the player `me`."""
        kept = self._last.get((action.id, me))
        if kept is not None and kept[0] == block:
            return kept[1]
        plan = self._plans[action.id]
        frozen = block.copy()
        if plan.action.walk == "list" or plan.walk.walk == "list":
            picks: Picks = Listing(
                self._evaluator, self._choices, plan.action, frozen, plan.frame(me)
            )
        else:
            picks = PassPicks(self._choices, self._locals, plan, frozen, plan.frame(me))
        self._last[action.id, me] = (frozen, picks)
        return picks

    def completable(self, block: Block, me: int, action: m.Action) -> bool:
        """Whether there is a complete pick."""
        return self.picks(block, me, action).completable()

    def options(
        self, block: Block, me: int, action: m.Action, prefix: Flat
    ) -> tuple[int | tuple[int, int], ...]:
        """The next entries that can be completed; () after a complete pick."""
        return tuple(self.picks(block, me, action).weights(prefix))

    def count(self, block: Block, me: int, action: m.Action) -> int:
        """The number of complete picks."""
        return self.picks(block, me, action).count()

    def nth(self, block: Block, me: int, action: m.Action, i: int) -> Flat:
        """The i-th complete pick in the order of the walk, 0 <= i < count.

        Raises:
            IndexError: there are not so many.
        """
        return self.picks(block, me, action).nth(i)

    def rank(self, block: Block, me: int, action: m.Action, values: Flat) -> int:
        """The number of a legal pick: the inverse of `nth`.

        Raises:
            ValueError: the pick is not legal.
        """
        picks = self.picks(block, me, action)
        before = 0
        for at, value in enumerate(values):
            weights = picks.weights(values[:at])
            if value not in weights:
                raise ValueError(f"{value!r} cannot be picked here")
            for each, count in weights.items():
                if each == value:
                    break
                before += count
        return before

    def moves(self, block: Block, me: int, action: m.Action) -> Iterator[Flat]:
        """All complete picks, in the order of `nth`."""
        return self.picks(block, me, action).moves()

    def sample(self, block: Block, me: int, action: m.Action, stream: Stream, how: str) -> Flat:
        """A complete pick by a named sampler: uniform, walk or small_first.

        Raises:
            ValueError: there is no such sampler, or nothing to pick.
        """
        sampler = SAMPLERS.get(how)
        if sampler is None:
            raise ValueError(f"no sampler {how!r}; there are {', '.join(SAMPLERS)}")
        return sampler(self.picks(block, me, action), stream)

    def check(self, block: Block, me: int, action: m.Action, values: Flat) -> Refusal | None:
        """Why a complete pick is not legal, or None."""
        frame = self._plans[action.id].frame(me)
        picks = self.picks(block, me, action)
        return self._explainer.check(block, frame, action, values, picks)

    def explain_action(self, block: Block, me: int, action: m.Action) -> Refusal:
        """Why there is no complete pick.

        Raises:
            ValueError: there is one.
        """
        picks = self.picks(block, me, action)
        if picks.completable():
            raise ValueError(f"`{action.name}` can be picked")
        return self._explainer.stuck(action, picks)

    def explain_option(
        self, block: Block, me: int, action: m.Action, prefix: Flat, value: int | tuple[int, int]
    ) -> Refusal:
        """Why a value is not offered after a prefix that is.

        Raises:
            ValueError: it is offered.
        """
        picks = self.picks(block, me, action)
        if value in picks.weights(prefix):
            raise ValueError(f"{value!r} is offered")
        frame = self._plans[action.id].frame(me)
        return self._explainer.option(block, frame, action, picks, prefix, value)


def _plan(model: m.Game, action: m.Action) -> Plan:
    found = walk_of(model, action)
    if isinstance(found, Problem):
        raise ValueError(f"`{action.name}` cannot be walked: {found.findings[0].message}")
    return Plan(action, found)
