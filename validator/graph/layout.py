"""Layered layout of a directed graph: rows from top to bottom, few crossings, arrows as bends.

The classical steps: turn back-edges round, give every node a row, split arrows that pass rows,
order the rows by the means of their neighbours, place each row as near to its neighbours as it
can be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

ROW_GAP: Final = 26.0
COLUMN_GAP: Final = 22.0
_SWEEPS: Final = 12
_SHIFTS: Final = 24


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height of a node or label."""

    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Line:
    """An arrow to lay out: two different nodes, and the size of its label (0 x 0: none)."""

    source: int
    target: int
    label: Size


@dataclass(frozen=True, slots=True)
class Layout:
    """Centres of the nodes; for each line its bends from source to target, and the centre of its
    label."""

    centres: tuple[tuple[float, float], ...]
    bends: tuple[tuple[tuple[float, float], ...], ...]
    labels: tuple[tuple[float, float] | None, ...]
    width: float
    height: float


def lay_out(sizes: Sequence[Size], lines: Sequence[Line], start: int = 0) -> Layout:
    """A layout of nodes numbered as in `sizes`, `start` near the top."""
    turned = _back_lines(len(sizes), lines, start)
    chains, rows, all_sizes, middles = _split(sizes, lines, turned)
    below = _neighbours(chains, len(all_sizes))
    _order(rows, below)
    x = _place(rows, all_sizes, below)
    tops, total = list[float](), 0.0
    for row in rows:
        tall = max((all_sizes[n].height for n in row), default=0.0)
        tops.append(total + tall / 2)
        total += tall + ROW_GAP
    row_of = {n: number for number, row in enumerate(rows) for n in row}
    centre = {n: (x[n], tops[row_of[n]]) for n in row_of}
    bends = [
        tuple(centre[n] for n in (reversed(chain) if turned[k] else chain))
        for k, chain in enumerate(chains)
    ]
    width = max((x[n] + all_sizes[n].width / 2 for n in row_of), default=0.0)
    labels = [None if n is None else centre[n] for n in middles]
    centres = tuple(centre[n] for n in range(len(sizes)))
    return Layout(centres, tuple(bends), tuple(labels), width, max(total - ROW_GAP, 0.0))


def _back_lines(count: int, lines: Sequence[Line], start: int) -> list[bool]:
    """Which lines lead back to a node that is still open in a depth-first walk."""
    leaving: dict[int, list[int]] = {}
    for k, line in enumerate(lines):
        leaving.setdefault(line.source, []).append(k)
    opened, closed, back = set[int](), set[int](), [False] * len(lines)
    for root in (start, *range(count)):
        if root in opened:
            continue
        opened.add(root)
        stack = [(root, list(reversed(leaving.get(root, []))))]
        while stack:
            node, rest = stack[-1]
            if not rest:
                closed.add(node)
                stack.pop()
                continue
            k = rest.pop()
            target = lines[k].target
            if target not in opened:
                opened.add(target)
                stack.append((target, list(reversed(leaving.get(target, [])))))
            else:
                back[k] = target not in closed
    return back


def _ranks(count: int, lines: Sequence[Line], turned: Sequence[bool]) -> list[int]:
    """The row of every node: one more than that of any node above, two where a label is between."""
    pairs = [
        (line.target, line.source) if back else (line.source, line.target)
        for line, back in zip(lines, turned, strict=True)
    ]
    rank = [0] * count
    for _ in range(count):
        changed = False
        for (upper, lower), line in zip(pairs, lines, strict=True):
            least = rank[upper] + (2 if line.label.width else 1)
            if rank[lower] < least:
                rank[lower], changed = least, True
        if not changed:
            break
    return rank


def _split(
    sizes: Sequence[Size], lines: Sequence[Line], turned: Sequence[bool]
) -> tuple[list[list[int]], list[list[int]], list[Size], list[int | None]]:
    """Chains of nodes from row to row, with nodes added where an arrow passes; the rows; the node
    that stands for each label."""
    rank = _ranks(len(sizes), lines, turned)
    rows: list[list[int]] = [[] for _ in range(max(rank, default=0) + 1)]
    for node, number in enumerate(rank):
        rows[number].append(node)
    all_sizes, chains, middles = list(sizes), list[list[int]](), list[int | None]()
    for line, back in zip(lines, turned, strict=True):
        upper, lower = (line.target, line.source) if back else (line.source, line.target)
        chain, inner = [upper], range(rank[upper] + 1, rank[lower])
        middle = inner[len(inner) // 2] if inner and line.label.width else None
        for number in inner:
            all_sizes.append(line.label if number == middle else Size(4.0, 0.0))
            rows[number].append(len(all_sizes) - 1)
            chain.append(len(all_sizes) - 1)
        chains.append([*chain, lower])
        at = None if middle is None else chain[1 + middle - inner[0]]
        middles.append(at)
    return chains, rows, all_sizes, middles


Links = tuple[Mapping[int, list[int]], Mapping[int, list[int]]]
"""For each node its neighbours in the row above, and in the row below."""


def _neighbours(chains: Sequence[Sequence[int]], count: int) -> Links:
    above: dict[int, list[int]] = {n: [] for n in range(count)}
    below: dict[int, list[int]] = {n: [] for n in range(count)}
    for chain in chains:
        for upper, lower in pairwise(chain):
            below[upper].append(lower)
            above[lower].append(upper)
    return above, below


def _order(rows: list[list[int]], links: Links) -> None:
    """Order each row by the means of its neighbours; the sweep with fewest crossings counts."""
    best, fewest = [list(row) for row in rows], _crossings(rows, links[1])
    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0
        for row in rows[1:] if downwards else reversed(rows[:-1]):
            neighbours = links[0] if downwards else links[1]
            place = {n: k for line in rows for k, n in enumerate(line)}
            near = {n: [place[o] for o in neighbours[n]] or [place[n]] for n in row}
            mean = {n: sum(places) / len(places) for n, places in near.items()}
            row.sort(key=mean.__getitem__)
        crossings = _crossings(rows, links[1])
        if crossings < fewest:
            best, fewest = [list(row) for row in rows], crossings
    rows[:] = best


def _crossings(rows: Sequence[Sequence[int]], below: Mapping[int, list[int]]) -> int:
    total = 0
    for upper, lower in pairwise(rows):
        place = {n: k for k, n in enumerate(lower)}
        ends = [place[target] for n in upper for target in sorted(below[n], key=place.__getitem__)]
        total += sum(a > b for k, a in enumerate(ends) for b in ends[k + 1 :])
    return total


def _place(rows: Sequence[Sequence[int]], sizes: Sequence[Size], links: Links) -> dict[int, float]:
    """Horizontal places: the order of rows is kept, neighbours are near one another."""
    x: dict[int, float] = {}
    for row in rows:
        at = 0.0
        for n in row:
            x[n] = at + sizes[n].width / 2
            at += sizes[n].width + COLUMN_GAP
    for shift in range(_SHIFTS):
        for row in rows if shift % 2 == 0 else reversed(rows):
            wanted = []
            for n in row:
                near = links[shift % 2][n] if shift < _SHIFTS - 4 else links[0][n] + links[1][n]
                wanted.append(sum(x[o] for o in near) / len(near) if near else x[n])
            _settle(row, wanted, sizes, x)
    left = min((x[n] - sizes[n].width / 2 for n in x), default=0.0)
    return {n: at - left for n, at in x.items()}


def _settle(
    row: Sequence[int], wanted: Sequence[float], sizes: Sequence[Size], x: dict[int, float]
) -> None:
    """The places nearest to those wanted that leave room between all (least squares: neighbours
    that would overlap are pooled)."""
    offsets, at = list[float](), 0.0
    for before, n in zip((None, *row), row, strict=False):
        if before is not None:
            at += (sizes[before].width + sizes[n].width) / 2 + COLUMN_GAP
        offsets.append(at)
    blocks: list[tuple[float, int]] = []
    for want, offset in zip(wanted, offsets, strict=True):
        mean, size = want - offset, 1
        while blocks and blocks[-1][0] > mean:
            other, many = blocks.pop()
            mean, size = (mean * size + other * many) / (size + many), size + many
        blocks.append((mean, size))
    position = 0
    for mean, size in blocks:
        for k in range(position, position + size):
            x[row[k]] = mean + offsets[k]
        position += size
