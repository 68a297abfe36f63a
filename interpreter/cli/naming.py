"""The things of a game in words of one language: players, pieces, places, values.

Each comes as a `Fill`, what stands in a slot of a sentence: the sentence asks for the grammatical
form that it needs, and its cases may test whether it is the reader, nothing, or hidden.
"""

from __future__ import annotations

from collections.abc import Sequence

from gemwright.dsl.labels.labels import Labels
from gemwright.dsl.labels.text import Fill, Filling, told_by
from gemwright.dsl.labels.vocabulary import BOX, phase_key
from gemwright.dsl.model import game as m
from gemwright.dsl.model.face_columns import columns_of
from gemwright.dsl.model.terms import Base, Type
from gemwright.interpreter.cli.speech import Speech
from gemwright.interpreter.events import Value
from gemwright.interpreter.information import seen as s

Alike = tuple[int, ...]

_MOST_NAMED = 4
"""So many alike faces are named; of more only the number is told."""


class Naming:
    """Names of one game model in one language. `viewer` is who reads, None for a spectator."""

    def __init__(
        self, model: m.Game, labels: Labels, speech: Speech, seats: Sequence[str] = ()
    ) -> None:
        """`seats` are strategy names, shown beside the players."""
        self.model = model
        self.labels = labels
        self.speech = speech
        self._seats = tuple(seats)
        self.columns = columns_of(model)
        self._numbers = {
            face: number
            for kind in model.kinds
            for face, number in zip(kind.faces, kind.numbers or (), strict=False)
        }
        self._zones = {
            zone.first + number: (zone, number)
            for zone in model.zones
            for number in range(zone.size)
        }

    def element(self, section: str, key: str) -> Fill:
        """The name of an element of the rules."""
        text = self.labels.named(section, key)
        return Fill(lambda form: self.speech.tell(text, form))

    def label(self, section: str, key: str) -> str:
        """The name of an element, as it stands alone."""
        return self.element(section, key).write("")

    @property
    def title(self) -> str:
        """What the game is called."""
        return self.labels.title or self.model.name.replace("_", " ")

    # -- players

    def player(self, seat: int, viewer: int | None = None) -> Fill:
        """A player: 'P2', or 'you'; nobody for a negative seat."""
        if seat < 0:
            return Fill(lambda form: self.speech.say("players.nobody", form), nothing=True)
        you = viewer is not None and seat == viewer
        reader = Fill(lambda form: "", you=you)

        def written(form: str) -> str:
            return self.speech.say("players.player", form, number=seat + 1, player=reader)

        return Fill(written, 1, you=you)

    def players(self, seats: Sequence[int], viewer: int | None = None) -> Fill:
        """Several players; the reader only if he is the only one."""
        if len(seats) == 1:
            return self.player(seats[0], viewer)
        return self.speech.listed([self.player(each, viewer) for each in seats], "lists.and")

    def strategy(self, seat: int) -> str:
        """Who plays a seat."""
        name = self._seats[seat]
        key = f"players.{name}"
        return self.speech.say(key) if self.speech.knows(key) else name

    def seat(self, seat: int) -> str:
        """A player with who plays it: 'P2 (random)'."""
        player = self.player(seat)
        if not self._seats:
            return player.write("")
        return self.speech.say("players.seat", player=player, who=self.strategy(seat))

    # -- pieces

    def face(self, face: int, count: int = 1) -> Fill:
        """A member: by its name, as its number if it has none, or by what is printed on it if the
        labels say so."""
        declared = self.model.faces[face]
        named = self.labels.has_name("faces", declared.name)
        called = None if named else self.labels.sentence("kinds", declared.kind, "called")
        if not named and called is None and face in self._numbers:
            number = self._numbers[face]
            return Fill(lambda form: str(number), number)
        if called is None:
            text = self.labels.named("faces", declared.name)
            return Fill(lambda form: self.speech.tell(text, form, count=count))
        cells = {
            name: self.value(type, value)
            for name, (type, value) in self.columns.get(face, {}).items()
        }
        slots: dict[str, Filling] = {**cells, "name": declared.name, "count": count}
        return Fill(lambda form: self.speech.tell(called, form, **slots))

    def alike(self, faces: Alike, count: int = 1) -> Fill:
        """Faces that cannot be told apart."""
        if not faces:
            return Fill(lambda form: self.speech.say("values.hidden", form), hidden=True)
        if len(faces) == 1:
            return self.face(faces[0], count)
        if len(faces) > _MOST_NAMED:
            return self.speech.fill("pieces.alike", count=len(faces), name=self.face(faces[0]))
        names = [self.face(face).write("") for face in faces]
        text = names[0]
        for each in names[1:]:
            text = self.speech.say("lists.or", first=text, second=each)
        return Fill(lambda form: text)

    def counted(self, count: int, name: Fill, kind: str = "") -> Fill:
        """So many of something; a name that begins with a digit is kept apart from the count."""
        own = self.labels.sentence("kinds", kind, "counted")

        def written(form: str) -> str:
            if own is not None:
                return self.speech.tell(own, form, count=count, name=name)
            digit = name.write(form)[:1].isdigit()
            key = "pieces.counted_digit" if digit else "pieces.counted"
            return self.speech.say(key, form, count=count, name=name)

        return Fill(written, count, nothing=count == 0)

    def look(self, look: s.Look, kind: str = "") -> Fill:
        """Some pieces that look alike; `kind` is what they are if nothing is seen of them."""
        if look.faces:
            kind = self.model.faces[look.faces[0]].kind
            return self.counted(look.count, self.alike(look.faces, look.count), kind)
        own = self.labels.sentence("kinds", kind, "hidden")

        def written(form: str) -> str:
            if own is not None:
                return self.speech.tell(own, form, count=look.count)
            return self.speech.say("pieces.hidden", form, count=look.count)

        return Fill(written, look.count, hidden=True)

    def looks(self, looks: Sequence[s.Look], kind: str = "") -> Fill:
        """Counted pieces in a sentence: '2 red and 1 blue'."""
        items = [self.look(look, kind) for look in looks if look.count]
        listed = self.speech.listed(items, "lists.and")
        hidden = bool(looks) and all(not look.faces for look in looks)
        return Fill(listed.write, listed.number, nothing=listed.nothing, hidden=hidden)

    def kind_in(self, zone: m.Zone) -> str:
        """The kind of what may lie in a zone: one kind, or a union of just these; else ''."""
        kinds = {self.model.faces[face].kind for face in zone.faces}
        if len(kinds) == 1:
            return kinds.pop()
        faces = set(zone.faces)
        return next((kind.name for kind in self.model.kinds if set(kind.faces) == faces), "")

    # -- places

    def zone_of(self, instance: int) -> m.Zone:
        """The family of a zone instance."""
        return self._zones[instance][0]

    def owner(self, instance: int) -> int | None:
        """The seat that a zone instance belongs to."""
        zone, position = self._zones[instance]
        return position if zone.index == "player" else None

    def place(self, instance: int, viewer: int | None = None) -> Fill:
        """A place in a sentence: 'the shelf', 'your hand', 'the pile of red'."""
        zone, position = self._zones[instance]
        if zone.name == BOX:
            return self.speech.fill("places.box")
        own = self.labels.sentence("zones", zone.name, "place")
        slots = {"name": self.element("zones", zone.name)}
        key = "places.zone"
        if zone.index == "player":
            slots["player"] = self.player(position, viewer)
            key = "places.of_player"
        elif zone.index:
            slots["index"] = self.index(zone.index, zone.labels[position])
            key = "places.of_index"
        if own is None:
            return self.speech.fill(key, **slots)
        return Fill(lambda form: self.speech.tell(own, form, **slots))

    def zone_title(self, instance: int) -> str:
        """A place as the head of a row; whose it is stands elsewhere."""
        zone, position = self._zones[instance]
        name = self.label("zones", zone.name)
        if not zone.index or zone.index == "player":
            return name
        index = self.index(zone.index, zone.labels[position])
        return self.speech.say("state.of_index", name=name, index=index)

    def family(self, zone: int) -> Fill:
        """A family of places, whichever of them is meant."""
        declared = self.model.zones[zone]
        if declared.size == 1:
            return self.place(declared.first)
        return self.element("zones", declared.name)

    def index(self, index: str, label: str) -> Fill:
        """What a zone or a state is indexed by: a member or a number."""
        if index == "player":
            return self.player(int(label[1:]) - 1)
        kind = next((each for each in self.model.kinds if each.name == index), None)
        faces = () if kind is None else [self.model.faces[each] for each in kind.faces]
        face = next((each for each in faces if each.is_called(label)), None)
        # A number stands for itself, unless the labels have a name for it.
        if face is None or (face.name != label and not self.labels.has_name("faces", face.name)):
            return Fill(lambda form: label)
        return self.face(face.id)

    # -- values

    def value(self, type: Type, value: Value, viewer: int | None = None) -> Fill:
        """A value in words."""
        if isinstance(value, tuple):
            if type.base is Base.PIECE:
                return self.face(value[1])
            return self.lot(type.faces, value)
        if type.base is Base.PLAYER:
            return self.player(value, viewer)
        if type.base is Base.FACE:
            return self.face(value)
        if type.base is Base.FLAG:
            key = "values.yes" if value else "values.no"
            return Fill(lambda form: self.speech.say(key, form), nothing=not value)
        return Fill(lambda form: str(value), value, nothing=value == 0)

    def lot(self, faces: Sequence[int], counts: Sequence[int]) -> Fill:
        """Counts by face; negative ones are changes."""
        items = [
            self.counted(count, self.face(face, abs(count)), self.model.faces[face].kind)
            for face, count in zip(faces, counts, strict=True)
            if count
        ]
        return self.speech.listed(items)

    def variable(self, variable: int, position: int, viewer: int | None = None) -> Fill:
        """A state variable: 'round', or 'money of P1'."""
        declared = self.model.variables[variable]
        name = self.element("state", declared.name)
        if declared.index == "player":
            player = self.player(position, viewer)
            return self.speech.fill("state.of_player", name=name, player=player)
        if declared.index:
            index = self.index(declared.index, declared.labels[position])
            return self.speech.fill("state.of_index", name=name, index=index)
        return name

    def phase(self, phase: str) -> str:
        """A phase; of nested ones the innermost."""
        return self.label("phases", phase_key(phase))

    def printable(self, face: int) -> list[str]:
        """The columns of a piece that are told: those whose label is not an empty text."""
        return [name for name in self.columns.get(face, {}) if self.label("columns", name)]

    def untold(self, face: int) -> list[str]:
        """What is printed on a piece and not told by its name."""
        declared = self.model.faces[face]
        named = self.labels.has_name("faces", declared.name)
        called = None if named else self.labels.sentence("kinds", declared.kind, "called")
        told = [told_by(called, case) for case in called.cases] if called is not None else []
        return self.printed(face, frozenset().union(*told))

    def printed(self, face: int, told_by_name: frozenset[str] = frozenset()) -> list[str]:
        """What is printed on a piece: 'points 1', 'cost 2 red, 1 blue'.

        Without empty cells, columns that are told by the name, and those whose label is empty.
        """
        told = []
        for name in self.printable(face):
            type, value = self.columns[face][name]
            label = self.label("columns", name)
            if name in told_by_name:
                continue
            if type.base is Base.FLAG:
                told += [label] if value else []
            elif not isinstance(value, tuple) or any(value):
                shown = self.value(type, value)
                told.append(self.speech.say("pieces.fact", name=label, value=shown))
        return told
