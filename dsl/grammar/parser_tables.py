"""The parser of sentences: from the grammar, or from the tables that an earlier process made of it.

To make the tables takes longer than anything else that a start needs, so they are kept in the
user's cache folder. They are kept as JSON and hold the states of the parser, rules and terminals:
data that Lark's own loader puts together. No code is kept, and none is run.
"""

from __future__ import annotations

import hashlib
import json
import sys
from importlib import resources
from typing import Any, ClassVar, Final

import lark
from lark import Lark
from lark.grammar import Rule
from lark.indenter import Indenter
from lark.lexer import TerminalDef

from gemwright.dsl.cache import Cache

STARTS: Final = (
    "expression",
    "lines",
    "sentences",
    "next",
    "domain",
    "each",
    "header",
    "kinds",
    "key",
)
"""What a text may be parsed as."""

_OPTIONS: Final = {
    "parser": "lalr",
    "start": list(STARTS),
    "propagate_positions": True,
    "maybe_placeholders": True,
}
_BLOCKS: Final = "postlex"
"""The option that holds an object, which is not kept."""


class _Blocks(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types: ClassVar[list[str]] = ["LPAR", "LSQB", "LBRACE"]
    CLOSE_PAREN_types: ClassVar[list[str]] = ["RPAR", "RSQB", "RBRACE"]
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8


def sentence_parser(kept: Cache) -> Lark:
    """The parser of the language.

    Args:
        kept: where its tables are looked for, and put if they are not there.
    """
    grammar = resources.files("gemwright.dsl.grammar").joinpath("rules.lark").read_text("utf-8")
    name = _name(grammar)
    content = kept.get(name)
    found = None if content is None else _loaded(content)
    if found is None:
        found = Lark(grammar, **_OPTIONS, postlex=_Blocks())
        kept.put(name, _tables(found))
    return found


def _name(grammar: str) -> str:
    """Names the grammar and all that makes tables of it and reads them."""
    parts = (grammar, repr(_OPTIONS), lark.__version__, str(sys.version_info[:2]))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest() + ".tables"


def _tables(parser: Lark) -> bytes:
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    data["options"] = {**data["options"], _BLOCKS: None}
    return json.dumps({"data": data, "memo": memo}, separators=(",", ":")).encode()


def _loaded(content: bytes) -> Lark | None:
    """A parser with these tables; None if they are not what they should be."""
    try:
        tables = json.loads(content, object_hook=_numbered)
        tables["data"]["options"][_BLOCKS] = _Blocks()
        return Lark.load(tables)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, lark.LarkError):
        return None


def _numbered(found: dict[str, Any]) -> dict[Any, Any]:
    """Numbers as keys, which JSON has as texts. No name in the grammar is a number."""
    return {int(key) if key.isdecimal() else key: value for key, value in found.items()}
