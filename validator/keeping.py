"""Whether pieces stay in play: sentences after the setup that take some out of the box, or put some
into it.

No piece is ever made or lost, but one that lies in the box is out of the game. Whether that is
meant nobody can tell from the rules; so it is asked only where the file says that all pieces stay.
"""

from __future__ import annotations

from collections.abc import Iterator

from gemwright.dsl.diagnostics import Diagnostic, Reporter
from gemwright.dsl.elaboration.declare_zones import BOX
from gemwright.dsl.model import game as m
from gemwright.validator.findings import Verdict3
from gemwright.validator.rules.doing import Transfer, possible_actions, transfers


def kept_in_play(game: m.Game) -> Verdict3:
    """Whether no sentence after the setup moves pieces out of the box or into it."""
    return "unknown" if kept_findings(game) else "proved"


def kept_findings(game: m.Game) -> tuple[Diagnostic, ...]:
    """The sentences that do."""
    reporter = Reporter()
    for transfer in dict.fromkeys(_crossing(game)):
        names = [zone.name for zone in game.zones if zone.id == transfer.target]
        if names == [BOX]:
            text, code = "pieces leave the game here", "C002"
        else:
            text, code = "pieces that were out of the game come into it here", "C001"
        message = f"{text}, and the file expects all to stay where they are in play"
        reporter.error(code, transfer.span, message, "name the zone that is meant")
    return reporter.diagnostics


def _crossing(game: m.Game) -> Iterator[Transfer]:
    """Moves after the setup that go out of the box or into it."""
    box = {zone.id for zone in game.zones if zone.name == BOX}
    later = (p for p in game.points if isinstance(p, m.Do) and p.phase not in ("", "setup"))
    bodies = [point.body for point in later]
    bodies += [action.do for action in possible_actions(game)]
    for each in (transfer for body in bodies for transfer in transfers(body)):
        if (each.source in box) != (each.target in box):
            yield each
    for action in possible_actions(game):
        picked = {
            parameter.slot
            for parameter in action.parameters
            if isinstance(parameter.domain, m.LotDomain | m.PieceDomain)
            and any(source.zone in box for source in parameter.domain.sources)
        }
        yield from (each for each in transfers(action.do) if each.slot in picked)
