"""Made-up rules of any size, to see how speed changes with cards, players and actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from gemwright.interpreter.compiled.printers.wasm_module import WasmModule
from gemwright.interpreter.compiled.selecting import WASM
from gemwright.interpreter.compiled.translate import ROOTS, flat_program
from gemwright.interpreter.compiled.wasm_engine import RESULTS, machine_of
from gemwright.interpreter.game import Game, load
from gemwright.interpreter.simulation.playing import REFERENCE
from tests.bench.contestants import engine
from tests.bench.timing import Plan, rounded, table

STONES = 5


@dataclass(frozen=True, slots=True)
class Size:
    """How large the rules are: faces of cards, players, actions beside taking and buying."""

    cards: int = 60
    players: int = 2
    actions: int = 2

    def __str__(self) -> str:
        return f"{self.cards} cards, {self.players} players, {self.actions + 2} actions"


SIZES = (
    *(replace(Size(), cards=cards) for cards in (15, 60, 120, 240)),
    *(replace(Size(), players=players) for players in (4, 8, 12)),
    *(replace(Size(), actions=actions) for actions in (8, 32)),
)

_RULES = """\
language: 1
game: growing
players: {players}
kinds:
  stone: {{members: [{stones}], count: 4 * players}}
  card:
    columns: {{worth: 1..5, price: {{per: stone, range: 0..3}}}}
    rows:
{rows}
zones:
  bank: {{holds: stone}}
  hand: {{holds: stone, per: player}}
  deck: {{holds: card, order: stack, seen_by: nobody}}
  row: {{holds: card, order: row of 5, refill: deck}}
  owned: {{holds: card, per: player}}
setup: |
  move every stone to bank
  move every card to deck, shuffled
  move top 5 of deck to row
phases:
  start: rounds
  rounds:
    each: 1..20 as round
    start: turns
    phases:
      turns:
        each: player as active
        by: active
        actions: [take, buy{names}]
        otherwise: pass
actions:
  take:
    choose: {{lot: stones from bank}}
    where: |
      size of lot >= 1
      size of lot <= 3
      no stone s has lot[s] >= 2
      size of lot + size of my hand <= 10
    do: move lot to my hand
  buy:
    choose: {{c: card from row}}
    where: c.price <= hand[me]
    do: |
      for each stone s: move c.price[s] s from my hand to bank
      move c to my owned
{actions}result:
  score: sum of worth over owned[me]
"""

_ACTION = """\
  swap_{number}:
    choose: {{given: stone}}
    where: my hand[given] >= {least} and bank[{wanted}] >= 1
    do: |
      move 1 given from my hand to bank
      move 1 {wanted} from bank to my hand
"""


def rules(size: Size) -> str:
    """The text of a rules file of a size."""
    stones = [f"stone_{number}" for number in range(STONES)]
    rows = [_row(number) for number in range(size.cards)]
    numbers = range(size.actions)
    actions = [
        _ACTION.format(number=each, least=1 + each // STONES % 2, wanted=stones[each % STONES])
        for each in numbers
    ]
    return _RULES.format(
        players=size.players,
        stones=", ".join(stones),
        rows="\n".join(rows),
        names="".join(f", swap_{each}" for each in numbers),
        actions="".join(actions),
    )


def _row(number: int) -> str:
    price = [(number * step) % 4 for step in (1, 2, 3, 5, 7)]
    cells = ", ".join(f"stone_{at}: {each}" for at, each in enumerate(price) if each)
    return (
        f"      - [c{number}, {1 + number % 5}, {{{cells}}}]"
        if cells
        else (f"      - [c{number}, {1 + number % 5}, 0]")
    )


def game(size: Size) -> Game:
    """A game of a size."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "growing.gem.yaml"
        path.write_text(rules(size), encoding="utf-8")
        return load(path, size.players)


def growth(plan: Plan) -> str:
    """Rules of many sizes."""
    head = (
        "rules", "wasm moves/s", "against the reference", "module, bytes", "lower and compile, ms",
    )  # fmt: skip
    return table(head, [_row_of(plan, size) for size in SIZES])


def _row_of(plan: Plan, size: Size) -> Sequence[object]:
    here = game(size)
    program = flat_program(here.model)
    wasm, reference = plan.race([engine(here, name) for name in (WASM, REFERENCE)])
    seconds = plan.one("compile", lambda: machine_of(flat_program(here.model)))
    return (
        size,
        rounded(wasm.moves_per_second),
        rounded(wasm.per_second / reference.per_second),
        f"{len(WasmModule(program, ROOTS, RESULTS).binary):,}",
        rounded(1000 * seconds),
    )
