"""What the table prints on pieces: their columns, unless the labels say that names tell them."""

from __future__ import annotations

from pathlib import Path

from gemwright.dsl.model.face_columns import columns_of
from gemwright.interpreter.game import load

from .conftest import Command

RULES = """
language: 1
game: tiles
players: 2
kinds:
  rank: 1..3
  tint: [red, green]
  tile: {columns: {height: rank, shade: tint}, rows: [[low, 1, red], [high, 3, green]]}
  joker: [star]
  piece: tile + joker
zones:
  table: {holds: piece}
  hand: {holds: piece, per: player}
setup: move every piece to table
phases:
  start: turns
  turns:
    each: player as active, again and again
    actions: [take]
    otherwise: over
    decreases: size of table
  over: {do: end game}
actions:
  take:
    choose: {p: piece from table}
    where: p is joker or p is tile
    do: move p to my hand
result:
  score: sum of height over tiles in hand[me]
  winner: ["highest count of tiles in hand[me] with shade is green"]
"""


def test_columns_are_printed_unless_their_label_is_empty(command: Command, tmp_path: Path) -> None:
    (tmp_path / "tiles.gem.yaml").write_text(RULES)
    told = command("play", "tiles.gem.yaml", "--plain", "--seed", "1", typed="quit\n")
    assert "low [height 1, shade red]" in told.out
    (tmp_path / "tiles.en.yaml").write_text('columns: {height: "", shade: tint}\n')
    told = command("play", "tiles.gem.yaml", "--plain", "--seed", "1", typed="quit\n")
    assert "height" not in told.out
    (tmp_path / "tiles.en.yaml").write_text('columns: {height: "", shade: ""}\n')
    told = command("play", "tiles.gem.yaml", "--plain", "--seed", "1", typed="quit\n")
    assert "low" in told.out and "[" not in told.out


def test_what_follows_from_a_member_is_no_column(tmp_path: Path) -> None:
    """Whether it is of a kind, and the number that it counts as, are read like columns."""
    (tmp_path / "tiles.gem.yaml").write_text(RULES)
    game = load(tmp_path / "tiles.gem.yaml", 2)
    found = {name for cells in columns_of(game.model).values() for name in cells}
    assert found == {"height", "shade"}
