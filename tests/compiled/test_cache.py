"""The cache of compiled modules: kept once, never trusted, never in the way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gemwright.dsl.cache import Cache, cache_folder
from gemwright.interpreter.compiled import wasm_engine
from gemwright.interpreter.game import Game, load


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def lantern() -> Game:
    return load("lantern_market", 2)


def play(folder: Path) -> list[bytes]:
    machine = wasm_engine.wasm_machine(lantern().model, Cache(folder))
    return [each.state for each in machine.batch(3, 0, 5, 1000) if each is not None]


def test_what_is_put_comes_back(folder: Path) -> None:
    cache = Cache(folder)
    assert cache.get("name") is None
    cache.put("name", b"content")
    assert cache.get("name") == b"content"
    cache.put("name", b"other")
    assert cache.get("name") == b"other"
    assert [each.name for each in folder.iterdir()] == ["name"]


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 500])
def test_a_damaged_file_is_as_good_as_none(folder: Path, damage: bytes) -> None:
    cache = Cache(folder)
    cache.put("name", b"content")
    (folder / "name").write_bytes(damage)
    assert cache.get("name") is None


def test_a_changed_byte_is_noticed(folder: Path) -> None:
    cache = Cache(folder)
    cache.put("name", b"content")
    data = bytearray((folder / "name").read_bytes())
    data[-1] ^= 1
    (folder / "name").write_bytes(data)
    assert cache.get("name") is None


def test_without_a_folder_nothing_is_kept() -> None:
    cache = Cache(None)
    cache.put("name", b"content")
    assert cache.get("name") is None


def test_a_folder_that_cannot_be_made_or_written_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    cache = Cache(tmp_path / "file" / "below")
    cache.put("name", b"content")
    assert cache.get("name") is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners and modes of POSIX")
def test_a_folder_that_others_may_write_is_not_trusted(folder: Path) -> None:
    cache = Cache(folder)
    cache.put("name", b"content")
    folder.chmod(0o777)
    assert cache.get("name") is None
    cache.put("other", b"content")
    assert not (folder / "other").exists()


def test_old_files_make_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gemwright.dsl.cache._KEPT", 3)
    cache = Cache(folder)
    for number in range(5):
        cache.put(str(number), b"content")
        os.utime(folder / str(number), (number, number))
    assert sorted(each.name for each in folder.iterdir()) == ["2", "3", "4"]


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({"GEMWRIGHT_CACHE": "/a"}, "/a"),
        ({"GEMWRIGHT_CACHE": ""}, None),
        ({"XDG_CACHE_HOME": "/b"}, "/b/gemwright"),
        ({}, None),
    ],
)
def test_where_the_cache_lies(environment: dict[str, str], wanted: str | None) -> None:
    found = cache_folder(environment)
    assert found == (None if wanted is None else Path(wanted))


# -- modules


def test_a_module_is_compiled_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = play(folder)
    monkeypatch.setattr(wasm_engine, "_made", lambda *_: pytest.fail("compiled again"))
    assert play(folder) == first


def test_a_damaged_module_is_compiled_again(folder: Path) -> None:
    first = play(folder)
    for each in folder.iterdir():
        each.write_bytes(b"damaged")
    assert play(folder) == first
    assert all(each.stat().st_size > 60 for each in folder.iterdir())


def test_a_module_of_another_machine_is_compiled_again(folder: Path) -> None:
    first, cache = play(folder), Cache(folder)
    module = next(each for each in folder.iterdir() if each.suffix == ".module")
    content = cache.get(module.name)
    assert content is not None
    end = 4 + int.from_bytes(content[:4], "little")
    cache.put(module.name, content[:end] + b"of another machine")
    assert play(folder) == first


PLAY = """
import sys
from pathlib import Path
from gemwright.dsl.cache import Cache
from gemwright.interpreter.compiled.wasm_engine import wasm_machine
from gemwright.interpreter.game import load
machine = wasm_machine(load("lantern_market", 2).model, Cache(Path(sys.argv[1])))
print([each.state.hex() for each in machine.batch(3, 0, 5, 1000)])
"""


def test_processes_may_compile_the_same_at_the_same_time(folder: Path) -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", PLAY, str(folder)], stdout=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    found = [each.communicate(timeout=120)[0] for each in started]
    assert found[0].startswith("['")
    assert found[0] == found[1] == found[2]
    assert all(not each.name.startswith(".") for each in folder.iterdir())
