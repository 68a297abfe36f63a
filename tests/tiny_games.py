"""Rulesets of a few pieces, made at random: small enough to be played in every way there is.

Each number stands for one text. Many of the texts are no rules (a guard is missing, a condition
cannot be walked); those that load use the sentences, picks and phases of the language in mixtures
that nobody would think of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from gemwright.interpreter.chance import Stream

T = TypeVar("T")

_HEAD: Final = """\
language: 1
game: tiny
players: {players}
kinds:
  card:
    columns: {{worth: 0..2, good: flag, cost: {{per: hue, range: 0..2}}}}
    rows:
      - [nil, 0, false, 0]
      - [one, 1, true, {{red: 1}}]
      - [two, 2, {flag}, {{red: 1, blue: 1}}]
    count: 1
  stone: {{members: [big, small], count: {stones}}}
  hue: [red, blue]
zones:
  deck: {{holds: card, order: stack}}
  pile: {{holds: card, order: stack{pile}}}
  row: {{holds: card, order: row of {slots}{refill}}}
  hand: {{holds: card + stone, per: player}}
  own: {{holds: card, per: player, order: stack}}
  shelf: {{holds: card + stone}}
  bag: {{holds: stone}}
state:
  n: 0..3
  f: flag
  who: player
  any: card
  points: {{per: player, range: 0..2}}
  price: {{per: hue, range: 0..2, start: {price}}}
"""

_TAIL: Final = """\
result: {score: 0}
"""


@dataclass(frozen=True, slots=True)
class Scope:
    """What names there are: `me` and roles as players, picked and bound pieces, lots, members,
    numbers."""

    players: tuple[str, ...] = ("seat(1)", "who")
    cards: tuple[str, ...] = ()
    lots: tuple[str, ...] = ()
    stones: tuple[str, ...] = ("big", "small")
    numbers: tuple[str, ...] = ()
    depth: int = 2

    def inner(self) -> Scope:
        """One level deeper."""
        return replace(self, depth=self.depth - 1)


class Writer:
    """Writes one ruleset."""

    def __init__(self, number: int) -> None:
        self._stream = Stream(0, number, 3_000)
        self._names = 0

    def ruleset(self) -> str:
        """The text."""
        players = self.pick((1, 2, 2, 2, 3))
        head = _HEAD.format(
            players=players,
            stones=1 if players > 2 else self.pick((1, 2)),
            flag=self.pick(("true", "false")),
            slots=self.pick((1, 2)),
            refill=self.pick(("", ", refill: deck", ", refill: deck")),
            pile=self.pick(("", "", ", limit: 2")),
            price=self.pick((0, 1, 2)),
        )
        scope = Scope()
        setup = "setup: |\n" + "".join(f"  {line}\n" for line in self._setup(players, scope))
        return head + setup + self._phases() + self._actions() + _TAIL

    # -- choosing

    def below(self, n: int) -> int:
        """A number."""
        return self._stream.below(n)

    def pick(self, values: Sequence[T]) -> T:
        """One of some values."""
        return values[self.below(len(values))]

    def name(self, start: str) -> str:
        """A new name."""
        self._names += 1
        return f"{start}{self._names}"

    # -- expressions

    def player(self, scope: Scope) -> str:
        """Somebody."""
        found = self.pick(scope.players)
        return f"left of {found}" if self.below(6) == 0 and " " not in found else found

    def zone(self, scope: Scope, kind: str = "any") -> str:
        """A place: 'card', 'stone', 'stack', or 'any'."""
        plain = {
            "card": ("deck", "pile", "row", "shelf", "hand", "own"),
            "stone": ("shelf", "bag", "hand", "hand"),
            "stack": ("deck", "pile", "own"),
            "any": ("deck", "pile", "row", "shelf", "bag", "hand", "own"),
        }[kind]
        found = self.pick(plain)
        return f"{found}[{self.player(scope)}]" if found in ("hand", "own") else found

    def number(self, scope: Scope) -> str:
        """A number."""
        if scope.depth <= 0 or self.below(3) == 0:
            return self.pick(("0", "1", "1", "2", "n", *scope.numbers))
        inner = scope.inner()
        made: tuple[Callable[[], str], ...] = (
            lambda: f"size of {self.zone(inner)}",
            lambda: f"points[{self.player(inner)}]",
            lambda: f"price[{self.pick(('red', 'blue'))}]",
            lambda: f"(sum of worth over cards in {self.zone(inner, 'card')})",
            lambda: f"(count of cards in {self.zone(inner, 'card')} with good)",
            lambda: f"{self.zone(inner, 'stone')}[{self.pick(scope.stones)}]",
            lambda: f"min({self.number(inner)}, {self.number(inner)})",
            lambda: f"max({self.number(inner)}, {self.number(inner)})",
            lambda: f"({self.number(inner)} + {self.number(inner)})",
            lambda: f"({self.number(inner)} - {self.number(inner)})",
            lambda: f"({self.number(inner)} if {self.condition(inner)} else {self.number(inner)})",
            lambda: f"seat of {self.player(inner)}",
            lambda: "(sum of points[q] over player q)",
            lambda: f"(count of player q with size of hand[q] >= {self.number(inner)})",
            lambda: "(size of (vector over hue h of price[h]))",
            lambda: f"(count of stone s with {self.zone(inner, 'stone')}[s] >= 1)",
            lambda: "(max of size of hand[q] over player q)",
            *(lambda lot=lot: f"size of {lot}" for lot in scope.lots),
            *(lambda lot=lot: f"{lot}[{self.pick(scope.stones)}]" for lot in scope.lots),
            *(lambda card=card: f"{card}.worth" for card in scope.cards),
            *(lambda card=card: f"size of {card}.cost" for card in scope.cards),
            *(lambda card=card: f"{card}.cost[blue]" for card in scope.cards),
        )
        return self.pick(made)()

    def condition(self, scope: Scope) -> str:
        """A condition."""
        if scope.depth <= 0:
            return self.pick(("f", "n = 1", "n >= 2", "f"))
        inner = scope.inner()
        card = self.name("c")
        stack = self.zone(inner, "stack")
        made: tuple[Callable[[], str], ...] = (
            lambda: f"{self.number(inner)} {self._comparison()} {self.number(inner)}",
            lambda: f"{self.number(inner)} {self._comparison()} {self.number(inner)}",
            lambda: f"{self.zone(inner)} is {self.pick(('', 'not '))}empty",
            lambda: f"(some card {card} in {self.zone(inner, 'card')} has {card}.good)",
            lambda: f"(some stone {card} has {self.zone(inner, 'stone')}[{card}] >= 2)",
            lambda: f"(every player q has {self.condition(replace(inner, players=('q',)))})",
            lambda: f"{self.player(inner)} is {self.player(inner)}",
            lambda: f"{self.player(inner)} is out",
            lambda: f"{stack}.top is {self.pick(('nil', 'one', 'two'))}",
            lambda: f"({stack} is not empty and {stack}.top.good)",
            lambda: f"not {self.condition(inner)}",
            lambda: f"({self.condition(inner)} and {self.condition(inner)})",
            lambda: f"({self.condition(inner)} or {self.condition(inner)})",
            lambda: f"({self.condition(inner)} implies {self.condition(inner)})",
            lambda: f"any.worth >= {self.number(inner)}",
            lambda: "any.cost <= (vector over hue h of price[h])",
            *(lambda card=card: f"{card}.good" for card in scope.cards),
            *(lambda lot=lot: f"{lot} != {self.zone(inner, 'stone')}" for lot in scope.lots),
        )
        return self.pick(made)()

    def _comparison(self) -> str:
        return self.pick(("=", "!=", "<", "<=", ">", ">="))

    # -- sentences

    def sentences(self, scope: Scope, count: int, indent: str) -> list[str]:
        """Lines of a block; what was picked is moved at most once."""
        lines: list[str] = []
        for _ in range(count):
            lines += [f"{indent}{line}" for line in self._sentence(scope)]
        return lines

    def _sentence(self, scope: Scope) -> list[str]:
        inner = scope.inner()
        member, stone = self.pick(("nil", "one", "two")), self.pick(scope.stones)
        stack, source = self.zone(scope, "stack"), self.zone(scope, "stone")
        somebody, number = self.player(scope), self.number(inner)
        made: tuple[Callable[[], list[str]], ...] = (
            lambda: [f"n := {number}"],
            lambda: [f"n := min(3, max(0, {number}))"],
            lambda: [f"f := {self.pick(('true', 'false'))}"],
            lambda: [f"f := {self.condition(inner)}"],
            lambda: [f"who := {somebody}"],
            lambda: ["who := random player"],
            lambda: ["any := random card"],
            lambda: [f"any := {self.pick(('nil', 'one', 'two', *scope.cards))}"],
            lambda: [f"n := random number in {self.pick('012')}..{self.number(inner)}"],
            lambda: [f"points[{somebody}] {self.pick(('+=', '-=', ':='))} {number}"],
            lambda: [f"price[{self.pick(('red', 'blue'))}] := {number}"],
            lambda: [f"move {stone} from {source} to {self.zone(scope, 'stone')}"],
            lambda: [
                f"if {source}[{stone}] >= 1: "
                f"move 1 {stone} from {source} to {self.zone(scope, 'stone')}"
            ],
            lambda: [f"move all stones in {source} to {self.zone(scope, 'stone')}"],
            lambda: [f"move {self.zone(scope, 'stack')} to {self.zone(scope, 'card')}"],
            lambda: [
                f"move all cards in {self.zone(scope, 'card')} with worth >= 1"
                f" to {self.zone(scope, 'card')}"
            ],
            lambda: [f"move every card to {self.pick(('deck', 'pile'))}{self._shuffled()}"],
            lambda: [f"move every stone to {self.pick(('bag', 'shelf'))}"],
            lambda: [f"if {stack} is not empty: move top of {stack} to {self._goal(scope)}"],
            lambda: [f"if {stack} is not empty: move bottom of {stack} to {self._goal(scope)}"],
            lambda: [f"move top min(2, size of {stack}) of {stack} to {self._goal(scope)}"],
            lambda: [f"move {{1 big, 1 small}} from {source} to shelf"],
            lambda: [f"move 1 random stones from {source} to {self.zone(scope, 'stone')}"],
            lambda: [f"if {self.condition(inner)}:", *self.sentences(inner, 1, "  ")],
            lambda: self._loop(inner),
            lambda: self._let(inner),
            lambda: [f"eliminate {somebody}"] if self.below(3) == 0 else ["n := 0"],
            lambda: [f"if {self.zone(scope, 'card')}[{member}] >= 1: n := 1"],
        )
        return self.pick(made)() if scope.depth > 0 else self.pick(made[:15])()

    def _goal(self, scope: Scope) -> str:
        goal = self.zone(scope, "card")
        if goal.startswith(("deck", "pile", "own")):
            at = self.pick(("", "top of ", "bottom of ", "a random place among the bottom n of "))
            return f"{at}{goal}{self._shuffled()}"
        return goal

    def _shuffled(self) -> str:
        return self.pick(("", "", ", shuffled"))

    def _loop(self, scope: Scope) -> list[str]:
        name = self.name("q")
        start = f" clockwise from {self.pick(scope.players)}" if self.below(2) else ""
        if self.below(4) == 0:
            here = replace(scope, stones=(*scope.stones, name))
            return [f"for each stone {name}:", *self.sentences(here, 1, "  ")]
        here = replace(scope, players=(*scope.players, name, name))
        return [
            f"for each player {name}{start if '(' not in start else ''}:",
            *self.sentences(here, 1 + self.below(2), "  "),
        ]

    def _let(self, scope: Scope) -> list[str]:
        name = self.name("v")
        if self.below(3) == 0:
            lines = [f"let {name} = {self.number(scope)}"]
            here = replace(scope, numbers=(*scope.numbers, name, name))
            return [*lines, *self.sentences(here, 1, "")]
        if self.below(2):
            here = replace(scope, lots=(*scope.lots, name))
            between = self.sentences(scope, 1, "")
            after = [f"n := min(3, max(0, {self.number(replace(here, depth=1))}))"]
            extra = [f"n := min(3, (sum of worth over cards in {name}))"]
            return [f"let {name} = {self.zone(scope)}", *between, *self.pick((after, extra))]
        stack = self.zone(scope, "stack")
        here = replace(scope, cards=(*scope.cards, name))
        return [
            f"if {stack} is not empty:",
            f"  let {name} = {stack}.top",
            *self.sentences(here, 2, "  "),
        ]

    # -- parts of a file

    def _setup(self, players: int, scope: Scope) -> list[str]:
        lines = [f"move every card to {self.pick(('deck', 'deck', 'pile'))}{self._shuffled()}"]
        lines.append(f"move every stone to {self.pick(('bag', 'shelf'))}")
        lines += [self.pick(("f := true", "n := 1", "n := 0", "who := random player", "n := 2"))]
        if players > 1 and self.below(2):
            lines.append("who := seat(2)")
        return lines + self.sentences(replace(scope, depth=1), self.below(3), "")

    def _phases(self) -> str:
        loop = self.pick(
            (
                "each: player as active, again and again",
                "each: player clockwise from who as active, again and again",
                "each: player as active",
            )
        )
        scope = Scope(players=("active", "who", "seat(1)"))
        before = self.sentences(scope, 1 + self.below(2), "      ")
        steps = ["opening", "ask"] if self.below(2) else ["ask"]
        if self.below(3) == 0:
            steps.append("sealed")
        by = self.pick(("by: active", "by: active", "by: who", "by: active if f else who"))
        otherwise = self.pick(("over", "over", "pass", "{actions: [third]}", ""))
        again = f"    repeat: until pass{self.pick(('', ', at most 2'))}"
        beside = "    anytime: {active: [third]}"
        lines = [
            "phases:",
            "  start: turns",
            "  turns:",
            f"    {loop}",
            *(["    next: turns"] if "again" not in loop else []),
            *([f"    if: {self.condition(scope)}"] if self.below(8) == 0 else []),
            *(["    cap: {times: 99999, to: over}"]),
            f"    steps: [{', '.join(steps)}]",
            *(["  opening:", "    do: |", *before] if "opening" in steps else []),
            "  ask:",
            f"    {by}",
            f"    actions: [{', '.join(self.pick(_LISTED))}]",
            *([f"    otherwise: {otherwise}"] if otherwise else []),
            *([again] if self.below(6) == 0 else []),
            *([beside] if self.below(6) == 0 and by == "by: active" else []),
        ]
        if "sealed" in steps:
            lines += ["  sealed:", "    at once: true", "    actions: [bid, hold]"]
        lines += ["  over: {do: end game}"]
        return "".join(f"{line}\n" for line in lines)

    def _actions(self) -> str:
        lines = ["actions:"]
        for name in ("first", "second", "third"):
            lines += self._action(name)
        lines += [
            "  bid:",
            "    choose:",
            f"      k: 1..{self.pick(('size of hand[left of me]', '2', 'size of my hand'))}",
            "    where: |",
            f"      {self.condition(Scope(players=('me', 'left of me')))}",
            f"    do: {self.pick(('move my hand to my own', 'my points := 1', 'eliminate me'))}",
            "  hold: {}",
        ]
        return "".join(f"{line}\n" for line in lines)

    def _action(self, name: str) -> list[str]:
        scope = Scope(players=("me", "me", "who"), depth=2)
        picks, after = list[str](), list[str]()
        for _ in range(self.pick((0, 1, 1, 2))):
            scope = self._picked(scope, picks, after)
        where = [self.condition(scope) for _ in range(self.below(3))]
        do = self.sentences(scope, 1 + self.below(2), "")
        for line in after:
            do.insert(self.below(len(do) + 1) if not do or do[-1][0] != " " else len(do), line)
        return [
            f"  {name}:",
            *(["    choose:", *(f"      {line}" for line in picks)] if picks else []),
            *(["    where: |", *(f"      {line}" for line in where)] if where else []),
            "    do: |",
            *(f"      {line}" for line in do),
        ]

    def _picked(self, scope: Scope, picks: list[str], after: list[str]) -> Scope:
        name = self.name("x")
        source = self.pick(("shelf", "my hand", "hand[who]"))
        match self.below(8):
            case 0 | 1:
                source = self.pick(("row", "row", "deck", "my own", source))
                picks.append(f"{name}: card from {source}")
                after.append(f"move {name} to {self.zone(scope, 'card')}")
                return replace(scope, cards=(*scope.cards, name))
            case 2 | 3:
                picks.append(f"{name}: stones from {source}")
                after.append(f"move {name} to {self.zone(scope, 'stone')}")
                return replace(scope, lots=(*scope.lots, name))
            case 4:
                picks.append(f"{name}: {self.pick(('player', 'opponent'))}")
                return replace(scope, players=(*scope.players, name))
            case 5:
                picks.append(f"{name}: 0..{self.pick(('2', 'n', 'size of my hand'))}")
                return replace(scope, numbers=(*scope.numbers, name))
            case 6:
                picks.append(f"{name}: stone")
                return replace(scope, stones=(*scope.stones, name))
        picks.append(f"{name}: stone from {source}")
        after.append(f"move {name} to {self.zone(scope, 'stone')}")
        return scope


_LISTED: Final = (
    ("first",),
    ("first", "second"),
    ("first", "second"),
    ("first", "pass"),
    ("first", "second", "pass"),
)
