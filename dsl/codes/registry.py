"""The registry of all codes of findings.

A new code is one `CodeInfo` in one of the `codes_*` modules. A new module is one import and one
line in `_TABLES`. The letters: Y reading the text, S shape of the file, E expressions and
sentences, G phases, I information, L labels, O options, R running games, X scenario files, and
the letters of the validator (C, D, H, T, V, W).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from gemwright.dsl.codes.base import CodeInfo
from gemwright.dsl.codes.comments import COMMENT_CODES
from gemwright.dsl.codes.engine import ENGINE_CODES
from gemwright.dsl.codes.labels import LABEL_CODES
from gemwright.dsl.codes.proof import PROOF_CODES
from gemwright.dsl.codes.rules import RULES_CODES
from gemwright.dsl.codes.scenario import SCENARIO_CODES
from gemwright.dsl.codes.shape import SHAPE_CODES
from gemwright.dsl.codes.termination import TERMINATION_CODES
from gemwright.dsl.codes.text import TEXT_CODES

__all__ = ["CODES", "CodeInfo"]

_TABLES: tuple[tuple[CodeInfo, ...], ...] = (
    TEXT_CODES,
    SHAPE_CODES,
    RULES_CODES,
    PROOF_CODES,
    TERMINATION_CODES,
    ENGINE_CODES,
    SCENARIO_CODES,
    COMMENT_CODES,
    LABEL_CODES,
)


def _registry(tables: Iterable[Iterable[CodeInfo]]) -> Mapping[str, CodeInfo]:
    found: dict[str, CodeInfo] = {}
    for info in (info for table in tables for info in table):
        assert info.code not in found, f"code {info.code} is registered twice"
        found[info.code] = info
    return MappingProxyType(dict(sorted(found.items())))


CODES: Mapping[str, CodeInfo] = _registry(_TABLES)
