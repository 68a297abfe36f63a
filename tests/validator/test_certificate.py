"""Certificates: what the prover writes is accepted, and nothing else."""

from __future__ import annotations

import ast
import copy
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gemwright.validator.abstraction.transitions import TransitionSystem
from gemwright.validator.certificate import checker as certificate_checker
from gemwright.validator.certificate import system as certificate_system
from gemwright.validator.certificate import walk as certificate_walk
from gemwright.validator.certificate import ways as certificate_ways
from gemwright.validator.certificate.checker import check, main
from gemwright.validator.certificate.forms import digest, system_json
from gemwright.validator.certificate.system import CertificateError
from gemwright.validator.proof import ranking
from gemwright.validator.proving import prove
from tests.validator.systems import closing_card, either_way, laps, market, reshuffling

Json = dict[str, Any]
Place = tuple[str | int, ...]
SYSTEMS = {
    "laps": laps(2, 27),
    "reshuffles": reshuffling(2),
    "closing card": closing_card(2),
    "either way": either_way(),
    "market with many ways": market(3, 30, 10, ways=3),
}
EACH = 1
"""So many mutants of each kind of place and of each kind of change."""


def written(system: TransitionSystem) -> Json:
    """The certificate of a system, as it comes out of a file."""
    certificate = prove(system).termination.certificate
    assert certificate is not None
    found = json.loads(json.dumps(certificate))
    assert isinstance(found, dict)
    return found


@pytest.fixture(scope="module")
def certificates() -> Iterator[dict[str, Json]]:
    """Certificates of all systems, of one that may not join many steps so that it has to split."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranking, "WIDE", 4)
        yield {name: written(system) for name, system in SYSTEMS.items()}


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_certificate_is_accepted_with_its_bound(certificates: dict[str, Json], name: str) -> None:
    assert check(certificates[name]) == certificates[name]["moves"] > 0


def places(value: Any, at: Place = ()) -> Iterator[Place]:
    """All places in a certificate but for the system, which its digest covers."""
    if at:
        yield at
    items: Iterator[tuple[str | int, Any]] = iter(())
    if isinstance(value, dict):
        items = iter(value.items())
    elif isinstance(value, list):
        items = iter(enumerate(value))
    for key, inner in items:
        if at or key != "system":
            yield from places(inner, (*at, key))


def changes(value: Any) -> Iterator[tuple[str, Any]]:
    """Other values for a place."""
    if type(value) is int:
        yield from (("more", value + 1), ("less", value - 1), ("negative", -value - 1))
        yield from (("nothing", None), ("text", str(value)), ("truth", True))
    elif isinstance(value, str):
        yield from (("other text", value + "0"), ("nothing", None))
    elif value is None:
        yield from (("a number", 0), ("an object", {}))
    elif isinstance(value, dict):
        yield from (("a field more", {**value, "more": 0}), ("a list", []))
        if value:
            yield "empty", {}
    elif isinstance(value, list):
        yield from (("one more", [*value, 0]), ("an object", {}))
        if value:
            yield "empty", []


def kind(place: Place) -> tuple[str, ...]:
    """A place without the numbers of steps, points and premises in it."""
    return tuple(
        key
        for key in place
        if isinstance(key, str) and not key[-1:].isdigit() and key not in ("then", "stage")
    )


def mutants(certificate: Json) -> Iterator[tuple[str, Json]]:
    """A few mutants of every kind."""
    seen: dict[tuple[tuple[str, ...], str], int] = {}
    for place in places(certificate):
        value: Any = certificate
        for key in place:
            value = value[key]
        for what, other in (*changes(value), ("deleted", mutants)):
            which = kind(place), what
            seen[which] = seen.get(which, 0) + 1
            if seen[which] > EACH or other == value:
                continue
            mutant = copy.deepcopy(certificate)
            parent: Any = mutant
            for key in place[:-1]:
                parent = parent[key]
            if other is mutants:
                del parent[place[-1]]
            else:
                parent[place[-1]] = other
            yield f"{place}: {what}", mutant


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_mutant_is_refused(certificates: dict[str, Json], name: str) -> None:
    count, survived = 0, []
    for what, mutant in mutants(certificates[name]):
        count += 1
        try:
            check(mutant)
        except CertificateError:
            continue
        survived.append(what)
    assert count > 150
    assert survived == []


def stages(proof: list[Json]) -> Iterator[Json]:
    """All stages of a proof."""
    for group in proof:
        stage = group["stage"]
        if stage is not None:
            yield stage
            halves = [stage["low"], stage["high"]] if stage["kind"] == "split" else [stage]
            for half in halves:
                yield from stages(half["then"])


def test_the_systems_need_every_kind_of_stage(certificates: dict[str, Json]) -> None:
    kinds = {stage["kind"] for each in certificates.values() for stage in stages(each["proof"])}
    assert kinds == {"measure", "facts", "split", "contraction"}


def facts(certificates: dict[str, Json]) -> Iterator[tuple[Json, Json]]:
    """Copies of certificates, each with one of its facts."""
    for certificate in certificates.values():
        count = sum(len(s.get("facts", ())) for s in stages(certificate["proof"]))
        for which in range(count):
            mutant = copy.deepcopy(certificate)
            found = [fact for s in stages(mutant["proof"]) for fact in s.get("facts", ())]
            yield mutant, found[which]


def test_facts_are_attacked(certificates: dict[str, Json]) -> None:
    """A fact must be about a frozen quantity, at a point that no cycle avoids, and no stronger."""
    attacked = 0
    for mutant, fact in facts(certificates):
        constant, (cell, sign) = fact["constraint"][1]
        other = (cell + 1) % len(mutant["system"]["cells"])
        attacks: list[tuple[str, object]] = [
            ("constraint", [">=", [constant - 1, [cell, sign]]]),
            ("constraint", [">=", [constant + 1, [cell, sign]]]),
            ("constraint", [">=", [constant, [other, sign]]]),
            ("constraint", [">=", [-constant, [cell, -sign]]]),
            ("constraint", ["=", [constant, [cell, sign]]]),
        ]
        points = range(len(mutant["system"]["points"]))
        attacks += [("point", point) for point in points if point != fact["point"]]
        for field, value in attacks:
            before, fact[field] = fact[field], value
            with pytest.raises(CertificateError):
                check(mutant)
            fact[field] = before
            attacked += 1
    assert attacked > 20


@pytest.mark.parametrize(
    ("small", "large"),
    [
        (market(3, 30, 10), market(3, 31, 10)),
        (market(2, 20, 10), market(2, 21, 10)),
        (reshuffling(1), reshuffling(2)),
        (laps(2, 27), laps(2, 28)),
    ],
)
def test_a_proof_is_of_its_system_only(small: TransitionSystem, large: TransitionSystem) -> None:
    """The certificate of a game that ends, put on one that does not or lasts longer."""
    mutant = written(small)
    other = json.loads(json.dumps(system_json(large)))
    mutant["system"], mutant["digest"] = other, digest(other)
    with pytest.raises(CertificateError):
        check(mutant)


def test_a_changed_system_has_another_digest(certificates: dict[str, Json]) -> None:
    mutant = copy.deepcopy(certificates["laps"])
    mutant["system"]["edges"][0]["moves"] = 1
    with pytest.raises(CertificateError, match="digest"):
        check(mutant)


@pytest.mark.parametrize("value", [None, 3, [], {}, "x", {"format": "gemwright-termination-1"}])
def test_anything_else_is_refused(value: object) -> None:
    with pytest.raises(CertificateError):
        check(value)


def test_the_checker_stands_alone() -> None:
    """It imports the standard library and its own parts, nothing of the prover."""
    parts = (certificate_checker, certificate_system, certificate_walk, certificate_ways)
    own = {part.__name__ for part in parts}
    for part in parts:
        assert part.__file__ is not None
        for node in ast.walk(ast.parse(Path(part.__file__).read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in names:
                assert name in own or name.split(".")[0] in sys.stdlib_module_names


def test_as_a_command(
    certificates: dict[str, Json], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad, broken = (tmp_path / name for name in ("good.json", "bad.json", "broken.json"))
    good.write_text(json.dumps(certificates["laps"]), encoding="utf-8")
    bad.write_text(json.dumps({**certificates["laps"], "moves": 51}), encoding="utf-8")
    broken.write_text("{", encoding="utf-8")
    assert main([str(good)]) == 0
    assert main([str(good), str(bad)]) == 1
    assert main([str(broken)]) == 2
    told = capsys.readouterr().out
    assert "every play ends, after at most 52 moves" in told
    assert "refused: the proof bounds the moves by 52" in told
