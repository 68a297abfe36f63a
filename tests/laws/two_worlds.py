"""The two-world law: what a player cannot know never reaches him.

Random games are played. At each decision a second world is made by `resample`, with the same chance
to come, and both must give the viewer equal views, options, counts and refusals. Then moves are
made in both that look the same to him: what he sees must stay equal up to the first event whose
difference is licensed (`oracle.py` says so, without the code under test). After it the pair has
done its duty and is dropped.

A report counts pairs, those that really differ in hidden content, and leaks with both states.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from gemwright.dsl.model import game as m
from gemwright.interpreter import events as e
from gemwright.interpreter.block import POINT
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.decision import Decision, Option
from gemwright.interpreter.information import resample as resampling
from gemwright.interpreter.information import seen as logs
from gemwright.interpreter.information import views
from gemwright.interpreter.information.knowledge import memory
from gemwright.interpreter.moves import Move
from gemwright.interpreter.option_space import Step
from gemwright.interpreter.problem import RuntimeProblem
from gemwright.interpreter.state import State

from .oracle import Oracle

WALK_BUDGET = 24
"""How many prefixes of a walk are compared at one decision."""


@dataclass(frozen=True, slots=True)
class Leak:
    """Something that differs, seen by the viewer, though nothing licenses it."""

    where: str
    viewer: int
    text: str
    one: State
    other: State


@dataclass(slots=True)
class Report:
    """What a run of the law found."""

    games: int = 0
    pairs: int = 0
    differing: int = 0
    """Pairs whose hidden content really differs."""
    licensed: int = 0
    """Pairs that were dropped at a difference that the viewer may see."""
    broken: int = 0
    """Pairs dropped because the rules met a problem in one world only."""
    blind: int = 0
    """Licensed differences that the log did not show: it tells less than it may."""
    leaks: list[Leak] = field(default_factory=list)

    def __str__(self) -> str:
        text = (
            f"{self.games} games, {self.pairs} pairs, {self.differing} differing, "
            f"{self.licensed} licensed, {self.broken} broken, {self.blind} blind, "
            f"{len(self.leaks)} leaks"
        )
        return "\n".join([text, *(f"{leak.where}: {leak.text}" for leak in self.leaks[:5])])


def two_worlds(
    start: Callable[[int], State],
    viewer: int | None = None,
    *,
    wanted: int = 1000,
    seed: int = 1,
    follow: int = 2,
    games: int = 2000,
    moves: int = 300,
    stop_at: int = 20,
) -> Report:
    """Play until `wanted` differing pairs were compared, or `games` are over.

    Args:
        start: makes the first state of the game number n.
        viewer: a seat; None takes the seats in turn, game by game.
        follow: how many moves a pair is followed.
        moves: how many moves of a game are played at most.
        stop_at: stop after so many leaks.
    """
    report = Report()
    stream = Stream(seed, 0, 99)
    for number in range(games):
        state = start(number)
        report.games += 1
        seat = number % state.model.players if viewer is None else viewer
        if number < state.model.players:
            _sight_is_as_declared(report, state, seat)
        for _ in range(moves):
            if state.is_over:
                break
            _pair(report, state, seat, stream, follow)
            if len(report.leaks) >= stop_at:
                return report
            _sealed_is_silent(report, state, seat, stream)
            decision, move = _random_move(state, stream)
            state.apply(move, decision.player)
        if report.differing >= wanted:
            break
    return report


def _random_move(state: State, stream: Stream) -> tuple[Decision, Move]:
    decision = state.pending[stream.below(len(state.pending))]
    return decision, decision.sample(stream, "walk")


def _sight_is_as_declared(report: Report, state: State, viewer: int) -> None:
    """Pairs are made with the sight under test: if it is too sharp, they differ too little."""
    sight, model = memory(state).sight, state.model
    for zone in model.zones:
        for number in range(zone.size):
            classes = dict(zip(zone.faces, zone.sight[number][viewer], strict=True))
            for face, alike in sight.alike(zone.first + number, viewer).items():
                if alike != tuple(each for each in zone.faces if classes[each] == classes[face]):
                    text = f"{zone.name}[{number}]: {face} looks like {alike}"
                    report.leaks.append(Leak("sight", viewer, text, state, state))
    for variable in model.variables:
        for position, label in enumerate(variable.labels):
            mine = variable.sight == "owner" and label == f"P{viewer + 1}"
            if sight.sees_cell(variable.id, position, viewer) != (variable.sight == "all" or mine):
                text = f"{variable.name}[{label}]"
                report.leaks.append(Leak("sight", viewer, text, state, state))


# -- one pair


def _pair(report: Report, state: State, viewer: int, stream: Stream, follow: int) -> None:
    one, other = state.clone(), resampling.resample(state, viewer, stream)
    chance = state.model.chance_offset
    other.block[chance : chance + 2] = one.block[chance : chance + 2]
    report.pairs += 1
    report.differing += one.block != other.block
    found = len(report.leaks)
    _compare(report, one, other, viewer, stream)
    for _ in range(follow):
        if one.is_over or other.is_over or len(report.leaks) > found:
            return
        if not _step(report, one, other, viewer, stream):
            return
        _compare(report, one, other, viewer, stream)


def _step(report: Report, one: State, other: State, viewer: int, stream: Stream) -> bool:
    """Make moves in both worlds that the viewer cannot tell apart; False: the pair is dropped."""
    decision, move = _random_move(one, stream)
    before = one.clone(), other.clone()
    oracle = Oracle(before, viewer)
    twin = _decision(other, decision.player)
    also = None if twin is None else oracle.same_move(move, twin, stream)
    if also is None:
        if decision.player == viewer:
            report.leaks.append(Leak("options", viewer, f"{move} in one world only", one, other))
        return False
    events = one.apply(move, decision.player), other.apply(also, decision.player)
    if one.problem is not None or other.problem is not None:
        report.broken += one.problem != other.problem
        return False
    verdict = oracle.judge(events, (one, other))
    sight = memory(one).sight
    seen = [
        logs.see_all(sight, found[:cut], viewer)
        for found, cut in zip(events, verdict.cuts, strict=True)
    ]
    if seen[0] != seen[1]:
        text = _first_difference(seen[0], seen[1])
        report.leaks.append(Leak("events", viewer, text, *before))
        return False
    if verdict.licensed:
        report.licensed += 1
        report.blind += verdict.is_blind(sight, events, viewer)
        return False
    return one.result == other.result


def _first_difference(one: Sequence[object], other: Sequence[object]) -> str:
    for left, right in zip(one, other, strict=False):
        if left != right:
            return f"{left} against {right}"
    longer = one if len(one) > len(other) else other
    return f"{longer[min(len(one), len(other))]} against nothing"


def _decision(state: State, player: int) -> Decision | None:
    return next((each for each in state.pending if each.player == player), None)


# -- what must be equal now


def _compare(report: Report, one: State, other: State, viewer: int, stream: Stream) -> None:
    left, right = views.view(one, viewer), views.view(other, viewer)
    if left != right:
        text = _view_difference(left, right)
        report.leaks.append(Leak("view", viewer, text, one, other))
        return
    if logs.log(one, viewer) != logs.log(other, viewer):
        text = _first_difference(logs.log(one, viewer), logs.log(other, viewer))
        report.leaks.append(Leak("log", viewer, text, one, other))
        return
    mine, also = _decision(one, viewer), _decision(other, viewer)
    if mine is None and also is None:
        return
    if mine is None or also is None:
        report.leaks.append(Leak("options", viewer, "asked in one world only", one, other))
        return
    text = _option_difference(mine, also) or _refusal_difference(one, mine, also, stream)
    if text:
        report.leaks.append(Leak("options", viewer, text, one, other))


def _view_difference(one: views.View, other: views.View) -> str:
    for zone, twin in zip(one.zones, other.zones, strict=True):
        if zone != twin:
            return f"{zone} against {twin}"
    plain = (replace(each, zones=()) for each in (one, other))
    return " against ".join(map(str, plain))


def _option_difference(one: Decision, other: Decision) -> str:
    """The first difference of two walks, breadth first within a budget; '' if none."""
    if one.count() != other.count():
        return f"{one.count()} moves against {other.count()}"
    # One world after the other: a walker keeps what it knows of the decision that it saw last.
    for (prefix, options), (_, others) in zip(_walked(one), _walked(other), strict=False):
        if options != others:
            return f"after {prefix}: {options} against {others}"
    return ""


def _walked(decision: Decision) -> list[tuple[tuple[Step, ...], tuple[Option, ...]]]:
    """What may follow each of the first prefixes of a decision, breadth first."""
    waiting: list[tuple[Step, ...]] = [()]
    found = []
    for prefix in waiting:
        options = decision.options(prefix)
        found.append((prefix, options))
        if len(waiting) < WALK_BUDGET:
            waiting.extend((*prefix, option.step) for option in options)
    return found


def _refusal_difference(state: State, one: Decision, other: Decision, stream: Stream) -> str:
    """Refusals are a channel, too: spoil a legal move a little and compare the reasons."""
    move = one.sample(stream, "walk")
    for values in _spoiled(move.values):
        spoiled = Move(move.action, values)
        try:
            reasons = one.check(spoiled), other.check(spoiled)
        except (RuntimeProblem, ValueError, IndexError):
            continue
        if reasons[0] != reasons[1]:
            return f"{spoiled}: {reasons[0]} against {reasons[1]}"
    return ""


def _spoiled(values: tuple[e.Value, ...]) -> list[tuple[e.Value, ...]]:
    found: list[tuple[e.Value, ...]] = []
    for position, value in enumerate(values):
        new: list[e.Value] = []
        if isinstance(value, int):
            new.append(value + 1)
        else:
            cells = range(len(value))
            new.extend((*value[:at], value[at] + 1, *value[at + 1 :]) for at in cells[-3:])
        found += [(*values[:position], each, *values[position + 1 :]) for each in new]
    return found


def _sealed_is_silent(report: Report, state: State, viewer: int, stream: Stream) -> None:
    """While picks are sealed, nobody sees that another has chosen."""
    point = state.model.points[state.block[POINT]]
    others = [each for each in state.pending if each.player != viewer]
    if not isinstance(point, m.Decide) or not point.together or not others:
        return
    after = state.clone()
    decision = others[stream.below(len(others))]
    events = after.apply(decision.sample(stream, "walk"), decision.player)
    if events or after.is_over or after.block[POINT] != state.block[POINT]:
        return
    if len(after.pending) >= len(state.pending):
        return
    if views.view(after, viewer) != views.view(state, viewer):
        text = _view_difference(views.view(state, viewer), views.view(after, viewer))
        report.leaks.append(Leak("sealed", viewer, text, state, after))
