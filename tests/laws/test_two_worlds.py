"""The two-world law on every bundled ruleset; and that its harness catches what leaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.dsl.ruleset import bundled, open_ruleset
from gemwright.interpreter import events as e
from gemwright.interpreter.game import Game
from gemwright.interpreter.information import knowledge, views
from gemwright.interpreter.information import seen as logs
from gemwright.interpreter.information.sight import Sight, Viewer
from gemwright.interpreter.option_sets import OptionSet, singles
from gemwright.interpreter.state import State

from ..interpreter.models import (
    INT,
    ME,
    SPAN,
    Builder,
    assign,
    compare,
    count_in,
    face,
    local,
    lot,
    lot_vector,
    move_all,
    move_picked,
    move_top,
    num,
    numbers,
    openly,
    piece,
    place,
    read,
    scalar,
    size_of,
    source,
    start,
)
from ..interpreter.sights import with_sight
from .two_worlds import Report, two_worlds

RED, GREEN, BLUE = 0, 1, 2
WANTED = 1000


# -- bundled rulesets


RULESETS = sorted(bundled())
"""All rulesets of the package: folders with NAME/NAME.gem.yaml, and their variants."""

GAMES_OF_THEIR_OWN = sorted(name for name, path in bundled().items() if path.parent.name == name)
"""Those that are no variants, which differ from their base in a few lines."""


def model(name: str, players: int | None = None, options: OptionSet | None = None) -> m.Game | None:
    """The game model; None where the options do not go together."""
    reporter = Reporter()
    rules = open_ruleset(name, reporter)
    assert rules is not None, reporter.diagnostics
    return rules.instantiate(players or rules.default_players, options or {}, reporter)


def player_counts(name: str) -> range:
    rules = open_ruleset(name, Reporter())
    assert rules is not None
    return range(rules.players[0], rules.players[1] + 1)


def law(models: Sequence[m.Game | None], wanted: int) -> None:
    """Play the models in turn, each with every viewer."""
    games = [Game(each) for each in models if each is not None]
    report = two_worlds(lambda number: games[number % len(games)].start(number), wanted=wanted)
    assert not report.leaks, str(report)
    assert report.differing >= wanted, str(report)
    assert report.blind == 0, str(report)


@pytest.mark.parametrize("name", RULESETS)
def test_a_ruleset_lets_nothing_out(name: str) -> None:
    wanted = WANTED if name in GAMES_OF_THEIR_OWN else WANTED // 4
    law([model(name, players) for players in player_counts(name)], wanted)


def sight_of(game: m.Game) -> object:
    """What a game declares about who sees what, by name."""
    secret = [[each.secret for each in action.parameters] for action in game.actions]
    zones = {zone.name: zone.sight for zone in game.zones}
    return zones, {each.name: each.sight for each in game.variables}, secret


@pytest.mark.parametrize("name", GAMES_OF_THEIR_OWN)
def test_options_about_who_sees_what_let_nothing_out(name: str) -> None:
    rules, usual = open_ruleset(name, Reporter()), model(name)
    assert rules is not None and usual is not None
    for options in singles(rules):
        other = model(name, None, options)
        if other is not None and sight_of(other) != sight_of(usual):
            law([other], WANTED // 4)


# -- a small game with everything that hides


class Hiding:
    """Stones are drawn into hands, put down, shown, traded and thrown away.

    Hands and bids are seen by their owners, deck and bag by nobody; on a rack GREEN and BLUE look
    the same to others. One action publishes what is in a hand.
    """

    def __init__(self) -> None:
        build = Builder(3, red=6, green=5, blue=4)
        self.build = build
        self.deck = build.zone("deck", order="stack")
        self.hand = build.zone("hand", per=True)
        self.rack = build.zone("rack", per=True)
        self.bag = build.zone("bag")
        self.table = build.zone("table", order="row")
        self.active = build.role("active")
        self.bid = build.variable("bid", t.Type(t.Base.INT, 0, 3), per=True)
        self.score = build.number("score")
        self.setting_up()
        self.turns()

    def setting_up(self) -> None:
        build = self.build
        deal = [
            move_top(2, source(self.deck), place(self.hand, t.Const(t.PLAYER, SPAN, seat)))
            for seat in range(3)
        ]
        build.do(
            move_all(build.all, source(build.box), place(self.deck), shuffled=True), *deal, next=1
        )

    def turns(self) -> None:
        build, hand = self.build, self.hand
        stone, given = piece("what", 1, hand, ME), lot("given", 1, (hand, ME))
        size_of_lot = t.VectorSum(INT, SPAN, lot_vector(given))
        whom = scalar("whom", 1, t.Players(other=ME), type=t.PLAYER)
        amount = replace(scalar("amount", 1, numbers(1, 3), 1, 3), secret=True)
        actions = (
            build.action("draw", self.draw(), where=(self.deck_is(">=", 1),)),
            build.action("lay", move_picked(1, place(self.table)), choose=(stone,)),
            build.action("hang", move_picked(1, place(self.rack, ME)), choose=(stone,)),
            build.action(
                "throw",
                move_picked(1, place(self.bag), lot=True),
                choose=(given,),
                where=(compare(size_of_lot, "=", num(2)),),
            ),
            build.action("bury", move_picked(1, place(self.deck, at="bottom")), choose=(stone,)),
            build.action("peek", m.Show(SPAN, (), source(hand, local(1)), ME), choose=(whom,)),
            build.action("compare", assign(self.score, ":=", openly(self.mine(RED)))),
            build.action("bid", assign(self.bid, ":=", local(1), ME), choose=(amount,)),
            build.action("mix", m.Shuffle(SPAN, (), source(self.deck))),
            build.action(
                "whisper", m.Tell(SPAN, (), self.mine(BLUE), "blue", local(1)), choose=(whom,)
            ),
        )
        self.loop(actions)

    def draw(self) -> m.Statement:
        return move_top(1, source(self.deck), place(self.hand, ME))

    def deck_is(self, op: str, count: int) -> t.Term:
        return compare(size_of(self.deck), op, num(count))

    def mine(self, which: int) -> t.Term:
        return count_in(self.hand, face(which), ME)

    def loop(self, actions: tuple[int, ...]) -> None:
        build = self.build
        counter, origin = build.number("counter"), build.number("origin")
        first = len(build.points)
        build.add(m.LoopStart(0, "turn", SPAN, (), counter.id, origin.id, None, first + 1))
        build.add(
            m.LoopTest(0, "turn", SPAN, (), counter.id, origin.id, None, 3, self.active.id, True,
                       first + 2, first + 4)
        )  # fmt: skip
        build.decide(read(self.active), *actions, next=first + 3)
        build.branch((self.deck_is("=", 0), first + 4), (None, first + 1))
        build.end()

    def game(self) -> m.Game:
        rack = (0, 1, 1)
        return with_sight(
            self.build.game(),
            deck="nobody", hand="owner", bag="nobody", rack=rack, bid="owner",
            counter="nobody", origin="nobody",
        )  # fmt: skip


def run(game: m.Game, wanted: int = 300, **more: Any) -> Report:
    return two_worlds(lambda number: start(game, number), wanted=wanted, moves=60, **more)


def test_nothing_gets_out_of_a_game_that_hides_much() -> None:
    report = run(Hiding().game(), wanted=WANTED)
    assert not report.leaks, str(report)
    assert report.differing >= WANTED
    assert report.licensed > 100
    assert report.blind == 0 and report.broken == 0


# -- what leaks is found


def test_a_log_that_names_secret_picks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    proper = logs.see

    def leaky(sight: Sight, event: e.Event, viewer: Viewer) -> logs.SeenEvent | None:
        if isinstance(event, e.Chosen):
            event = replace(event, secret=(False,) * len(event.secret))
        return proper(sight, event, viewer)

    monkeypatch.setattr(logs, "see", leaky)
    report = run(Hiding().game())
    assert {leak.where for leak in report.leaks} == {"events"}


def test_a_log_that_names_hidden_faces_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    proper = logs.see

    def leaky(sight: Sight, event: e.Event, viewer: Viewer) -> logs.SeenEvent | None:
        seen = proper(sight, event, viewer)
        if isinstance(event, e.Moved) and isinstance(seen, logs.SeenMove):
            looks = tuple(logs.Look((face,), count) for face, count in event.faces)
            return logs.SeenMove(
                seen.source,
                seen.target,
                looks,
                seen.in_order,
                seen.from_end,
                seen.to_end,
                seen.refill,
            )
        return seen

    monkeypatch.setattr(logs, "see", leaky)
    report = run(Hiding().game())
    assert {leak.where for leak in report.leaks} == {"events"}


def test_a_log_that_reports_hidden_assignments_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    proper = logs.see

    def leaky(sight: Sight, event: e.Event, viewer: Viewer) -> logs.SeenEvent | None:
        if isinstance(event, e.Assigned):
            return logs.SeenValue(event.variable, event.position, event.value)
        return proper(sight, event, viewer)

    monkeypatch.setattr(logs, "see", leaky)
    report = run(Hiding().game())
    assert {leak.where for leak in report.leaks} == {"events"}


def test_a_sight_that_is_too_sharp_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sight, "sees_cell", lambda self, variable, position, viewer: True)
    assert "sight" in {leak.where for leak in run(Hiding().game()).leaks}


def test_a_view_that_tells_one_hidden_face_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    proper = knowledge.known

    def leaky(state: State, viewer: Viewer, instance: int) -> dict[int, int]:
        bounds = proper(state, viewer, instance)
        bounds[RED] = state._machine.places.count(instance, RED, state.block)
        return bounds

    monkeypatch.setattr(views, "known", leaky)
    report = run(Hiding().game())
    assert {leak.where for leak in report.leaks} == {"view"}


def test_a_rule_that_reads_another_hand_is_found() -> None:
    hiding = Hiding()
    leaky = _with_where(hiding.game(), "draw", lambda: _next_has_red(hiding))
    report = run(leaky)
    assert "options" in {leak.where for leak in report.leaks}
    leak = report.leaks[0]
    assert leak.one.block != leak.other.block


def test_a_public_value_computed_from_a_hand_is_found() -> None:
    hiding = Hiding()
    game = hiding.game()
    silent = m.Assign(
        SPAN, (), hiding.score.id, None, ":=", count_in(hiding.hand, face(RED), ME)
    )  # fmt: skip
    report = run(_with_do(game, "compare", (silent,)))
    assert "events" in {leak.where for leak in report.leaks}


def test_an_amount_that_a_hand_decides_is_found() -> None:
    hiding = Hiding()
    silent = move_all((RED,), source(hiding.hand, ME), place(hiding.bag))
    report = run(_with_do(hiding.game(), "compare", (silent,)))
    assert "events" in {leak.where for leak in report.leaks}


def test_a_view_of_who_has_sealed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = sealed_game()
    assert not run(game).leaks
    monkeypatch.setattr(
        views, "_deciding", lambda state: tuple(each.player for each in state.pending)
    )
    assert "sealed" in {leak.where for leak in run(game).leaks}


def sealed_game() -> m.Game:
    """Three players, hidden hands; again and again all offer stones at once, onto a table."""
    build = Builder(3, red=9, green=9)
    hand, table, deck = (
        build.zone("hand", per=True),
        build.zone("table"),
        build.zone("deck", order="stack"),
    )
    offer = lot("offer", 1, (hand, ME), high=9)
    give = build.action(
        "offer", move_picked(1, place(table), lot=True), choose=(offer,),
        where=(compare(t.VectorSum(INT, SPAN, lot_vector(offer)), "<=", num(1)),),
    )  # fmt: skip
    deal = [
        move_top(5, source(deck), place(hand, t.Const(t.PLAYER, SPAN, seat))) for seat in range(3)
    ]
    build.do(move_all(build.all, source(build.box), place(deck), shuffled=True), *deal, next=1)
    build.decide(
        None, give, next=2, others=t.Players(), together=True, fallback_pass=True, can_pass=True
    )
    build.branch((compare(size_of(table), ">=", num(12)), 3), (None, 1))
    build.end()
    return with_sight(build.game(), hand="owner", deck="nobody")


def _next_has_red(hiding: Hiding) -> t.Term:
    after = t.Lookup(t.PLAYER, SPAN, (1, 2, 0), ME, 0, "left")
    return compare(count_in(hiding.hand, face(RED), after), ">=", num(1))


def _with_where(game: m.Game, name: str, term: Any) -> m.Game:
    line = m.Line(term(), "a line", (), SPAN, ())
    actions = tuple(
        replace(each, where=(*each.where, line)) if each.name == name else each
        for each in game.actions
    )
    return replace(game, actions=actions)


def _with_do(game: m.Game, name: str, body: tuple[m.Statement, ...]) -> m.Game:
    actions = tuple(replace(each, do=body) if each.name == name else each for each in game.actions)
    return replace(game, actions=actions)
