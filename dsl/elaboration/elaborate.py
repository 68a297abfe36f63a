"""A document at one player count and one choice of options -> the game model.

Order: options, kinds, tables, zones, state, defines, roles of phases, actions, control points,
result;
then layout, walkability, information and cycles. All problems go to the reporter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from gemwright.dsl.checks.at_once import check_at_once
from gemwright.dsl.checks.guard_flow import check_guards
from gemwright.dsl.checks.information import check_information
from gemwright.dsl.checks.leaving import check_leaving
from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.document.compose import Document
from gemwright.dsl.document.tree import Map, Seq
from gemwright.dsl.elaboration.actions import Actions
from gemwright.dsl.elaboration.cycles import check_cycles
from gemwright.dsl.elaboration.declare import Settled
from gemwright.dsl.elaboration.declare_kinds import Kinds
from gemwright.dsl.elaboration.declare_rows import Rows
from gemwright.dsl.elaboration.declare_state import States, check_parameters, declare_defines
from gemwright.dsl.elaboration.declare_tables import ConstantTables
from gemwright.dsl.elaboration.declare_zones import Zones
from gemwright.dsl.elaboration.domains import Domains
from gemwright.dsl.elaboration.expectations import read_expectations
from gemwright.dsl.elaboration.expressions import Expressions
from gemwright.dsl.elaboration.flow import Flow
from gemwright.dsl.elaboration.names import Names
from gemwright.dsl.elaboration.options import Chosen, OptionSpec, declare_options, options_fit
from gemwright.dsl.elaboration.outcome import read_match, read_result
from gemwright.dsl.elaboration.phases import Phases
from gemwright.dsl.elaboration.reading import entries, text_of
from gemwright.dsl.elaboration.sentences import Sentences
from gemwright.dsl.model.game import (
    Action,
    Decide,
    Face,
    Game,
    LotDomain,
    Parameter,
    PieceDomain,
    Point,
    ValueDomain,
    Variable,
    Zone,
)
from gemwright.dsl.model.terms import Base
from gemwright.dsl.walkable.classification import plan_walks


def elaborate(
    document: Document,
    specs: tuple[OptionSpec, ...],
    title: str,
    players: int,
    chosen: Chosen,
    reporter: Reporter,
) -> Game | None:
    """The game model, or None after errors."""
    names = Names(players, reporter)
    expressions = Expressions(names)
    domains = Domains(names, expressions)
    tree = document.tree
    names.announce(_announced(tree))
    declare_options(names, specs, chosen)
    rows = Rows(names, expressions, document)
    Kinds(names, rows, tree).declare()
    ConstantTables(names, rows).declare(tree)
    if not options_fit(tree, names, expressions):
        return None
    settled = Settled(names, expressions)
    Zones(names, settled, tree).declare()
    States(names, settled, tree).declare()
    declare_defines(tree, names)
    phases = Phases(names, expressions)
    if not phases.collect(tree):
        if not reporter.has_errors:
            reporter.error("S003", tree.span, "there are no phases", "add `phases` with a `start`")
        return None
    check_parameters(names)
    sentences = Sentences(names, expressions, domains, phases.exits)
    declared = entries(tree.get("actions"))
    reader = Actions(names, expressions, domains, sentences)
    actions = tuple(reader.read(number, *entry) for number, entry in enumerate(declared))
    action_ids = {name: number for number, (name, _, _) in enumerate(declared)}
    flow = Flow(phases, sentences, action_ids)
    start = flow.add_setup(tree.get("setup"), tree.span)
    points = flow.lower()
    result = read_result(tree.get("result"), names, expressions)
    match = read_match(tree.get("match"), names, expressions)
    if reporter.has_errors:
        return None
    assert len(points) == len(phases.points), "a control point was reserved and never made"
    layout = _lay_out(names, actions, points)
    options = tuple((name, option.value) for name, option in names.options.items())
    game = Game(
        name=document.name,
        title=title,
        language=1,
        players=players,
        options=options,
        digest=document.digest,
        kinds=tuple(info.kind for info in names.kinds.values()),
        faces=layout.faces,
        zones=layout.zones,
        variables=layout.variables,
        actions=actions,
        points=points,
        start=start,
        result=result,
        match=match,
        elements=tuple(names.elements),
        expectations=read_expectations(tree, specs, players, chosen, reporter),
        low=layout.low,
        high=layout.high,
        cell_names=layout.cell_names,
        out_offset=1,
        chance_offset=1 + players,
        sealed_offset=layout.sealed_offset,
        sealed_stride=layout.sealed_stride,
        capped=flow.capped,
        decreases=flow.decreases,
        measures=tuple(flow.measures),
    )
    check_cycles(phases, game, reporter)
    check_leaving(game, reporter)
    check_at_once(game, reporter)
    check_guards(game, reporter)
    check_information(game, reporter)
    planned = plan_walks(game, reporter)
    return None if reporter.has_errors or planned is None else planned


def _announced(tree: Map) -> Iterator[str]:
    """The names that the sections of a file declare, with members and plurals of its kinds."""
    for section in ("options", "kinds", "tables", "zones", "state", "define", "effects"):
        for key, _, node in entries(tree.get(section)):
            yield key.partition("(")[0].strip()
            plural = node.get("plural") if isinstance(node, Map) else None
            yield text_of(plural) or key
            members = node.get("members") if isinstance(node, Map) else None
            for item in members.items if isinstance(members, Seq) else ():
                yield text_of(item) or ""


# -- layout --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Layout:
    faces: tuple[Face, ...]
    zones: tuple[Zone, ...]
    variables: tuple[Variable, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]
    cell_names: tuple[str, ...]
    sealed_offset: int
    sealed_stride: int


class _Cells:
    """Cells as they are laid out one after another."""

    def __init__(self) -> None:
        self.low: list[int] = []
        self.high: list[int] = []
        self.names: list[str] = []

    def add(self, name: str, low: int, high: int) -> None:
        self.low.append(low)
        self.high.append(high)
        self.names.append(name)


def _lay_out(names: Names, actions: tuple[Action, ...], points: tuple[Point, ...]) -> _Layout:
    cells = _Cells()
    cells.add("control point", 0, len(points) - 1)
    for seat in range(names.players):
        cells.add(f"out[P{seat + 1}]", 0, 1)
    cells.add("chance key", 0, (1 << 64) - 1)
    cells.add("chance ticks", 0, (1 << 32) - 1)
    held = {face for zone in names.zones.values() for face in zone.faces}
    faces = tuple(face if face.id in held else replace(face, count=0) for face in names.faces)
    zones: list[Zone] = []
    first = 0
    for zone in sorted(names.zones.values(), key=lambda z: z.id):
        zones.append(_zone(zone, first, faces, cells))
        first += zone.size
    variables = tuple(
        _variable(v, len(names.faces), names.players, cells)
        for v in sorted(names.variables.values(), key=lambda v: v.id)
    )
    offset = len(cells.low)
    stride = _sealed(actions, points, names.players, cells)
    return _Layout(
        faces,
        tuple(zones),
        variables,
        tuple(cells.low),
        tuple(cells.high),
        tuple(cells.names),
        offset,
        stride,
    )


def _zone(zone: Zone, first: int, faces: tuple[Face, ...], cells: _Cells) -> Zone:
    offset = len(cells.low)
    pieces = sum(faces[f].count for f in zone.faces)
    for label in zone.labels:
        name = f"{zone.name}[{label}]" if label else zone.name
        if zone.order == "counts":
            for face in zone.faces:
                cells.add(f"{name}.{faces[face].name}", 0, faces[face].count)
            continue
        slots = pieces if zone.order == "stack" else zone.slots
        if zone.order == "stack":
            cells.add(f"{name}.size", 0, slots)
        for slot in range(slots):
            cells.add(f"{name}.{slot + 1}", 0, len(faces))
    stride = (len(cells.low) - offset) // max(zone.size, 1)
    slots = pieces if zone.order == "stack" else zone.slots
    return replace(zone, first=first, offset=offset, stride=stride, slots=slots)


def _variable(variable: Variable, faces: int, players: int, cells: _Cells) -> Variable:
    offset = len(cells.low)
    type = variable.type
    low, high = type.low, type.high
    if type.base is Base.PLAYER:
        low, high = (-1 if type.optional else 0), players - 1
    elif type.base is Base.FACE:
        low, high = 0, faces - 1
    for label in variable.labels:
        cells.add(f"{variable.name}[{label}]" if label else variable.name, low, high)
    return replace(variable, offset=offset)


def _sealed(
    actions: tuple[Action, ...], points: tuple[Point, ...], players: int, cells: _Cells
) -> int:
    """Cells for sealed picks per seat: action id + 2, then its parameters, wide enough for
    every action."""
    sealed = {
        a for p in points if isinstance(p, Decide) and p.together for a in (*p.actions, *p.fallback)
    }
    together = any(isinstance(p, Decide) and p.together for p in points)
    if not together:
        return 0
    ranges: list[tuple[int, int]] = []
    for action in actions:
        if action.id not in sealed:
            continue
        wanted: list[tuple[int, int]] = []
        for parameter in action.parameters:
            if isinstance(parameter.domain, LotDomain):
                wanted.extend((0, cell.high) for cell in parameter.domain.cells)
            elif isinstance(parameter.domain, PieceDomain):
                wanted.append((0, max(len(parameter.domain.options) - 1, 0)))
            else:
                wanted.append(_single_range(parameter, parameter.domain, players))
        for place, (low, high) in enumerate(wanted):
            if place == len(ranges):
                ranges.append((low, high))
            ranges[place] = (min(ranges[place][0], low), max(ranges[place][1], high))
    for seat in range(players):
        cells.add(f"sealed[P{seat + 1}].action", 0, len(actions) + 1)
        for place, (low, high) in enumerate(ranges):
            cells.add(f"sealed[P{seat + 1}].{place + 1}", low, high)
    return 1 + len(ranges)


def _single_range(parameter: Parameter, domain: ValueDomain, players: int) -> tuple[int, int]:
    """The values that a sealed single pick can have."""
    if parameter.type.base is Base.PLAYER:
        return 0, players - 1
    if parameter.type.base is Base.FACE:
        return 0, max(parameter.type.faces)
    return min(domain.low, 0), max(domain.high, 1)
