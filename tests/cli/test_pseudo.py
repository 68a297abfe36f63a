"""Nothing on the screen is hard-coded: games played in a made-up language show no plain letter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from gemwright import __version__
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.cli.answers import Answers
from gemwright.interpreter.cli.arguments import clause_texts
from gemwright.interpreter.cli.bundled import bundled_rulesets
from gemwright.interpreter.cli.keeping import Keeper
from gemwright.interpreter.cli.naming import Naming
from gemwright.interpreter.cli.play import introduce
from gemwright.interpreter.cli.screen import EndOfInput, Line
from gemwright.interpreter.cli.session import Bots, Session
from gemwright.interpreter.cli.telling import Telling
from gemwright.interpreter.decision import Decision, Refusal
from gemwright.interpreter.game import Game, load
from gemwright.interpreter.match import Match
from gemwright.interpreter.moves import Move
from gemwright.interpreter.saves import Header

from . import pseudo

ASKED = 60
"""So many times the player is asked before he leaves."""

QUESTIONS = ("?", "moves", "view", "log", "log all", "why", "why 1", "\u03b1", "999", "")

PLACE = re.compile(r"\S+\.gem\.yaml:\d+:\d+")
"""A place of a rules file."""


class Player:
    """A screen whose person asks everything there is to ask, and picks by number or example."""

    width = 2000
    """Nothing wraps, so that what is quoted from the rules can be found whole."""

    def __init__(self, game: Game, chance: Stream) -> None:
        self.shown: list[str] = []
        self._game = game
        self._chance = chance
        self._asked = 0
        self._questions = self._all_questions()

    def _all_questions(self) -> Iterator[str]:
        model = self._game.model
        while True:
            yield from (*QUESTIONS, pseudo.strange("back"))
            yield from (f"about {pseudo.strange(face.name)}" for face in model.faces[:3])
            for action in model.actions:
                name = pseudo.strange(action.name)
                face = pseudo.strange(model.faces[0].name)
                picks = (f"{pseudo.strange(each.name)} {face}=9" for each in action.parameters)
                yield name + " 1 \u03b1"
                yield f"why {name}"
                yield f"why {name} {' '.join(picks)}"

    def show(self, lines: Iterable[Line]) -> None:
        self.shown += [line.text for line in lines]

    def ask(self, prompt: str) -> str:
        self.shown.append(prompt)
        self._asked += 1
        if self._asked > ASKED:
            raise EndOfInput
        if self._asked % 3:
            return next(self._questions)
        example = pseudo.strange("for example: ")
        for line in reversed(self.shown[-6:]):
            if example in line:
                return line.split(example)[1].split(";")[0]
        return str(1 + self._chance.below(3))

    def clear(self) -> None:
        pass


class Recording(Answers):
    """Answers that remember what they quote of the rules."""

    def __init__(self, telling: Telling, clauses: Mapping[str, str]) -> None:
        super().__init__(telling, clauses)
        self.quoted: set[str] = set()

    def refusal(self, decision: Decision, move: Move, refusal: Refusal) -> list[str]:
        self.quoted |= {refusal.text, *(name for name, _ in refusal.values), *refusal.clauses}
        return super().refusal(decision, move, refusal)


def play(game: Game, seats: tuple[str, ...], sentences: bool) -> tuple[list[str], set[str]]:
    """What a game shows, and what of it is quoted from the rules."""
    header = Header(
        gemwright=__version__,
        language=game.model.language,
        ruleset=game.name,
        hash=game.model.digest,
        players=game.players,
        options=dict(game.model.options),
        seed=8,
        seats=seats,
        match=False,
    )
    player = Player(game, Stream(8))
    labels = pseudo.strange_labels(game, sentences)
    telling = Telling(Naming(game.model, labels, pseudo.strange_speech(), seats))
    answers = Recording(telling, pseudo.strange_clauses(clause_texts(game)))
    introduce(player, game, telling, header, None)
    match = Match(game, header.seed)
    keeper = Keeper.begin(header, None)
    Session(player, match, seats, keeper, Bots(seats, 8), telling, answers).run()
    return player.shown, answers.quoted


def plain_words(shown: Iterable[str], quoted: Iterable[str]) -> list[str]:
    """Lines with plain letters that nothing accounts for."""
    found = []
    for line in shown:
        rest = line
        for each in sorted(quoted, key=len, reverse=True):
            rest = rest.replace(each, "") if each else rest
        rest = PLACE.sub("", rest)
        if pseudo.PLAIN.search(rest) and "gemwright play --resume" not in rest:
            found.append(line)
    return found


@pytest.mark.parametrize("sentences", [False, True], ids=["names", "sentences"])
@pytest.mark.parametrize("name", bundled_rulesets())
def test_a_game_shows_no_word_of_the_code(
    name: str, sentences: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    game = load(name)
    bots = ("random",) * (game.players - 1)
    for human in (("human", *bots), ("random", *bots)):
        shown, quoted = play(game, human, sentences)
        assert len(shown) > 50
        assert plain_words(shown, quoted) == []


def test_a_hard_coded_word_is_found() -> None:
    shown = [pseudo.strange("the shelf"), pseudo.strange("1 red") + " from the shelf", "P2>"]
    assert plain_words(shown, ()) == [shown[1]]
    assert plain_words(shown, {"from the shelf"}) == []
