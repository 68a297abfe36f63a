"""Verdicts on the games of a ruleset, held against what the file expects of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from gemwright.dsl.diagnostics import Diagnostic, Reporter
from gemwright.dsl.model import game as m
from gemwright.dsl.source import Span
from gemwright.interpreter.game import Game
from gemwright.interpreter.option_sets import OptionSet
from gemwright.validator.certificate.forms import Json
from gemwright.validator.collecting import Collector
from gemwright.validator.findings import UNKNOWN, Verdict

_TERMINATES: Final = "terminates"
_EVERYWHERE: Final = frozenset({"D002", "D003", "E004", "G002", "G006", "T006", "V001", "W001"})
"""Findings that count only if all games have them: options may leave a rule without use."""
_CAUSES: Final = frozenset({"D001", "R001", "R002", "R003", "R005", "R006"})
"""What keeps a play from going on may be why some of the rules are never used."""
_NEVER_STUCK: Final = "always_a_move"
_CONSERVED: Final = "conserved"


@dataclass(frozen=True, slots=True)
class GameOf:
    """A game of the matrix."""

    model: m.Game
    players: int
    options: OptionSet
    asked: bool = False
    """Whether a person asked for these options."""

    @property
    def named(self) -> bool:
        """Whether an expectation of the file names all options that are changed."""
        return any(self.options.keys() <= set(each.options) for each in self.model.expectations)

    @property
    def named_only(self) -> bool:
        """Whether nobody asked for these options but an expectation at most."""
        return bool(self.options) and not self.asked

    @property
    def thorough(self) -> bool:
        """Whether it has a budget of its own, and is played."""
        return not self.named_only or self.named


def judged(
    games: Sequence[GameOf], named: str, proofs: bool, collected: Collector, own: str | None
) -> tuple[Verdict, ...]:
    """The verdict of every game, in their order.

    Games with the default options come first, then those that are asked for or named by an
    expectation, then single values, then pairs: a budget that is spent leaves the least important
    ones unknown. `named` is how a person names the rules. `own` is
    the path of the file itself, without its bases, if `games` are the whole matrix, else None.
    """
    if not proofs:
        return tuple(_unknown(game) for game in games)
    from gemwright.validator.analysing import Analyst
    from gemwright.validator.keeping import kept_findings
    from gemwright.validator.never import Never, never_findings
    from gemwright.validator.plays.endless import saved_play
    from gemwright.validator.plays.winning import seen_to_win
    from gemwright.validator.refuting import endless_findings
    from gemwright.validator.trying import SEED, try_games

    sound = _check_structure(games, collected, own)
    analyst = Analyst(named)
    found: dict[int, Verdict] = {}
    never: list[frozenset[Never]] = []
    for number in sorted(range(len(games)), key=lambda n: _rank(games[n], n)):
        game = games[number]
        at = game.players, game.options
        known = analyst.analyse(game.model, not game.options, game.thorough)
        if len(game.options) <= 1:
            never.append(known.never)
        if game.thorough and _expected(game.model, _CONSERVED) == "proved":
            collected.of_some(*at, kept_findings(game.model))
        winners: tuple[int, ...] | None = None
        broken: tuple[str, Json] | None = None
        if game.thorough and sound:
            needs_open = bool(known.needs.open) and not game.named_only
            tried = try_games(game.model, known.termination, known.deadlock_free, needs_open)
            if tried.stuck:
                assert known.deadlock_free != "proved", "a proof that play contradicts"
                known = replace(known, deadlock_free="refuted")
            news = [each for each in tried.findings if not collected.has_told_at(each[0].span)]
            collected.met(*at, news)
            if news:
                index, made = tried.game_index, tried.made
                play = saved_play(Game(game.model), SEED, index, made, named)
                broken = (news[0][0].code, play)
            if not tried.findings and not game.named_only:
                winners = seen_to_win(game.model)
        found[number] = Verdict(
            game.players,
            game.options,
            known.termination,
            game.model.capped,
            known.deadlock_free,
            _expected(game.model, _TERMINATES),
            known.moves,
            known.argument,
            known.certificate,
            known.residual,
            known.exhausted,
            known.circle,
            known.trace,
            known.conserved,
            len(known.needs.seen),
            known.needs.open,
            winners,
            broken,
            known.tried,
        )
        collected.of_some(*at, _mismatches(game, found[number]).diagnostics)
        if game.thorough:
            collected.met(*at, endless_findings(game.model, found[number]))
    if sound and never and not collected.has_told(_EVERYWHERE | _CAUSES):
        # Options may give a use to what has none without them.
        everywhere = frozenset.intersection(*never)
        collected.add_general(never_findings(each for each in everywhere if each.span.path == own))
    return tuple(found[number] for number in range(len(games)))


def _check_structure(games: Sequence[GameOf], collected: Collector, own: str | None) -> bool:
    """The phase graphs of games with at most one option changed: can all of them be played to an
    end?

    What options leave unused in one game is no fault where another one uses it, nor what a variant
    leaves unused of its base.
    """
    from gemwright.validator.graph.structure import check_structure
    from gemwright.validator.rules.deciding import check_conditions
    from gemwright.validator.rules.shadowing import check_shadowed

    checks = (check_structure, check_conditions, check_shadowed)
    everywhere: dict[tuple[str, Span], Diagnostic] | None = None
    sound = True
    for game in games:
        if len(game.options) > 1:
            continue
        reporter = Reporter()
        for check in checks:
            check(game.model, reporter)
        found = reporter.diagnostics
        here = {(each.code, each.span): each for each in found if each.code in _EVERYWHERE}
        kept = here if everywhere is None else everywhere
        everywhere = {key: each for key, each in kept.items() if key in here}
        rest = tuple(each for each in found if each.code not in _EVERYWHERE)
        collected.found(game.players, game.options, rest)
        sound = sound and not rest
    found = tuple((everywhere or {}).values())
    collected.add_general(tuple(each for each in found if each.span.path == own))
    return sound


def _unknown(game: GameOf) -> Verdict:
    expected = _expected(game.model, _TERMINATES)
    return Verdict(
        game.players, game.options, UNKNOWN, game.model.capped, UNKNOWN, expected, tried=False
    )


def _rank(game: GameOf, number: int) -> tuple[bool, bool, int, int]:
    """Where a game stands among those of its ruleset: the more important ones come first."""
    return bool(game.options), not game.thorough, len(game.options), number


def _expected(game: m.Game, what: str) -> str | None:
    return next((each.expect for each in game.expectations if each.id == what), None)


def _mismatches(game: GameOf, verdict: Verdict) -> Reporter:
    """Expectations of the file that are not what was found.

    Of a game with other options that nobody asked for count those that name options; and if it was
    not looked at with all that there is, that nothing was shown of it tells nothing.
    """
    from gemwright.validator.keeping import kept_in_play

    reporter = Reporter()
    verdicts = {_TERMINATES: verdict.termination, _NEVER_STUCK: verdict.deadlock_free}
    if _expected(game.model, _CONSERVED) not in (None, "proved"):
        verdicts[_CONSERVED] = kept_in_play(game.model)
    for each in game.model.expectations:
        found = verdicts.get(each.id)
        silent = found == UNKNOWN and not game.thorough
        meant = game.asked or not game.options or each.options
        if found is not None and found != each.expect and meant and not silent:
            # What was not settled contradicts nobody; it only leaves the author's word unproved.
            report = reporter.warning if found == UNKNOWN else reporter.error
            report(
                "T013",
                each.span,
                f"the file expects `{each.id}` to be {each.expect}, and it is {found}",
                _help(each.expect, found),
            )
    return reporter


def _help(expected: str, found: str) -> str:
    if found == UNKNOWN:
        return "nothing was shown either way"
    if expected == UNKNOWN:
        return f"write `expect: {found}`: more is known than the file says"
    return "either the rules have changed or the expectation is wrong"
