"""Drawings as SVG, laid out here: no other program is needed to look at one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import Final

from gemwright.validator.graph.drawing import Arrow, Box, Drawing, flattened
from gemwright.validator.graph.layout import Layout, Line, Size, lay_out

Point = tuple[float, float]

_LETTER: Final = 6.9
"""Width of a letter of 12 pixels, rather more than less."""
_LINE: Final = 15.0
_MARGIN: Final = 18.0
_TITLE: Final = 30.0

_FILL: Final = {
    "start": "#e3f2e1",
    "do": "#f4f4f2",
    "chance": "#fdeccb",
    "decision": "#dbe9f9",
    "together": "#dbe9f9",
    "loop": "#efe6f7",
    "choice": "#ffffff",
    "end": "#f7dedc",
}


def as_svg(shown: Drawing) -> str:
    """An SVG picture, with a title for readers that speak."""
    flat = flattened(shown)
    number = {box.id: k for k, box in enumerate(flat.boxes)}
    sizes = [_size(box) for box in flat.boxes]
    lines = [Line(number[a.source], number[a.target], _label_size(a.label)) for a in flat.arrows]
    start = next(k for k, box in enumerate(flat.boxes) if box.shape == "start")
    layout = lay_out(sizes, lines, start)
    width = layout.width + 2 * _MARGIN
    height = layout.height + 2 * _MARGIN + _TITLE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" font-family="sans-serif" '
        'font-size="12">',
        f"<title>{escape(shown.title)}</title>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
        'markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8Z" fill="#555"/></marker></defs>',
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>',
        f'<text x="{_MARGIN}" y="{_MARGIN + 6}" font-size="15" font-weight="bold">'
        f"{escape(shown.title)}</text>",
        f'<g transform="translate({_MARGIN} {_MARGIN + _TITLE})">',
        *_arrows(flat.arrows, layout, sizes, number),
        *(
            _box(box, size, layout.centres[k])
            for k, (box, size) in enumerate(zip(flat.boxes, sizes, strict=True))
        ),
        *_labels(flat.arrows, layout),
        "</g></svg>",
    ]
    return "\n".join(parts) + "\n"


def _size(box: Box) -> Size:
    widest = max((len(line) for line in box.lines), default=0) * _LETTER
    extra = {"decision": 34.0, "together": 34.0, "chance": 30.0, "choice": 24.0}.get(
        box.shape, 18.0
    )
    if box.shape == "choice":
        return Size(widest + extra, 30.0)
    return Size(widest + extra, _LINE * len(box.lines) + 14)


def _label_size(label: str) -> Size:
    if not label:
        return Size(0.0, 0.0)
    lines = label.split("\n")
    return Size(max(map(len, lines)) * _LETTER * 0.9 + 6, _LINE * 0.9 * len(lines) + 4)


def _box(box: Box, size: Size, centre: tuple[float, float]) -> str:
    x, y, w, h = centre[0], centre[1], size.width / 2, size.height / 2
    style = f'fill="{_FILL[box.shape]}" stroke="#555"'
    if box.shape in ("start", "end", "loop"):
        radius = h if box.shape != "loop" else 9
        shape = (
            f'<rect x="{x - w:.1f}" y="{y - h:.1f}" width="{2 * w:.1f}" '
            f'height="{2 * h:.1f}" rx="{radius:.1f}" {style}/>'
        )
    else:
        corners = " ".join(
            f"{x + dx * w:.1f},{y + dy * h:.1f}" for dx, dy in _corners(box.shape, w)
        )
        shape = f'<polygon points="{corners}" {style}/>'
    return shape + _text(box.lines, x, y, _LINE, "")


def _corners(shape: str, w: float) -> Sequence[tuple[float, float]]:
    cut = 1 - 12 / max(w, 13)
    return {
        "decision": ((-cut, -1), (cut, -1), (1, 0), (cut, 1), (-cut, 1), (-1, 0)),
        "together": ((-cut, -1), (cut, -1), (1, 0), (cut, 1), (-cut, 1), (-1, 0)),
        "chance": ((-cut, -1), (1, -1), (cut, 1), (-1, 1)),
        "choice": ((0, -1), (1, 0), (0, 1), (-1, 0)),
    }.get(shape, ((-1, -1), (1, -1), (1, 1), (-1, 1)))


def _text(lines: Sequence[str], x: float, y: float, step: float, more: str) -> str:
    top = y - step * (len(lines) - 1) / 2 + 4
    spans = "".join(
        f'<tspan x="{x:.1f}" y="{top + step * k:.1f}">{escape(line)}</tspan>'
        for k, line in enumerate(lines)
    )
    return f'<text text-anchor="middle"{more}>{spans}</text>'


def _arrows(
    arrows: Sequence[Arrow], layout: Layout, sizes: Sequence[Size], number: dict[str, int]
) -> Iterator[str]:
    anchors = _anchors(arrows, layout, sizes, number)
    for k, (arrow, bends) in enumerate(zip(arrows, layout.bends, strict=True)):
        points = [anchors[k, 0], *bends[1:-1], anchors[k, 1]]
        yield _path(_curve(points), arrow.loose)


def _anchors(
    arrows: Sequence[Arrow], layout: Layout, sizes: Sequence[Size], number: dict[str, int]
) -> dict[tuple[int, int], Point]:
    """Where each arrow leaves its box (0) and meets one (1): side by side, uncrossed."""
    sides: dict[tuple[int, bool], list[tuple[float, int, int]]] = {}
    for k, (arrow, bends) in enumerate(zip(arrows, layout.bends, strict=True)):
        for end, box, near in ((0, arrow.source, bends[1]), (1, arrow.target, bends[-2])):
            below = near[1] >= layout.centres[number[box]][1]
            sides.setdefault((number[box], below), []).append((near[0], k, end))
    found: dict[tuple[int, int], Point] = {}
    for (box_number, below), ends in sides.items():
        (x, y), size = layout.centres[box_number], sizes[box_number]
        step = min(16.0, (size.width - 28) / max(len(ends) - 1, 1))
        for place, (_, k, end) in enumerate(sorted(ends)):
            at = x + step * (place - (len(ends) - 1) / 2)
            found[k, end] = (at, y + (size.height / 2 if below else -size.height / 2))
    return found


def _path(way: str, loose: bool) -> str:
    dashes = ' stroke-dasharray="5 4"' if loose else ""
    return f'<path d="{way}" fill="none" stroke="#555"{dashes} marker-end="url(#tip)"/>'


def _curve(points: Sequence[Point]) -> str:
    found = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for (x, y), (to_x, to_y) in pairwise(points):
        middle = (y + to_y) / 2
        found.append(f"C{x:.1f} {middle:.1f} {to_x:.1f} {middle:.1f} {to_x:.1f} {to_y:.1f}")
    return "".join(found)


def _labels(arrows: Sequence[Arrow], layout: Layout) -> Iterator[str]:
    for arrow, at in zip(arrows, layout.labels, strict=True):
        if at is None or not arrow.label:
            continue
        lines, size = arrow.label.split("\n"), _label_size(arrow.label)
        x, y = at
        yield (
            f'<rect x="{x - size.width / 2:.1f}" y="{y - size.height / 2:.1f}" '
            f'width="{size.width:.1f}" height="{size.height:.1f}" fill="#fff" fill-opacity="0.9"/>'
        )
        yield _text(lines, x, y, _LINE * 0.9, ' font-size="11" fill="#333"')
