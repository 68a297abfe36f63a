"""Small transition systems made by hand, shaped like games that people know."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gemwright.validator.abstraction.edge_builder import EdgeBuilder
from gemwright.validator.abstraction.transitions import (
    Cell,
    CellKind,
    Edge,
    Point,
    PointKind,
    TransitionSystem,
)
from gemwright.validator.linear.affine import (
    ONE,
    Constraint,
    at_least,
    at_most,
    equal,
    number,
    unknown,
)

KINDS = {"START": PointKind.START, "END": PointKind.END}


class Sketch:
    """A system under construction: cells and points by name."""

    def __init__(self, *points: str) -> None:
        self.cells: list[Cell] = []
        self.points = list(points)
        self.edges: list[Edge] = []
        self.initial: list[Constraint] = []

    def cell(
        self,
        kind: CellKind,
        low: int | None,
        high: int | None,
        start: int | None,
        name: str,
        index: str = "",
    ) -> int:
        """A new cell; its position."""
        self.cells.append(Cell(kind, low, high, name, index))
        if start is not None:
            self.initial.append(equal(unknown(len(self.cells) - 1), number(start)))
        return len(self.cells) - 1

    def edge(
        self, source: str, target: str, run: Callable[[EdgeBuilder], None], **more: object
    ) -> None:
        """A new edge whose effect `run` builds."""
        builder = EdgeBuilder(self.cells, self.points.index(source))
        run(builder)
        moves = more.pop("moves", 0)
        assert isinstance(moves, int) and not more
        self.edges.append(
            builder.finish(self.points.index(target), moves=moves, label=f"{source} to {target}")
        )

    def system(self, facts: Iterable[Constraint] = ()) -> TransitionSystem:
        """The system; plays begin at the first point."""
        points = tuple(
            Point(
                PointKind.START if place == 0 else KINDS.get(name, PointKind.DECISION), name, place
            )
            for place, name in enumerate(self.points)
        )
        return TransitionSystem(
            tuple(self.cells),
            points,
            tuple(self.edges),
            0,
            tuple(self.initial),
            facts=tuple(facts),
        )


def nothing(_: EdgeBuilder) -> None:
    """No effect."""


def laps(seats: int, cards: int) -> TransitionSystem:
    """Each lap turns over a card, then everybody has a turn; the deck's end is the end."""
    sketch = Sketch("start", "update", "lap", "turn", "next", "END")
    deck = sketch.cell(CellKind.ZONE, 0, cards, cards, "deck")
    pile = sketch.cell(CellKind.ZONE, 0, cards, 0, "pile")
    seat = sketch.cell(CellKind.LOOP, 0, seats, 0, "seat")
    coins = sketch.cell(CellKind.COUNTER, 0, None, 30, "coins")

    def update(edge: EdgeBuilder) -> None:
        edge.require(at_least(edge.value(deck), ONE), "R003", "a card is there", None)
        edge.move(deck, pile, ONE)

    def trade(edge: EdgeBuilder) -> None:
        edge.add(coins, edge.parameter(-50, 50, "gain"))

    def take_seat(edge: EdgeBuilder) -> None:
        edge.assume(at_most(edge.value(seat), number(seats - 1)))
        edge.add(seat, ONE)

    sketch.edge("start", "update", nothing)
    sketch.edge("update", "END", lambda e: (update(e), e.assume(at_most(e.value(deck), 0)))[0])
    sketch.edge(
        "update",
        "lap",
        lambda e: (update(e), e.assume(at_least(e.value(deck), 1)), e.assign(seat, number(0)))[0],
    )
    sketch.edge("lap", "turn", take_seat)
    sketch.edge("turn", "lap", trade, moves=1)
    sketch.edge("lap", "next", lambda e: e.assume(at_least(e.value(seat), number(seats))))
    sketch.edge("next", "update", nothing)
    return sketch.system()


def market(
    seats: int, stones: int, limit: int, *, may_pass: bool = False, ways: int = 1
) -> TransitionSystem:
    """Take up to three stones from the bank (in one of some `ways` to do so), give back what is
    above the limit; buy a card with stones. Who cannot take has to pass; `seats` passes in a row
    are the end."""
    cards, shown = 40, 12
    names = [f"{part}{seat}" for seat in range(seats) for part in ("act", "over", "done")]
    sketch = Sketch("start", *names, "END")
    bank = sketch.cell(CellKind.ZONE, 0, stones, stones, "bank")
    hands = [
        sketch.cell(CellKind.ZONE, 0, stones, 0, "hand", f"P{seat + 1}") for seat in range(seats)
    ]
    deck = sketch.cell(CellKind.ZONE, 0, cards, cards - shown, "deck")
    row = sketch.cell(CellKind.ZONE, 0, shown, shown, "row")
    bought = sketch.cell(CellKind.ZONE, 0, cards, 0, "bought")
    passes = sketch.cell(CellKind.COUNTER, 0, seats, 0, "passes")

    def take(edge: EdgeBuilder, hand: int, way: int) -> None:
        taken = edge.parameter(1, 3 + way, "taken")
        edge.move(bank, hand, taken)
        edge.assign(passes, number(0))

    def buy(edge: EdgeBuilder, hand: int, refill: bool) -> None:
        edge.move(hand, bank, edge.parameter(0, 7, "price"))
        edge.move(row, bought, ONE)
        if refill:
            edge.move(deck, row, ONE)
        else:
            edge.assume(at_most(edge.value(deck), number(0)))
        edge.assign(passes, number(0))

    def skip(edge: EdgeBuilder, last: bool) -> None:
        if not may_pass:
            edge.assume(at_most(edge.value(bank), number(0)))
        edge.add(passes, ONE)
        most = number(seats - 1)
        edge.assume(
            at_least(edge.value(passes), most + 1) if last else at_most(edge.value(passes), most)
        )

    def give_back(edge: EdgeBuilder, hand: int) -> None:
        edge.assume(at_least(edge.value(hand), number(limit + 1)))
        edge.move(hand, bank, edge.value(hand) - limit)

    sketch.edge("start", "act0", nothing)
    for seat, hand in enumerate(hands):
        act, over, done = (f"{part}{seat}" for part in ("act", "over", "done"))
        for way in range(ways):
            sketch.edge(act, over, lambda e, h=hand, w=way: take(e, h, w), moves=1)
        sketch.edge(act, over, lambda e, h=hand: buy(e, h, True), moves=1)
        sketch.edge(act, over, lambda e, h=hand: buy(e, h, False), moves=1)
        sketch.edge(act, over, lambda e: skip(e, False), moves=1)
        sketch.edge(act, "END", lambda e: skip(e, True), moves=1)
        sketch.edge(over, done, lambda e, h=hand: give_back(e, h), moves=1)
        sketch.edge(over, done, lambda e, h=hand: e.assume(at_most(e.value(h), number(limit))))
        sketch.edge(done, f"act{(seat + 1) % seats}", nothing)
    return sketch.system()


def reshuffling(times: int | None) -> TransitionSystem:
    """Draw a card each turn; an empty deck is refilled from the discards, so many times."""
    sketch = Sketch("start", "draw", "turn", "END")
    deck = sketch.cell(CellKind.ZONE, 0, 30, 30, "deck")
    hand = sketch.cell(CellKind.ZONE, 0, 30, 0, "hand")
    discards = sketch.cell(CellKind.ZONE, 0, 30, 0, "discards")
    used = sketch.cell(CellKind.COUNTER, 0, None if times is None else times, 0, "reshuffles")

    def renew(edge: EdgeBuilder) -> None:
        edge.assume(at_most(edge.value(deck), number(0)))
        edge.assume(at_least(edge.value(discards), ONE))
        edge.move(discards, deck, edge.value(discards))
        if times is not None:
            edge.assume(at_most(edge.value(used), number(times - 1)))
        edge.add(used, ONE)

    def end(edge: EdgeBuilder) -> None:
        edge.assume(at_most(edge.value(deck), number(0)))

    def draw(edge: EdgeBuilder) -> None:
        edge.assume(at_least(edge.value(deck), ONE))
        edge.move(deck, hand, ONE)

    sketch.edge("start", "draw", nothing)
    sketch.edge("draw", "draw", renew)
    sketch.edge("draw", "END", end)
    sketch.edge("draw", "turn", draw)
    sketch.edge("turn", "draw", lambda e: e.move(hand, discards, ONE), moves=1)
    return sketch.system()


def closing_card(draws: int) -> TransitionSystem:
    """A round lasts until the closing card, one of the deck, is drawn; a turn draws up to `draws`
    cards as far as there are any. There are three rounds."""
    sketch = Sketch("start", "deal", "turn", "between", "END")
    rounds = sketch.cell(CellKind.COUNTER, 0, 3, 0, "rounds")
    deck = sketch.cell(CellKind.ZONE, 0, 20, 0, "deck")
    plain = sketch.cell(CellKind.ZONE, 0, 20, 0, "plain in deck")
    closing = sketch.cell(CellKind.ZONE, 0, 1, 0, "closing in deck")
    table = sketch.cell(CellKind.ZONE, 0, 19, 19, "plain on table")
    seen = sketch.cell(CellKind.ZONE, 0, 1, 1, "closing on table")
    facts = [equal(unknown(deck), unknown(plain) + unknown(closing))]

    def deal(edge: EdgeBuilder) -> None:
        edge.add(rounds, ONE)
        edge.add(deck, edge.value(table) + edge.value(seen))
        edge.move(table, plain, edge.value(table))
        edge.move(seen, closing, edge.value(seen))

    def draw(edge: EdgeBuilder, all_of_it: bool, ends: bool) -> None:
        ordinary = edge.parameter(0, draws, "ordinary")
        last = edge.parameter(0, 1, "closing")
        if all_of_it:
            edge.assume(at_most(edge.value(deck), number(draws - 1)))
            edge.assume(equal(ordinary + last, edge.value(deck)))
        else:
            edge.assume(equal(ordinary + last, number(draws)))
        edge.add(deck, -ordinary - last)
        edge.move(plain, table, ordinary)
        edge.move(closing, seen, last)
        at_end = edge.value(seen)
        edge.assume(at_least(at_end, ONE) if ends else at_most(at_end, number(0)))

    sketch.edge("start", "deal", nothing)
    sketch.edge("deal", "turn", deal)
    for all_of_it in (False, True):
        sketch.edge("turn", "turn", lambda e, a=all_of_it: draw(e, a, False), moves=1)
        sketch.edge("turn", "between", lambda e, a=all_of_it: draw(e, a, True), moves=1)
    sketch.edge("between", "deal", lambda e: e.assume(at_most(e.value(rounds), number(2))))
    sketch.edge("between", "END", lambda e: e.assume(at_least(e.value(rounds), number(3))))
    return sketch.system(facts)


def either_way() -> TransitionSystem:
    """A counter goes up to its end in some games and down in others."""
    sketch = Sketch("start", "turn")
    up = sketch.cell(CellKind.COUNTER, 0, 1, 0, "up")
    counter = sketch.cell(CellKind.COUNTER, 0, 9, 4, "counter")

    def rise(edge: EdgeBuilder) -> None:
        edge.assume(at_least(edge.value(up), ONE))
        edge.add(counter, edge.parameter(1, 2, "rise"))

    def fall(edge: EdgeBuilder) -> None:
        edge.assume(at_most(edge.value(up), number(0)))
        edge.add(counter, -edge.parameter(1, 2, "fall"))

    sketch.edge("start", "turn", lambda e: e.havoc(up))
    sketch.edge("turn", "turn", rise, moves=1)
    sketch.edge("turn", "turn", fall, moves=1)
    return sketch.system()
