"""Findings in label files: names and sentences for people (letter L)."""

from __future__ import annotations

from typing import Final

from gemwright.dsl.codes.base import CodeInfo

_READ: Final = "by reading the label file; exact"
_MET: Final = "against the rules at every player count and option that was looked at"

LABEL_CODES: Final[tuple[CodeInfo, ...]] = (
    CodeInfo(
        "L001",
        "label-shape",
        "A label file has a section, a case, a slot or a form that does not exist.",
        "What is misspelt would silently never be shown.",
        "zones: {shelf: {one: shelf}}\n",
        "zones: {shelf: {one: shelf, other: shelves}}\n",
        _READ,
    ),
    CodeInfo(
        "L002",
        "label-name",
        "A label is for an element that the rules do not have.",
        "The name is most likely misspelt, or the rules have changed.",
        "zones: {shelff: the shelf}\n",
        "zones: {shelf: the shelf}\n",
        _MET,
    ),
    CodeInfo(
        "L003",
        "label-slot",
        "A text uses a slot that nothing is put into.",
        "There would be a hole in what players read.",
        'actions: {take: {log: "{player} takes {lott}."}}\n',
        'actions: {take: {log: "{player} takes {lot}."}}\n',
        "against the picks of the action, or what else the text is about; exact",
    ),
    CodeInfo(
        "L004",
        "label-slot-missing",
        "A text leaves out what it is about.",
        "Two different moves would read the same. A case such as `no lot` tells it, too.",
        'actions: {take: {log: "{player} takes something."}}\n',
        'actions: {take: {log: "{player} takes {lot}."}}\n',
        "for every case by what it uses, and by what it and the cases before it test; exact",
    ),
    CodeInfo(
        "L005",
        "label-missing",
        "A language lacks a name that players meet.",
        "They read the English name instead, or the identifier.",
        "faces: {red: rouge}\n",
        "title: Le marché\nfaces: {red: rouge, green: vert, blue: bleu}\n"
        "zones: {shelf: étagère, hand: main}\nphases: {turns: tours, over: fin}\n"
        "actions: {take: prendre}\nparameters: {lot: pierres}\n",
        _MET,
    ),
    CodeInfo(
        "L006",
        "label-no-sentence",
        "No sentence tells the moves of an action.",
        "The names of the action and its picks are put in a row, which reads like a form.",
        "actions: {take: take}\n",
        'actions: {take: {name: take, move: "take {lot}", log: "{player} takes {lot}."}}\n',
        _MET,
    ),
)
