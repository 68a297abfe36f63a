"""What `gemwright explain` says about scenario files: the codes X001 to X010."""

from __future__ import annotations

from typing import Final

from gemwright.dsl.codes.base import CodeInfo

_HEAD: Final = "language: 1\nruleset: game\nscenarios:\n"

SCENARIO_CODES: Final[tuple[CodeInfo, ...]] = (
    CodeInfo(
        "X001",
        "scenario-shape",
        "a scenario file has a key or a value that does not belong there",
        "A misspelt key would silently test nothing.",
        _HEAD + "  - name: a first move\n    plays: []\n",
        _HEAD + "  - name: a first move\n    play: []\n",
        "Read from the file; always found.",
    ),
    CodeInfo(
        "X002",
        "scenario-ruleset",
        "the ruleset, player count or options of a scenario cannot be used",
        "A scenario runs on one game: a ruleset at a player count with its options.",
        _HEAD + "  - name: too many\n    players: 99\n",
        _HEAD + "  - name: enough\n    players: 2\n",
        "Found when the game of the scenario is loaded; always found.",
    ),
    CodeInfo(
        "X003",
        "scenario-name",
        "a scenario names something that the ruleset does not have",
        "Zones, state, members, seats, phases and actions are named as in the rules file.",
        _HEAD + "  - name: a\n    given: {zones: {shelff: {red: 1}}}\n",
        _HEAD + "  - name: a\n    given: {zones: {shelf: {red: 1}}}\n",
        "Looked up in the game model; always found.",
    ),
    CodeInfo(
        "X004",
        "scenario-components",
        "the pieces that `given` lays out are not the pieces of the game",
        "Every piece lies in exactly one zone. Mark the zone that takes what is left as `rest`.",
        _HEAD + "  - name: a\n    given: {zones: {hand: {P1: {red: 1}}}}\n",
        _HEAD + "  - name: a\n    given: {zones: {hand: {P1: {red: 1}}, shelf: rest}}\n",
        "Counted face by face; always found.",
    ),
    CodeInfo(
        "X005",
        "scenario-given",
        "`given` describes a state that cannot be",
        "Values stay in their declared range, and roles are held by players who are still in.",
        _HEAD + "  - name: a\n    given: {state: {price: {red: 999}}}\n",
        _HEAD + "  - name: a\n    given: {state: {price: {red: 9}}}\n",
        "Compared with the declared ranges, limits and loops; always found.",
    ),
    CodeInfo(
        "X006",
        "scenario-chance",
        "an outcome of `chance` is impossible, out of order, or never came",
        "Outcomes are used up in their order, each by the next chance event of its kind.",
        _HEAD + "  - name: a\n    chance: [{draw: [red]}]\n    play: []\n",
        _HEAD + "  - name: a\n    chance: [{draw: [red]}]\n    play: [{P1: draw}]\n",
        "Seen when the scenario runs; always found.",
    ),
    CodeInfo(
        "X007",
        "scenario-move",
        "a move of `play` cannot be made",
        "The player is not asked, or the move is refused; the message names the rule.",
        _HEAD + "  - name: a\n    play: [{P2: pass}]\n",
        _HEAD + "  - name: a\n    play: [{P1: pass}, {P2: pass}]\n",
        "Seen when the scenario runs; always found.",
    ),
    CodeInfo(
        "X008",
        "scenario-expectation",
        "something that a scenario expects is not so",
        "Either the rules file or the scenario does not say what the rulebook says.",
        _HEAD + "  - name: a\n    expect: {state: {round: 2}}\n",
        _HEAD + "  - name: a\n    expect: {state: {round: 1}}\n",
        "Seen when the scenario runs; always found.",
    ),
    CodeInfo(
        "X009",
        "scenario-stopped",
        "a rule broke its own declaration and stopped the game of a scenario",
        "The note says which rule; the scenario has found a state that the ruleset cannot handle.",
        _HEAD + "  - name: a\n    play: [{P1: draw_five}]\n",
        _HEAD + "  - name: a\n    expect: {illegal: [{move: draw_five}]}\n",
        "Seen when the scenario runs; always found.",
    ),
    CodeInfo(
        "X010",
        "scenario-clause",
        "a scenario is about a clause, but nothing that carries the clause ran in it",
        "Such a scenario does not count for the clause: mark the element, or play what uses it.",
        _HEAD + "  - name: a\n    clauses: [R-7]\n    play: []\n",
        _HEAD + "  - name: a\n    clauses: [R-7]\n    play: [{P1: take}]\n",
        "Traced while the scenario runs: only what ran, or refused a move, counts.",
    ),
)
