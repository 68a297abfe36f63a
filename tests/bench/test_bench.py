"""What the benchmarks measure with, and the rules that they measure."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from gemwright.interpreter.game import load
from gemwright.interpreter.simulation.game_rows import GameRow
from gemwright.interpreter.simulation.simulate import simulate
from tests.bench.__main__ import SECTIONS, main
from tests.bench.goofspiel import MOVES, RULES
from tests.bench.growth import SIZES, Size, game
from tests.bench.timing import Contestant, Plan, rounded, table


@dataclass
class FakeTime:
    """A clock that contestants move on, and the order in which they ran."""

    now: float = 0.0
    order: list[str] = field(default_factory=list)

    def clock(self) -> float:
        return self.now

    def contestant(self, name: str, *seconds_each: float) -> Contestant:
        """Takes the given seconds for each thing, in turns; each thing is two moves."""
        runs = iter(seconds_each)

        def run(first: int, times: int) -> int:
            self.now += next(runs) * times
            self.order.append(name)
            return 2 * times

        return Contestant(name, run)


def test_contestants_take_turns_and_medians_are_told() -> None:
    fake = FakeTime()
    plan = Plan(rounds=3, seconds=8, clock=fake.clock)
    found = plan.race([fake.contestant("slow", 4, 4, 5, 80), fake.contestant("fast", 2, 1, 2, 0.5)])
    assert fake.order == ["slow", "fast", "slow", "fast", "slow", "fast", "slow", "fast"]
    assert [(each.name, each.per_second) for each in found] == [("slow", 1 / 5), ("fast", 1)]
    assert [each.moves_per_second for each in found] == [2 / 5, 2]


def test_a_run_is_as_long_as_the_plan_says() -> None:
    fake = FakeTime()
    plan = Plan(rounds=1, seconds=8, clock=fake.clock)
    assert plan.calibrated(fake.contestant("a", *[0.5] * 9)) == 16
    assert plan.calibrated(fake.contestant("b", 100)) == 1


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (0.012345, "0.0123"), (1.5, "1.50"), (99.96, "100.0"), (1234567.8, "1,234,568")],
)
def test_numbers_are_rounded_for_people(number: float, text: str) -> None:
    assert rounded(number) == text


def test_a_table_is_markdown() -> None:
    assert table(("a", "b"), [("x", 1)]) == "| a | b |\n| --- | ---: |\n| x | 1 |"


def test_a_section_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["speling"])
    told = capsys.readouterr().err
    assert all(name in told for name in SECTIONS)


# -- rules


def test_goofspiel_shares_ninety_one_points_at_most() -> None:
    rows: list[GameRow] = []
    simulate(load(RULES), games=50, keep_row=rows.append)
    assert {row.moves for row in rows} == {MOVES}
    sums = [sum(score or 0 for score in row.scores) for row in rows]
    assert max(sums) <= 91
    assert len(set(sums)) > 5


def test_sizes_vary_one_thing_at_a_time() -> None:
    for size in SIZES:
        changed = (size.cards != 60) + (size.players != 2) + (size.actions != 2)
        assert changed <= 1


@pytest.mark.parametrize("size", [Size(cards=15), Size(actions=8)], ids=str)
def test_made_up_rules_are_played_alike_by_engines(size: Size) -> None:
    here = game(size)
    assert len(here.model.actions) == size.actions + 2
    told = [simulate(here, games=2, engine=engine).digest for engine in ("reference", "wasm")]
    assert told[0] == told[1]
