"""Who may know what a rule reads: where a hidden read is an error, and where it is fine."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.dsl.diagnostics import Diagnostic, Reporter
from gemwright.dsl.ruleset import open_ruleset

RULES = """\
language: 1
game: small_market
players: 3
kinds:
  shade: [red, green]
  stone: {members: [agate, flint], count: 5}
  card:
    table: cards.csv
    columns: {shade: shade, worth: 1..2}
zones:
  bank: {holds: stone}
  hand: {holds: stone + card, per: player, seen_by: owner}
  purse: {holds: stone, per: player, seen_by: owner}
  chest: {holds: stone, per: player, seen_by: nobody}
  shelf: {holds: card}
  deck: {holds: card, order: stack, seen_by: nobody}
  backs: {holds: card, per: player, seen_by: {shade: all, worth: owner}}
state:
  score: {per: player, range: 0..99}
  secret: {per: player, range: 0..99, seen_by: owner}
  dark: {range: 0..99, seen_by: nobody}
  leader: player
setup: |
  move every card to deck, shuffled
  move every stone to bank
  SETUP
phases:
  start: turn
  turn:
    each: player as mover
    actions: [act, pass]
    next: after
  after:
    do: |
      score[leader] += 0
      AFTER
    next: |
      to turn when NEXT
      to end
    cap: {times: 5, to: end}
actions:
  act:
    choose:
      CHOOSE
    where: |
      WHERE
    do: |
      score[me] += 0
      DO
result: {score: score, winner: [highest size of hand + secret]}
"""

CARDS = "name,shade,worth,count\na,red,1,2\nb,red,2,2\nc,green,1,2\nd,green,2,2\n"
PLAIN = {
    "SETUP": "score[leader] += 0",
    "AFTER": "score[leader] += 0",
    "NEXT": "score[leader] > 5",
    "CHOOSE": "n: 1..3",
    "WHERE": "score[me] >= 0",
    "DO": "score[me] += 1",
}


def findings(folder: Path, **changed: str) -> tuple[Diagnostic, ...]:
    """What is found in the small ruleset with some places changed."""
    text = RULES
    for key, plain in PLAIN.items():
        indent = " " * next(len(x) - len(x.lstrip()) for x in RULES.split("\n") if key in x)
        value = changed.get(key.lower(), plain).replace("\n", "\n" + indent)
        text = text.replace(key, value)
    (folder / "small_market.gem.yaml").write_text(text, encoding="utf-8")
    (folder / "cards.csv").write_text(CARDS, encoding="utf-8")
    reporter = Reporter()
    ruleset = open_ruleset(str(folder / "small_market.gem.yaml"), reporter)
    if ruleset is not None:
        ruleset.instantiate(3, {}, reporter)
    return reporter.diagnostics


def at(found: Diagnostic, folder: Path) -> str:
    """The text that a finding points at."""
    lines = (folder / "small_market.gem.yaml").read_text(encoding="utf-8").split("\n")
    return lines[found.span.line - 1][found.span.column - 1 : found.span.end_column - 1]


FINE: list[dict[str, str]] = [
    {},
    {"where": "my hand[agate] >= 1\nmy secret > 2"},
    {"where": "hand[mover][agate] >= 1 and secret[mover] > 2"},
    {"where": "count of card in my hand with worth = 2 >= n"},
    {"where": "size of deck >= n and size of hand[leader] > 1"},
    {"choose": "lot: stones from my purse\nm: 0..my secret"},
    {"do": "if openly (my hand[agate] > 1): score[me] += 1"},
    {"do": "my secret += my hand[agate]"},
    {"do": "let x = my hand[agate]\nmy secret := x\nif deck is not empty: dark := deck.top.worth"},
    {"do": "score[me] += openly my secret"},
    {"do": "tell my secret to leader"},
    {"do": "if size of my hand > 7: score[me] += 1"},
    {"do": "move top min(n, size of deck) of deck to my hand"},
    {"do": "score[me] += count of card in my backs with shade is red"},
    {"do": "if some card x in backs[leader] has x.shade is red: score[me] += 1"},
    {"choose": "lot: stones from my purse", "do": "score[me] += size of lot\nmove lot to bank"},
    {"choose": "lot: stones from my purse", "do": "move lot to bank\nscore[me] += lot[agate]"},
    {"choose": "lot: stones from bank", "do": "move lot to my purse\nscore[me] += lot[agate]"},
    {"choose": "x: card from my hand", "do": "move x to my backs\nif x.shade is red: end game"},
    {"choose": "s: stone secretly", "do": "move 1 s from my chest to chest[leader]"},
    {"choose": "m: 0..9 secretly", "do": "my secret := m\ndark := m"},
    {"after": "for each player p: secret[p] += secret[p] + hand[p][agate]"},
    {"after": "move all card in backs[leader] with shade is red to shelf"},
    {"after": "move all stone in purse[leader] to bank"},
    {"next": "openly (secret[leader] > 5)"},
    {"next": "size of deck > 5 or shelf[a] > 1"},
    {"setup": "move all card in box with worth = 1 to shelf"},
    {"setup": "move 2 random stone from box to chest[leader]\nmove every card to shelf"},
    # `openly` on a move that tells by its number
    {"do": "openly move all stone in my hand to bank"},
    {"do": "openly move all card in my hand with worth = 1 to my backs"},
    {"after": "openly move every card to shelf"},
    # what was frozen is known once it is published
    {"do": "let x = my secret + 1\nscore[me] := openly x\nscore[me] += x"},
    {"do": "let x = my secret\ntell openly x to all\nif x > 3: end game"},
    {"do": "let x = my secret\nif (openly x) > 3: score[me] := x"},
    {"choose": "m: 0..9 secretly", "do": "tell openly m to all\nscore[me] += m"},
]


@pytest.mark.parametrize("changed", FINE, ids=str)
def test_reads_that_are_fine(tmp_path: Path, changed: dict[str, str]) -> None:
    assert findings(tmp_path, **changed) == ()


# changes, what the finding points at, what it names
BAD: list[tuple[dict[str, str], str, str]] = [
    ({"where": "hand[leader][agate] >= 1"}, "hand[leader][agate]", "`hand`, which `mover` may not"),
    ({"where": "secret[leader] > 2"}, "secret[leader]", "`secret`, which `mover` may not"),
    ({"where": "openly (dark > 2)"}, "dark", "`dark`, which `mover` may not"),
    ({"where": "top of deck is a"}, "top of deck", "`deck`, which `mover` may not"),
    ({"where": "my chest[agate] > 1"}, "my chest[agate]", "`chest`, which `mover` may not"),
    ({"choose": "lot: stones from chest[leader]"}, "lot", "`chest`, which `mover` may not"),
    ({"choose": "m: 0..dark"}, "dark", "`dark`, which `mover` may not"),
    (
        {"do": "if my hand[agate] > 1: end game"},
        "my hand[agate]",
        "`hand`, which not everybody may",
    ),
    ({"do": "score[me] += my secret"}, "my secret", "`secret`, which not everybody"),
    ({"do": "let x = my secret + 1\nscore[me] += x"}, "my secret", "`secret`, which not everybody"),
    ({"do": "secret[leader] := my secret"}, "my secret", "`secret`, which not everybody"),
    ({"do": "move my hand[agate] agate from bank to my hand"}, "my hand[agate]", "`hand`"),
    ({"do": "move top (my secret) of deck to my hand"}, "my secret", "`secret`"),
    ({"do": "move my secret random stone from bank to my hand"}, "my secret", "`secret`"),
    ({"do": "let v = my purse\nmove v from bank to chest[leader]"}, "my purse", "`purse`"),
    ({"do": "for each stone s in my purse: score[me] += 1"}, "my purse", "`purse`"),
    ({"do": "for each number i in 1..my secret: score[me] += 1"}, "my secret", "`secret`"),
    (
        {"do": "move all card in my hand with worth = 1 to my backs"},
        "move all card in my hand with",
        "`hand`",
    ),
    (
        {"after": "move all card in hand[leader] to shelf"},
        "move all card in hand[leader] to",
        "`hand`",
    ),
    ({"do": "move all stone in my hand to bank"}, "move all stone in my hand to bank", "`hand`"),
    (
        {"do": "let x = my secret\nif score[me] > 1 and (openly x) > 3: score[me] += x"},
        "my secret",
        "`secret`",
    ),
    (
        {"do": "let x = my secret\nif score[me] > 1: tell openly x to all\nscore[me] += x"},
        "my secret",
        "`secret`",
    ),
    ({"do": "if (count of card in my backs with worth = 1) > 1: end game"}, "my backs", "`backs`"),
    ({"do": "tell my secret to all"}, "my secret", "`secret`"),
    (
        {"choose": "lot: stones from my purse", "do": "score[me] += lot[agate]\nmove lot to bank"},
        "lot[agate]",
        "`lot`",
    ),
    (
        {
            "choose": "lot: stones from my purse",
            "do": "move lot to my chest\nscore[me] += lot[agate]",
        },
        "lot[agate]",
        "`lot`",
    ),
    (
        {"choose": "x: card from my hand", "do": "move x to my backs\nif x.worth = 1: end game"},
        "x.worth",
        "`x`",
    ),
    ({"choose": "m: 0..9 secretly", "do": "score[me] += m + 1"}, "m", "`m`"),
    (
        {"choose": "s: stone secretly", "do": "move 1 s from bank to my chest"},
        "move 1 s from",
        "`s`",
    ),
    ({"after": "if secret[leader] > 1: score[leader] += 1"}, "secret[leader]", "`secret`"),
    ({"after": "for each player p: secret[p] += secret[leader]"}, "secret[leader]", "`secret`"),
    ({"after": "if deck is not empty: score[leader] += deck.top.worth"}, "deck.top", "`deck`"),
    ({"next": "secret[leader] > 5"}, "secret[leader]", "`secret`"),
    ({"next": "some player p has hand[p][agate] > 1"}, "hand[p][agate]", "`hand`"),
    (
        {
            "setup": "move top 2 of deck to backs[leader]\n"
            "move all card in backs[leader] with worth = 1 to shelf"
        },
        "move all card in backs[leader]",
        "`backs`",
    ),
]


@pytest.mark.parametrize(("changed", "where", "what"), BAD, ids=str)
def test_hidden_reads_are_reported_at_the_read(
    tmp_path: Path, changed: dict[str, str], where: str, what: str
) -> None:
    (found,) = findings(tmp_path, **changed)
    assert (found.code, found.severity) == ("I001", "error")
    assert at(found, tmp_path).startswith(where)
    assert found.message.startswith("this reads ") and what in found.message
    assert found.help


def test_a_read_is_reported_once_however_often_it_is_used(tmp_path: Path) -> None:
    found = findings(tmp_path, do="let x = my secret\nscore[me] += x\nif x > 1: end game")
    assert [each.message for each in found] == ["this reads `secret`, which not everybody may see"]


def test_a_finding_says_what_the_read_decides(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, next="score[leader] > 5 and dark > 1")
    assert at(found, tmp_path) == "dark"
    assert [text for _, text in found.notes] == ["it decides something here"]


def test_a_move_on_one_side_of_a_branch_tells_nothing_behind_it(tmp_path: Path) -> None:
    text = "if n = 1: move lot to bank\nelse: move lot to my chest\nscore[me] += lot[agate]"
    (found,) = findings(tmp_path, choose="n: 1..3\nlot: stones from my purse", do=text)
    assert at(found, tmp_path) == "lot[agate]"


BOXES = """\
language: 1
game: boxes
players: 2
kinds:
  stone: {members: [agate, flint], count: 5}
  coin: {members: [copper], count: 5}
zones:
  bank: {holds: stone + coin}
  purse: {holds: stone, per: player, seen_by: owner}
  pile: {holds: stone, order: stack, seen_by: nobody}
state:
  first: player
setup: |
  move 2 of each stone to bank
  move 1 of each stone to pile, shuffled
  SETUP
phases:
  start: turn
  turn: {each: player as mover, actions: [act], otherwise: pass, next: after}
  after:
    do: |
      AFTER
    next: end
actions:
  act:
    choose: {lot: stones from FROM}
    do: move lot to box
result: {score: size of purse}
"""


@pytest.mark.parametrize(
    ("setup", "source", "after", "fine"),
    [
        ("move 1 flint to bank", "bank", "move every agate to bank", True),
        ("for each stone s: move 1 s to pile", "bank", "move every agate to bank", True),
        ("move 1 random stone from box to bank", "bank", "move every agate to bank", True),
        ("move 1 flint to bank", "my purse", "move every agate to bank", False),
        ("move 1 flint to bank", "my purse", "move every copper to bank", True),
        ("move 1 flint to bank", "my purse", "openly move every agate to bank", True),
        ("move 1 random stone from box to purse[first]", "bank", "move every agate to bank", False),
        ("move pile to box", "bank", "move every agate to bank", False),
        ("move pile to box", "bank", "move every stone to bank", True),
        ("move top of pile to box", "bank", "move every flint to bank", False),
    ],
)
def test_pieces_out_of_a_box_that_is_known_or_in_doubt(
    tmp_path: Path, setup: str, source: str, after: str, fine: bool
) -> None:
    """How many agates leave the box tells how many flints stay in it."""
    text = BOXES.replace("SETUP", setup).replace("FROM", source).replace("AFTER", after)
    path = tmp_path / "boxes.gem.yaml"
    path.write_text(text, encoding="utf-8")
    reporter = Reporter()
    ruleset = open_ruleset(str(path), reporter)
    assert ruleset is not None
    ruleset.instantiate(2, {}, reporter)
    found = [each for each in reporter.diagnostics if "`box`" in each.message]
    assert [each.code for each in found] == ([] if fine else ["I001"])


def test_only_what_tells_by_its_number_moves_openly(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, do="openly move top of deck to my hand")
    assert found.code == "E003"
    assert "move all" in found.message
