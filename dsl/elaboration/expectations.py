"""What an author expects the validator to find: the section `expect`.

An expectation speaks of some player counts and some values of options, or of all. Of one `id` the
first that speaks of a game holds for it.
"""

from __future__ import annotations

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.document.tree import Map, Node, Scalar, Seq
from gemwright.dsl.elaboration.options import Chosen, OptionSpec
from gemwright.dsl.elaboration.reading import entries, range_of, text_of
from gemwright.dsl.model.game import Expectation
from gemwright.dsl.suggest import did_you_mean


def read_expectations(
    tree: Map,
    specs: tuple[OptionSpec, ...],
    players: int,
    chosen: Chosen,
    reporter: Reporter,
) -> tuple[Expectation, ...]:
    """The expectations of one game, the first of each `id` (validated as shape before)."""
    listed = tree.get("expect")
    found: dict[str, Expectation] = {}
    for item in listed.items if isinstance(listed, Seq) else ():
        if not isinstance(item, Map):
            continue
        # Options are looked at in every game, so that a slip is found at any player count.
        about_options = _has_options(item.get("options"), specs, chosen, reporter)
        if about_options and _has_players(item.get("players"), players):
            texts = [text_of(item.get(key)) or "" for key in ("id", "expect", "because")]
            named = tuple(name for name, _, _ in entries(item.get("options")))
            found.setdefault(texts[0], Expectation(texts[0], texts[1], texts[2], item.span, named))
    return tuple(found.values())


def expected_options(tree: Map, specs: tuple[OptionSpec, ...]) -> tuple[Chosen, ...]:
    """The option sets that expectations name, without default values, each once.

    What no game can have is left out: `read_expectations` reports it.
    """
    known = {spec.name: spec for spec in specs}
    listed = tree.get("expect")
    found: list[Chosen] = []
    for item in listed.items if isinstance(listed, Seq) else ():
        named = entries(item.get("options")) if isinstance(item, Map) else ()
        values = {
            name: value.value
            for name, _, value in named
            if isinstance(value, Scalar) and value.value is not None
        }
        if all(name in known and known[name].accepts(each) for name, each in values.items()):
            changed = {n: each for n, each in values.items() if each != known[n].values[0]}
            if changed and changed not in found:
                found.append(changed)
    return tuple(found)


def _has_players(node: Node | None, players: int) -> bool:
    counts = node.items if isinstance(node, Seq) else (node,)
    spans = [range_of(each, Reporter()) for each in counts if each is not None]
    return not spans or any(span is not None and span[0] <= players <= span[1] for span in spans)


def _has_options(
    node: Node | None, specs: tuple[OptionSpec, ...], chosen: Chosen, reporter: Reporter
) -> bool:
    """Whether a game has all the values that are named; what no game has is reported."""
    known = {spec.name: spec for spec in specs}
    holds = True
    for name, span, value in entries(node):
        spec = known.get(name)
        if spec is None:
            help = did_you_mean(name, sorted(known))
            reporter.error("O003", span, f"there is no option `{name}`", help)
            continue
        wanted = value.value if isinstance(value, Scalar) else None
        if wanted is None or not spec.accepts(wanted):
            text = f"`{name}` cannot be {wanted}"
            reporter.error("O004", value.span, text, f"its values are {spec.domain}")
        elif chosen.get(name, spec.values[0]) != wanted:
            holds = False
    return holds
