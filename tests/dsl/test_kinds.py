"""Kinds: cells that name members, and where the clause marks of a kind count."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.model.game import Do, Game
from gemwright.dsl.ruleset import open_ruleset
from gemwright.interpreter.game import Game as Playable

RULES = """
language: 1
game: tiles
players: 2
options:
  copies: {values: [3, 4], clause: T-1}
kinds:
  rank: 1..3
  tint: [red, green]
  tile: {columns: {height: rank, shade: tint}, table: tiles.csv, clause: T-2}
  joker: {members: [star], clause: T-3}
  piece: tile + joker
tables:
  worth: {file: worth.csv, by: [rank], range: 0..9}
zones:
  table: {holds: piece}
setup: move every piece to table
phases:
  start: only
  only: {do: end game}
result:
  score: sum of worth(height) over tiles in table
"""
TILES = "name,height,shade,count\nlow,1,red,copies\nhigh,3,green,5 - copies\n"
WORTH = "rank,points\n1,4\n2,5\n3,6\n"


def game(folder: Path, tiles: str = TILES, **options: int) -> tuple[Game | None, list[str]]:
    (folder / "tiles.gem.yaml").write_text(RULES)
    (folder / "tiles.csv").write_text(tiles)
    (folder / "worth.csv").write_text(WORTH)
    reporter = Reporter()
    ruleset = open_ruleset(str(folder / "tiles.gem.yaml"), reporter)
    found = None if ruleset is None else ruleset.instantiate(2, options, reporter)
    return found, [f"{each.code} {each.message}" for each in reporter.diagnostics]


def test_a_cell_names_a_member_made_of_a_number_by_the_number(tmp_path: Path) -> None:
    short, problems = game(tmp_path)
    assert short is not None, problems
    long, _ = game(tmp_path, TILES.replace("low,1", "low,rank_1").replace("high,3", "high,rank_3"))
    other, _ = game(tmp_path, TILES.replace("low,1", "low,2"))
    assert long is not None and other is not None
    assert replace(short, digest="") == replace(long, digest="")
    assert replace(short, digest="") != replace(other, digest="")


def test_a_number_that_is_no_member_is_refused(tmp_path: Path) -> None:
    found, problems = game(tmp_path, TILES.replace("low,1", "low,4"))
    assert found is None
    assert problems == ["E002 `4` is not one of rank_1, rank_2, rank_3"]


def test_a_cell_may_count_pieces_by_an_option(tmp_path: Path) -> None:
    found, _ = game(tmp_path, copies=4)
    assert found is not None
    counts = {face.name: face.count for face in found.faces}
    assert (counts["low"], counts["high"], counts["star"]) == (4, 1, 1)


def test_a_union_stands_for_the_marks_of_its_parts(tmp_path: Path) -> None:
    found, problems = game(tmp_path)
    assert found is not None, problems
    by_id = {element.id: element.clauses for element in found.elements}
    ended, moved = (
        {clause for each in statement.elements for clause in by_id[each]}
        for point in found.points
        if isinstance(point, Do)
        for statement in point.body
    )
    assert (ended, moved) == (set(), {"T-2", "T-3"})


PRICED = """\
language: 1
game: priced
players: 2
kinds:
  coin: [copper, silver, gold]
  ware:
    columns: {worth: 0..9, cost: {per: coin, range: 0..4}}
    rows:
      - [cup, 1, COST]
  thing: ware + [lid]
zones:
  table: {holds: thing}
state:
  paid: {per: coin, range: 0..4}
setup: |
  for each coin c: paid[c] := cup.cost[c]
phases:
  start: only
  only: {do: end game}
result:
  score: 0
"""


def priced(folder: Path, cost: str, **other: str) -> tuple[list[int], list[str]]:
    text = PRICED.replace("COST", cost)
    for old, new in other.items():
        text = text.replace(old, new)
    (folder / "priced.gem.yaml").write_text(text, encoding="utf-8")
    reporter = Reporter()
    ruleset = open_ruleset(str(folder / "priced.gem.yaml"), reporter)
    found = None if ruleset is None else ruleset.instantiate(2, {}, reporter)
    if found is None:
        return [], [f"{each.code} {each.message}" for each in reporter.diagnostics]
    block = Playable(found).start(0).block
    paid = next(v for v in found.variables if v.name == "paid")
    return block[paid.offset : paid.offset + paid.size], []


def test_a_vector_in_a_row_is_a_map(tmp_path: Path) -> None:
    assert priced(tmp_path, "{silver: 2, copper: 1}") == ([1, 2, 0], [])
    assert priced(tmp_path, "{gold: 4}") == ([0, 0, 4], [])
    assert priced(tmp_path, "0") == ([0, 0, 0], [])


def test_a_vector_in_a_row_says_what_is_wrong_with_it(tmp_path: Path) -> None:
    _, problems = priced(tmp_path, "{sliver: 2}")
    assert problems == ["E002 `sliver` is not one of copper, silver, gold"]
    _, problems = priced(tmp_path, "{silver: 5}")
    assert problems == ["E006 5 lies outside 0..4 of `cost`"]
    _, problems = priced(tmp_path, "3")
    assert problems == ["E003 `cost` has a number for each of several members"]
    _, problems = priced(tmp_path, "0]\n      - [cap, {gold: 1}, 0")
    assert problems == ["E003 `worth` is a single value"]


def test_a_broken_kind_is_reported_once(tmp_path: Path) -> None:
    """A union and a zone of it say nothing more."""
    _, problems = priced(tmp_path, "0", **{"0..9": "9..0", "cup.cost[c]": "1"})
    assert problems == ["E006 `9..0` is no range"]
