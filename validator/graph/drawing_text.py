"""Drawings as Mermaid and as DOT, for programs that lay them out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from gemwright.validator.graph.drawing import Arrow, Box, Drawing

_MERMAID: Final = {
    "start": ('(["', '"])'),
    "do": ('["', '"]'),
    "chance": ('[/"', '"/]'),
    "decision": ('{{"', '"}}'),
    "together": ('{{"', '"}}'),
    "loop": ('("', '")'),
    "choice": ('{"', '"}'),
    "end": ('(["', '"])'),
}
_DOT: Final = {
    "start": "oval",
    "do": "box",
    "chance": "parallelogram",
    "decision": "hexagon",
    "together": "doubleoctagon",
    "loop": "box, style=rounded",
    "choice": "polygon, sides=4, orientation=45",
    "end": "doublecircle",
}


def as_mermaid(shown: Drawing) -> str:
    """A Mermaid flowchart."""
    lines = ["---", f"title: {_plain(shown.title)}", "---", "flowchart TD"]

    def box(each: Box, depth: int) -> str:
        left, right = _MERMAID[each.shape]
        return f"{'    ' * depth}{each.id}{left}{_mermaid('<br/>', each.lines)}{right}"

    def opened(name: str, number: int, depth: int) -> str:
        return f'{"    " * depth}subgraph g{number}["{_mermaid("", (name,))}"]'

    lines += _nested(shown, box, opened, "end")
    for arrow in shown.arrows:
        line = "-.->" if arrow.loose else "-->"
        label = _mermaid("<br/>", tuple(arrow.label.split("\n"))) if arrow.label else ""
        lines.append(
            f"    {arrow.source} {line}" + (f'|"{label}"|' if label else "") + f" {arrow.target}"
        )
    return "\n".join(lines) + "\n"


def as_dot(shown: Drawing) -> str:
    """A graph in the DOT language."""
    lines = [
        f'digraph "{_dot(shown.title)}" {{',
        "    node [fontname=sans];",
        "    edge [fontname=sans, fontsize=10];",
    ]

    def box(each: Box, depth: int) -> str:
        text = "\\n".join(_dot(line) for line in each.lines)
        return f'{"    " * depth}{each.id} [shape={_DOT[each.shape]}, label="{text}"];'

    def opened(name: str, number: int, depth: int) -> str:
        return f'{"    " * depth}subgraph cluster_{number} {{ label="{_dot(name)}";'

    lines += _nested(shown, box, opened, "}")
    lines += [_dot_arrow(arrow) for arrow in shown.arrows]
    return "\n".join([*lines, "}"]) + "\n"


def _dot_arrow(arrow: Arrow) -> str:
    text = "\\n".join(_dot(line) for line in arrow.label.split("\n"))
    style = ", style=dashed" if arrow.loose else ""
    return f'    {arrow.source} -> {arrow.target} [label="{text}"{style}];'


def _nested(
    shown: Drawing,
    box: Callable[[Box, int], str],
    opened: Callable[[str, int, int], str],
    closed: str,
) -> Iterator[str]:
    """The boxes inside the groups that they belong to, each group once."""
    groups = list(
        dict.fromkeys(box_.group[:n] for box_ in shown.boxes for n in range(len(box_.group) + 1))
    )

    def inside(group: tuple[str, ...]) -> Iterator[str]:
        depth = len(group) + 1
        for each in shown.boxes:
            if each.group == group:
                yield box(each, depth)
        for number, inner in enumerate(groups):
            if len(inner) == len(group) + 1 and inner[: len(group)] == group:
                yield opened(inner[-1], number, depth)
                yield from inside(inner)
                yield "    " * depth + closed

    yield from inside(())


def _plain(text: str) -> str:
    """A title on one line that YAML reads as text."""
    return '"' + " ".join(text.split()).replace("\\", "").replace('"', "'") + '"'


def _mermaid(between: str, lines: tuple[str, ...]) -> str:
    """Text in quotes: what would be markup is written as an entity."""
    special = {"#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "`": "#96;"}
    return between.join("".join(special.get(c, c) for c in line) for line in lines)


def _dot(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
