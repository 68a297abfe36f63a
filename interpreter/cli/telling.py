"""Moves and events as sentences of one language, as one viewer reads them.

It is given only what a viewer may know (views and seen events), so it cannot tell too much. An
action, a state or a move of pieces that has a sentence in the label files is told by it; all else
by a pattern of the runner that puts names in a row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from gemwright.dsl.labels.text import Fill
from gemwright.dsl.labels.vocabulary import SETUP, fact_key, is_shown, phase_key
from gemwright.dsl.model import game as m
from gemwright.dsl.source import Span, excerpt
from gemwright.interpreter.cli.naming import Naming
from gemwright.interpreter.information import seen as s
from gemwright.interpreter.moves import Move


class Telling:
    """Sentences about one game model; `viewer` is who reads, None for a spectator."""

    def __init__(self, naming: Naming, sources: Mapping[str, str] = MappingProxyType({})) -> None:
        """`sources` are the rules by path, to quote what is published."""
        self._sources = sources
        self.naming = naming
        self.model = naming.model
        self.labels = naming.labels
        self.speech = naming.speech

    def action(self, name: str) -> str:
        """What an action is called."""
        if name == m.PASS_ACTION:
            return self.speech.say("moves.pass")
        return self.naming.label("actions", name)

    # -- moves

    def move(self, move: Move, viewer: int | None = None) -> str:
        """A move in one line, as it is offered."""
        action = next((each for each in self.model.actions if each.name == move.action), None)
        if action is None:
            return self.action(move.action)
        fills = {
            parameter.name: self.pick(parameter, value, viewer)
            for parameter, value in zip(action.parameters, move.values, strict=True)
        }
        sentence = self.labels.sentence("actions", action.name, "move")
        if sentence is not None:
            return self.speech.tell(sentence, **fills)
        name = self.action(action.name)
        if not fills:
            return name
        return self.speech.say("moves.action", action=name, picks=self._in_a_row(action, fills))

    def _in_a_row(self, action: m.Action, fills: Mapping[str, Fill]) -> Fill:
        """Picks with their names: 'sell nothing; buy 1 red'."""
        parts = [
            self.speech.say(
                "moves.pick",
                name=self.naming.label("parameters", each.name),
                value=fills[each.name],
            )
            for each in action.parameters
        ]
        return self.speech.listed(parts, "lists.semicolon", "lists.semicolon")

    def pick(
        self, parameter: m.Parameter, value: int | tuple[int, ...], viewer: int | None = None
    ) -> Fill:
        """A picked value: a lot by counts, a piece with its place where it may differ."""
        domain = parameter.domain
        if isinstance(value, int):
            return self.naming.value(parameter.type, value, viewer)
        if isinstance(domain, m.LotDomain):
            return self._lot(domain, value)
        assert isinstance(domain, m.PieceDomain)
        zones = {self.naming.zone_of(instance).name for instance, _ in domain.options}
        face = self.naming.face(value[1])
        if len(zones) == 1:
            return face
        return self._from(face, self.naming.place(value[0], viewer))

    def _lot(self, domain: m.LotDomain, counts: Sequence[int]) -> Fill:
        items = []
        for cell, count in zip(domain.cells, counts, strict=True):
            if not count:
                continue
            kind = self.model.faces[cell.face].kind
            item = self.naming.counted(count, self.naming.face(cell.face, count), kind)
            if len(domain.sources) > 1:
                place = self.naming.family(domain.sources[cell.source].zone)
                item = self._from(item, place)
            items.append(item)
        return self.speech.listed(items, "lists.and")

    def _from(self, pieces: Fill, place: Fill) -> Fill:
        written = self.speech.fill("pieces.from", pieces=pieces, place=place)
        return Fill(written.write, pieces.number, hidden=pieces.hidden)

    # -- events

    def event(self, event: s.SeenEvent, viewer: int | None) -> str:
        """An event as a sentence; '' for one that says nothing by itself."""
        match event:
            case s.SeenChoice():
                return self._choice(event, viewer)
            case s.SeenPass():
                key = "log.forced" if event.forced else "log.pass"
                return self.speech.say(key, player=self.naming.player(event.player, viewer))
            case s.SeenMove():
                return self._moved(event, viewer)
            case s.SeenValue():
                return self._assigned(event, viewer)
            case s.SeenFact():
                return self._fact(event, viewer)
            case s.SeenPieces():
                key = "log.shown_private" if event.private else "log.shown"
                zone = self.naming.place(event.instance, viewer)
                return self.speech.say(key, zone=zone, pieces=self.naming.looks(event.pieces))
        return self._plain(event, viewer)

    def _plain(
        self, event: s.SeenShuffle | s.SeenOut | s.SeenPhase | s.SeenEnd, viewer: int | None
    ) -> str:
        match event:
            case s.SeenShuffle():
                zone = self.naming.place(event.instance, viewer)
                return self.speech.say("log.shuffled", zone=zone)
            case s.SeenOut():
                return self.speech.say("log.out", player=self.naming.player(event.player, viewer))
            case s.SeenPhase():
                sentence = self.labels.sentence("phases", phase_key(event.phase), "log")
                if sentence is not None:
                    return self.speech.tell(sentence)
                if event.phase == SETUP:
                    return self.speech.say("log.setup")
                return self.speech.say("log.phase", phase=self.naming.phase(event.phase))
        return self.end(event.reason)

    def end(self, reason: str) -> str:
        """That the game is over, and why."""
        return self.speech.say(f"log.{reason}")

    def _choice(self, event: s.SeenChoice, viewer: int | None) -> str:
        action = self.model.actions[event.action]
        player = self.naming.player(event.player, viewer)
        fills = {
            pick.name: self._pick(parameter, pick, viewer)
            for parameter, pick in zip(action.parameters, event.picks, strict=True)
        }
        sentence = self.labels.sentence("actions", action.name, "log")
        if sentence is not None:
            return self.speech.tell(sentence, player=player, **fills)
        picks = self._in_a_row(action, fills)
        name = self.action(action.name)
        return self.speech.say("log.choice", player=player, action=name, picks=picks)

    def _pick(self, parameter: m.Parameter, pick: s.SeenPick, viewer: int | None) -> Fill:
        if pick.pieces is not None:
            return self._picked(parameter, pick.pieces, viewer)
        if pick.value is None:
            return Fill(lambda form: self.speech.say("values.secret", form), hidden=True)
        return self.naming.value(parameter.type, pick.value, viewer)

    def _picked(
        self,
        parameter: m.Parameter,
        pieces: tuple[tuple[int, int | None, tuple[s.Look, ...]], ...],
        viewer: int | None,
    ) -> Fill:
        items = []
        hidden = False
        for zone, instance, looks in pieces:
            if not looks:
                continue
            if isinstance(parameter.domain, m.PieceDomain):
                item = self.naming.alike(looks[0].faces)
            else:
                kind = self.naming.kind_in(self.model.zones[zone])
                item = self.naming.looks(looks, kind)
            hidden = hidden or item.hidden
            if len(pieces) > 1:
                place = self.naming.family(zone)
                if instance is not None:
                    place = self.naming.place(instance, viewer)
                item = self._from(item, place)
            items.append(item)
        listed = self.speech.listed(items, "lists.and")
        return Fill(listed.write, listed.number, nothing=listed.nothing, hidden=hidden)

    def _moved(self, event: s.SeenMove, viewer: int | None) -> str:
        if not event.count:
            return ""
        naming = self.naming
        source, target = naming.zone_of(event.source), naming.zone_of(event.target)
        pieces = naming.looks(event.pieces, naming.kind_in(target) or naming.kind_in(source))
        owner = naming.owner(event.target)
        owner = naming.owner(event.source) if owner is None else owner
        slots = {
            "pieces": pieces,
            "source": naming.place(event.source, viewer),
            "target": naming.place(event.target, viewer),
            "player": naming.player(-1 if owner is None else owner, viewer),
        }
        sentence = self.labels.sentence("moves", f"{source.name} to {target.name}")
        if sentence is not None:
            return self.speech.tell(sentence, **slots)
        end = f"_{event.to_end}" if event.to_end in ("top", "bottom") else ""
        return self.speech.say(f"log.moved{end}", **slots)

    def _assigned(self, event: s.SeenValue, viewer: int | None) -> str:
        naming = self.naming
        declared = self.model.variables[event.variable]
        if not is_shown(declared):
            return ""
        value = naming.value(declared.type, event.value, viewer)
        sentence = self.labels.sentence("state", declared.name, "log")
        if sentence is None:
            name = naming.variable(event.variable, event.position, viewer)
            return self.speech.say("log.value", name=name, value=value)
        slots = {"value": value, "name": naming.element("state", declared.name)}
        if declared.index == "player":
            slots["player"] = naming.player(event.position, viewer)
        elif declared.index:
            slots["index"] = naming.index(declared.index, declared.labels[event.position])
        return self.speech.tell(sentence, **slots)

    def _fact(self, event: s.SeenFact, viewer: int | None) -> str:
        what = fact_key(event.text or self._quote(event.span))
        value = self.naming.value(event.type, event.value, viewer)
        sentence = self.labels.sentence("facts", what)
        if sentence is not None:
            return self.speech.tell(sentence, value=value)
        key = "log.fact_private" if event.private else "log.fact"
        return self.speech.say(key, what=what or self.speech.say("log.condition"), value=value)

    def _quote(self, span: Span | None) -> str:
        """What the rules say at a place, if it is at hand."""
        return "" if span is None else excerpt(self._sources.get(span.path, ""), span)
