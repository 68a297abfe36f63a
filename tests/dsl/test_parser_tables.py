"""The kept tables of the parser: the same parser as from the grammar, and never trusted."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest
from lark import Lark, Tree, UnexpectedInput, UnexpectedToken

from gemwright.dsl.cache import Cache
from gemwright.dsl.grammar import parser_tables
from gemwright.dsl.grammar.parser_tables import STARTS, sentence_parser

SENTENCES = """\
for each stall s:
  let missing = 3 - size of shelf[s]
  move min(missing, size of bag) random gems from bag to shelf[s]        @L-7
first := left of first
move lot to my tray
"""
LINES = """\
size of lot >= 1                                                         @L-9
no gem g has (g is not pearl and paid[g] > wish.wants[g])                @L-12 @L-13
pearls_stand_in or paid[pearl] = wish.wants[pearl]                       @L-13
"""
TEXTS = (
    *SENTENCES.splitlines(keepends=True),
    *LINES.splitlines(keepends=True),
    SENTENCES,
    LINES,
    "  first := left of first\n first := me\n",
    "size of hand >=",
    "to turn\n",
    "gems from shelf[my at]",
    "player clockwise from first as taker",
    "a b c",
    "1..9",
    "§",
    "(((1))",
)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    cache = Cache(tmp_path_factory.mktemp("cache"))
    sentence_parser(cache)
    return cache


def kept_name(folder: Path) -> str:
    (file,) = folder.iterdir()
    return file.name


def told(parser: Lark, text: str, start: str) -> object:
    try:
        return parser.parse(text, start=start)
    except UnexpectedToken as problem:
        return problem.token, problem.pos_in_stream, problem.accepts, problem.expected
    except UnexpectedInput as problem:
        return problem.pos_in_stream, vars(problem).get("allowed")
    except Exception as problem:
        return type(problem), str(problem)


def test_a_parser_from_tables_reads_and_refuses_alike(kept: Cache) -> None:
    built, loaded = sentence_parser(Cache(None)), sentence_parser(kept)
    found = [told(built, text, start) for text in TEXTS for start in STARTS]
    assert sum(isinstance(each, Tree) for each in found) >= 10
    assert found == [told(loaded, text, start) for text in TEXTS for start in STARTS]


def test_tables_are_made_once(kept: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser_tables, "_tables", lambda _: pytest.fail("made again"))
    assert sentence_parser(kept).parse("1\n", start="lines").data == "lines"


class _Runs:
    """What would leave a file behind if it were unpickled."""

    def __init__(self, mark: Path) -> None:
        self._mark = mark

    def __reduce__(self) -> tuple[object, tuple[Path]]:
        return Path.touch, (self._mark,)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"[]",
        b"7",
        b"\xff",
        b'{"data": {"options": {}}, "memo": {"1": {"__type__": "os"}}}',
    ],
)
def test_other_content_is_refused(content: bytes) -> None:
    assert parser_tables._loaded(content) is None


def test_content_is_data(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    assert parser_tables._loaded(pickle.dumps(_Runs(mark))) is None
    assert not mark.exists()


def test_tables_with_a_part_missing_are_made_again(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    sentence_parser(cache)
    name = kept_name(tmp_path / "cache")
    whole = cache.get(name)
    assert whole is not None
    tables = json.loads(whole)
    del tables["data"]["parser"]["parser"]["states"]
    broken = json.dumps(tables).encode()
    cache.put(name, broken)
    assert sentence_parser(cache).parse("1\n", start="lines").data == "lines"
    assert cache.get(name) not in (None, broken)
