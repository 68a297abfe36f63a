"""Findings in the label files of a ruleset: all languages that it has any."""

from __future__ import annotations

from pathlib import Path

from gemwright.dsl.diagnostics import Diagnostic, Reporter
from gemwright.dsl.document.tree import Map
from gemwright.dsl.labels.check import check_complete, check_names, sound_labels
from gemwright.dsl.labels.files import label_file_name
from gemwright.dsl.labels.labels import label_files, labelled
from gemwright.dsl.labels.vocabulary import Vocabulary
from gemwright.dsl.ruleset import Ruleset


def label_findings(ruleset: Ruleset, known: Vocabulary) -> tuple[Diagnostic, ...]:
    """What is wrong with the label files beside a ruleset, and what they leave out.

    The files of its bases are judged with the bases; they count for what is left out.
    """
    reporter = Reporter()
    others = _others(ruleset, known)
    for language in labelled(ruleset):
        unheard = Reporter()
        files = label_files(ruleset, language, unheard)
        own = [file for file in files if file.is_of(ruleset.name)]
        for each in unheard.diagnostics:
            if Path(each.span.path).name == label_file_name(ruleset.name, language):
                reporter.add(each)
        for file in own:
            sound_labels(file, known, reporter)
            check_names(file, known, others, reporter)
        if own:
            check_complete(files, known, reporter)
    return reporter.diagnostics


def _others(ruleset: Ruleset, known: Vocabulary) -> dict[str, tuple[str, ...]]:
    """By section the names of a ruleset that no player meets, but that may be labelled."""
    kinds = ruleset.document.tree.get("kinds")
    columns: list[str] = []
    for entry in kinds.entries if isinstance(kinds, Map) else ():
        own = entry.value.get("columns") if isinstance(entry.value, Map) else None
        columns += [each.key for each in own.entries] if isinstance(own, Map) else []
    return {
        "faces": tuple(known.kind_of),  # a member that is a number need not be named, but may be
        "columns": tuple(columns),
        "kinds": tuple(known.kinds),
        "options": tuple(spec.name for spec in ruleset.options),
        "clauses": tuple(clause.id for clause in ruleset.clauses),
        "state": tuple(name for section, name in known.indexes if section == "state"),
    }
