"""Resampling: another state that a player cannot tell from this one.

Pieces that the player does not see are dealt anew, uniformly over the places that they may lie in,
except for what he knows to lie somewhere; hidden stacks get a new order, sealed picks of others are
chosen anew, and the future gets a fresh key. What cannot be drawn anew stays as it is. Bots search
on such states, so that they use no more than their player knows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from gemwright.dsl.model import game as m
from gemwright.interpreter.block import POINT, Block
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.decision import Decision
from gemwright.interpreter.information.deal import Group, deal
from gemwright.interpreter.information.hidden_values import redraw_values
from gemwright.interpreter.information.knowledge import Memory, known, memory
from gemwright.interpreter.information.seen import log
from gemwright.interpreter.machine import encode_values
from gemwright.interpreter.moves import find_action
from gemwright.interpreter.problem import RuntimeProblem

if TYPE_CHECKING:
    from gemwright.interpreter.state import State

TRIES: Final = 12
"""How often everything hidden is dealt before the pieces of those who decide are left in place."""


def resample(state: State, player: int, stream: Stream) -> State:
    """A state with the same view, and the same knowledge, for a seat.

    In the new state the player's log is as before. Of the others nothing is carried over but what
    everybody has seen: what they know in truth would tell where hidden pieces lie. A finished game
    keeps its pieces, since its result depends on them.
    """
    if state.is_over:
        return _forget(state.clone(), state, player)
    attempts: list[list[int]] = [[]] * TRIES + [_asked(state, player)]
    for fixed in attempts:
        block = _redrawn(state, player, fixed, stream)
        made = _restart(state, block, player, stream)
        if made is not None:
            return made
    block = state.block.copy()
    _fresh_chance(state, block, stream)
    return _forget(_resting(state, block), state, player)


def _redrawn(state: State, player: int, fixed: Iterable[int], stream: Stream) -> Block:
    """A copy of the block with hidden pieces and values drawn anew, except in zones of `fixed`."""
    block = state.block.copy()
    _deal_pieces(state, block, player, frozenset(fixed), stream)
    redraw_values(memory(state), block, player, stream)
    _fresh_chance(state, block, stream)
    return block


def _fresh_chance(state: State, block: Block, stream: Stream) -> None:
    offset = state.model.chance_offset
    block[offset : offset + 2] = [stream.below(1 << 64), 0]


def _restart(state: State, block: Block, player: int, stream: Stream) -> State | None:
    """A state that rests on the block; None if not the same other players would be asked.

    That somebody is asked is public: it says that he has something to choose.
    """
    try:
        _choose_sealed(state, block, player, stream)
        made = _resting(state, block)
    except RuntimeProblem:
        # The new deal breaks an invariant that the rules rely on: it could not have come about.
        return None
    if _asked(made, player) != _asked(state, player):
        return None
    return _forget(made, state, player)


def _resting(state: State, block: Block) -> State:
    return type(state).resting(state._machine, block)


def _asked(state: State, player: int) -> list[int]:
    return [each.player for each in state.pending if each.player != player]


def _forget(made: State, state: State, player: int) -> State:
    """Give a state the memory of the player, and of the others what is public."""
    past = memory(state)
    made.events = Memory(
        past.sight,
        {player: past.bounds(player), None: past.bounds(None)},
        {player: log(state, player), None: log(state, None)},
        past.touched(),
    )
    return made


# -- pieces


def _deal_pieces(
    state: State, block: Block, player: int, fixed: frozenset[int], stream: Stream
) -> None:
    sight, places = memory(state).sight, state._machine.places
    groups: list[Group] = []
    at: list[tuple[int, tuple[int, ...]]] = []
    for instance, zone in enumerate(sight.layout.instance_zone):
        if zone.index == "player" and instance - zone.first in fixed:
            continue
        if sight.is_full(instance, player):
            continue
        counts = dict(zip(zone.faces, places.counts(instance, state.block), strict=True))
        bounds = known(state, player, instance)
        for look in sight.looks(instance, player):
            pieces = {face: counts[face] for face in look if counts[face]}
            if len(look) > 1 and pieces:
                kept = {face: min(n, bounds[face]) for face, n in pieces.items()}
                groups.append(Group(look, pieces, kept))
                at.append((instance, look))
    for (instance, look), dealt in zip(at, deal(groups, stream), strict=True):
        _lay(state, block, instance, look, dealt, stream)


def _lay(
    state: State,
    block: Block,
    instance: int,
    look: tuple[int, ...],
    pieces: list[int],
    stream: Stream,
) -> None:
    """Put dealt pieces into the places of one look; ordered places get them in random order."""
    layout = state._machine.layout
    zone, offset = layout.instance_zone[instance], layout.instance_offset[instance]
    if zone.order == "counts":
        for face in look:
            block[offset + layout.positions[zone.id][face]] = pieces.count(face)
        return
    for last in range(len(pieces) - 1, 0, -1):
        other = stream.below(last + 1)
        pieces[last], pieces[other] = pieces[other], pieces[last]
    # The first cell of a stack is its size; above its top all cells are 0, which is no piece.
    start = offset + 1 if zone.order == "stack" else offset
    cells = [cell for cell in range(start, offset + zone.stride) if block[cell] - 1 in look]
    for cell, face in zip(cells, pieces, strict=True):
        block[cell] = face + 1


# -- sealed picks


def _choose_sealed(state: State, block: Block, player: int, stream: Stream) -> None:
    """Let the others choose again, who have chosen already, in the new world."""
    model, machine = state.model, state._machine
    point = model.points[block[POINT]]
    if not isinstance(point, m.Decide) or not point.together:
        return
    chosen = [seat for seat in range(model.players) if seat != player and _head(model, block, seat)]
    for seat in chosen:
        start = model.sealed_offset + seat * model.sealed_stride
        block[start : start + model.sealed_stride] = [0] * model.sealed_stride
    offers = {offer.player: offer for offer in machine.offers(block)}
    picks: dict[int, list[int]] = {}
    for seat in chosen:
        # Whoever has nothing to choose passes sealed, as the machine does it.
        picks[seat] = [1]
        if seat in offers:
            move = Decision(machine, block, offers[seat]).sample(stream)
            action = find_action(model, move.action)
            if action is not None:
                picks[seat] = [action.id + 2, *encode_values(action, move.values)]
    for seat, cells in picks.items():
        start = model.sealed_offset + seat * model.sealed_stride
        block[start : start + len(cells)] = cells


def _head(model: m.Game, block: Block, seat: int) -> int:
    return block[model.sealed_offset + seat * model.sealed_stride]
