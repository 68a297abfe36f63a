"""Loading a game: a ruleset at one player count with one choice of options, ready to be started."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from gemwright.dsl.diagnostics import Diagnostic, Reporter
from gemwright.dsl.model import game as m
from gemwright.dsl.ruleset import Ruleset, open_ruleset
from gemwright.interpreter.block import decode, initial_block
from gemwright.interpreter.chance import Chance, fresh_seed, key
from gemwright.interpreter.decision import Walks
from gemwright.interpreter.evaluation.effects import Trace
from gemwright.interpreter.evaluation.evaluate import Evaluator
from gemwright.interpreter.machine import Machine
from gemwright.interpreter.state import State
from gemwright.interpreter.walk.walker import Walker


class RulesetError(ValueError):
    """A ruleset, a player count or options that cannot be used; `diagnostics` say why."""

    def __init__(self, message: str, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(message)
        self.diagnostics = diagnostics


class Game:
    """A game model with its machine.

    Attributes:
        model: the game model.
        ruleset: the ruleset that it comes from, or None for a model made by hand.
        seats: 'P1', 'P2', .. in seat order; seats are counted from 0 everywhere else.
        option_space: all options that can ever be offered, by number.
    """

    def __init__(
        self,
        model: m.Game,
        ruleset: Ruleset | None = None,
        make_walker: Callable[[m.Game, Evaluator], Walks] = Walker,
    ) -> None:
        self.model = model
        self.ruleset = ruleset
        self.name = model.name
        self.title = model.title
        self.players = model.players
        self.options = dict(model.options)
        self.seats = tuple(f"P{seat + 1}" for seat in range(model.players))
        self.machine = Machine(model, make_walker)
        self.option_space = self.machine.option_space

    def start(
        self,
        seed: int | None = None,
        game_index: int = 0,
        *,
        chance: Chance | None = None,
        trace: Trace | None = None,
    ) -> State:
        """Set the game up and go to the first decision.

        Args:
            seed: where all chance of the game comes from; None takes a fresh one.
            game_index: the number of the game under this seed, from 0.
            chance: answers instead of the generator, for scenarios.
            trace: called with the marked elements that run.
        """
        block = initial_block(self.model, key(fresh_seed() if seed is None else seed, game_index))
        return State.started(self.machine, block, chance, trace)

    def restore(self, data: bytes) -> State:
        """The state of `State.to_bytes`, without its events.

        Raises:
            ValueError: these are not the bytes of a state of this game.
        """
        return State.resting(self.machine, decode(self.model, data))


def load(
    ruleset: str | Path,
    players: int | None = None,
    options: Mapping[str, int | str | bool] | None = None,
) -> Game:
    """Load a ruleset by bundled name or path.

    Args:
        players: by default the file's default, else its smallest count.
        options: values that differ from the defaults; texts are read as the file writes values.

    Raises:
        RulesetError: the file has errors, or does not allow these players or options.
    """
    reporter = Reporter()
    rules = open_ruleset(str(ruleset), reporter)
    if rules is None:
        raise _error(ruleset, reporter)
    chosen = _parsed(rules, options or {})
    count = players or rules.default_players or rules.players[0]
    model = rules.instantiate(count, chosen, reporter)
    if model is None:
        raise _error(ruleset, reporter)
    return Game(model, rules)


def _parsed(rules: Ruleset, options: Mapping[str, int | str | bool]) -> dict[str, int | str | bool]:
    chosen: dict[str, int | str | bool] = {}
    known = {spec.name: spec for spec in rules.options}
    for name, given in options.items():
        if name not in known:
            raise RulesetError(f"`{rules.name}` has no option `{name}`")
        value = known[name].parse(given) if isinstance(given, str) else given
        if value is None:
            raise RulesetError(f"option `{name}` of `{rules.name}` cannot be `{given}`")
        chosen[name] = value
    return chosen


def _error(ruleset: str | Path, reporter: Reporter) -> RulesetError:
    found = reporter.diagnostics
    text = f"cannot load {ruleset}"
    if found:
        first = found[0]
        where = f"{first.span.path}:{first.span.line}:{first.span.column}"
        text += f": {where}: {first.message}"
    return RulesetError(text, found)
