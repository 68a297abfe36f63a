"""Sentences and expressions: text with a position map -> syntax nodes, or one plain diagnostic.

The parser is built once, on first use. Its tree is turned into `Syntax` nodes without
recursion; their depth
and width are bounded, so that later passes may recurse.
"""

from __future__ import annotations

import os
import re
from functools import cache, lru_cache
from typing import Final

from lark import Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.indenter import DedentError

from gemwright.dsl.cache import Cache, cache_folder
from gemwright.dsl.diagnostics import Diagnostic, Reporter
from gemwright.dsl.grammar.parser_tables import STARTS, sentence_parser
from gemwright.dsl.grammar.syntax import Part, Syntax
from gemwright.dsl.source import TextMap

__all__ = ["STARTS", "parse"]

MAX_DEPTH = 48
MAX_PARTS = 400
MAX_EXPRESSION = 2_000

_COMMENT = re.compile(r"#[^\n]*")
# Operators of programming languages that stop the parser, with what to write; longest first.
_FOREIGN: Final = (
    ("**", "`*` for each factor"),
    ("=>", "`>=`"),
    ("=<", "`<=`"),
    ("==", "`=`"),
    ("<>", "`!=`"),
    ("&&", "`and`"),
    ("||", "`or`"),
    ("/", "a table or a comparison of products: whole numbers are not divided"),
    ("%", "a table: whole numbers are not divided"),
    ("!", "`not`"),
)
_PLAIN = ("any_of", "all_of", "sum_of", "product_of", "parens")
_WORDS = {
    "NAME": "a name",
    "INT": "a number",
    "_NL": "the end of the line",
    "$END": "the end",
    "MARK": "a clause mark",
    "COMPARE": "a comparison",
    "SIGN": "+ or -",
    "LPAR": "(",
    "RPAR": ")",
    "LSQB": "[",
    "RSQB": "]",
    "LBRACE": "{",
    "RBRACE": "}",
    "COLON": ":",
    "COMMA": ",",
    "DOT": ".",
    "STAR": "*",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "EQUAL": "=",
    "SOME": "some, every or no",
    "COMMA_SHUFFLED": "`, shuffled`",
    "AGAIN": "`, again and again`",
    "KEY_DIRECTION": "`highest` or `lowest`",
    "STALEMATE": "`as stalemate`",
    "RANDOM_PLACE": "`a random place among the bottom`",
    "VECTOR_OVER": "`vector over`",
}


class _TooMuch(Exception):
    """A sentence is nested too deeply or has too many parts."""

    def __init__(self, start: int, what: str) -> None:
        super().__init__(what)
        self.start = start
        self.what = what


class _Parser:
    def __init__(self) -> None:
        self._lark = sentence_parser(Cache(cache_folder(os.environ)))

    def parse(self, text: str, start: str, positions: TextMap) -> Syntax:
        tree = self._lark.parse(text, start=start)
        built: dict[int, Syntax] = {}
        for sub in tree.iter_subtrees():  # children before parents, without recursion
            built[id(sub)] = _build(sub, built, text, positions)
        return built[id(tree)]


def _build(tree: Tree[Token], built: dict[int, Syntax], text: str, positions: TextMap) -> Syntax:
    parts: list[Part] = []
    for child in tree.children:
        parts.append(
            built[id(child)] if isinstance(child, Tree) else None if child is None else str(child)
        )
    rule = str(tree.data)
    only = parts[0] if len(parts) == 1 else None
    if rule in _PLAIN and isinstance(only, Syntax):
        return only
    start, end = (0, 0) if tree.meta.empty else (tree.meta.start_pos, tree.meta.end_pos)
    depth = 1 + max((part.depth for part in parts if isinstance(part, Syntax)), default=0)
    if depth > MAX_DEPTH:
        raise _TooMuch(start, f"nested more than {MAX_DEPTH} deep")
    if len(parts) > MAX_PARTS:
        raise _TooMuch(start, f"made of more than {MAX_PARTS} parts")
    return Syntax(
        rule, tuple(parts), positions.span(start, end), text[start:end].strip(), depth, start, end
    )


@cache
def _parser() -> _Parser:
    return _Parser()


def _blank_comments(text: str) -> str:
    return _COMMENT.sub(lambda found: " " * len(found.group()), text)


def _fold_where(text: str) -> str:
    """Join continuation lines of a condition block: a line indented deeper than the first
    continues."""
    lines = text.split("\n")
    first = next((line for line in lines if line.strip()), "")
    base = len(first) - len(first.lstrip())
    out = ""
    for number, line in enumerate(lines):
        deeper = line.strip() and len(line) - len(line.lstrip()) > base
        out += ("" if number == 0 else " " if deeper else "\n") + line
    return out


def parse(text: str, start: str, positions: TextMap, reporter: Reporter) -> Syntax | None:
    """Parse a scalar's text with one of `STARTS`; a problem is reported once, at its place.

    Lines of a `where` or `next` block that are indented deeper continue the line above. What was
    parsed before is remembered: a file is read once for all its player counts and options.
    """
    found, problems = _parsed(text, start, positions)
    for problem in problems:
        reporter.add(problem)
    return found


@lru_cache(maxsize=4096)
def _parsed(
    text: str, start: str, positions: TextMap
) -> tuple[Syntax | None, tuple[Diagnostic, ...]]:
    reporter = Reporter()
    return _read(text, start, positions, reporter), reporter.diagnostics


def _read(text: str, start: str, positions: TextMap, reporter: Reporter) -> Syntax | None:
    if start != "sentences" and len(text) > MAX_EXPRESSION * (
        8 if start in ("lines", "next") else 1
    ):
        reporter.error(
            "E009",
            positions.span(0, 1),
            f"this text has {len(text)} characters",
            "split it with `define`",
        )
        return None
    prepared = _blank_comments(text)
    if start in ("lines", "next"):
        prepared = _fold_where(prepared)
    if start in ("lines", "next", "sentences"):
        prepared = prepared.rstrip() + "\n"
    if not prepared.strip():
        reporter.error(
            "E001", positions.span(0, 1), "nothing is written here", f"expected {_what(start)}"
        )
        return None
    try:
        found = _parser().parse(prepared, start, positions)
    except _TooMuch as problem:
        reporter.error(
            "E009",
            positions.span(problem.start, problem.start + 1),
            f"this is {problem.what}",
            "split it with `define`",
        )
        return None
    except DedentError:
        reporter.error(
            "E001",
            positions.span(0, 1),
            "the lines of this block are not indented alike",
            "indent the lines of one block by the same number of spaces",
        )
        return None
    except UnexpectedInput as problem:
        _report(problem, text, positions, reporter)
        return None
    return found


def _what(start: str) -> str:
    names = {
        "expression": "an expression",
        "lines": "a condition",
        "sentences": "a sentence",
        "next": "`to PHASE` or `done`",
    }
    return names.get(start, "a word")


def _report_operator(place: int, text: str, positions: TextMap, reporter: Reporter) -> bool:
    """Report an operator of other languages at a place; False when there is none."""
    for foreign, ours in _FOREIGN:
        for start in (place, place - 1):
            if start >= 0 and text.startswith(foreign, start):
                span = positions.span(start, start + len(foreign))
                message = f"`{foreign}` is no operator of the language"
                reporter.error("E001", span, message, f"write {ours}")
                return True
    return False


def _report(problem: UnexpectedInput, text: str, positions: TextMap, reporter: Reporter) -> None:
    place = problem.pos_in_stream if isinstance(problem.pos_in_stream, int) else len(text)
    if _report_operator(place, text, positions, reporter):
        return
    if isinstance(problem, UnexpectedToken):
        token = problem.token
        expected = sorted(set(problem.accepts or problem.expected))
        shown = _expected(expected)
        if token.type in ("$END", "_NL") or place >= len(text.rstrip()):
            end = len(_blank_comments(text)[:place].rstrip()) or len(text.rstrip())
            reporter.error(
                "E001",
                positions.span(max(end - 1, 0), end),
                "the sentence ends too early",
                f"expected {shown}",
            )
            return
        word = str(token)[:40]
        reporter.error(
            "E001",
            positions.span(place, place + len(str(token))),
            f"`{word}` does not fit here",
            f"expected {shown}",
        )
    elif isinstance(problem, UnexpectedCharacters):
        word = text[place : place + 1]
        reporter.error(
            "E001",
            positions.span(place, place + 1),
            f"`{word}` does not fit here",
            f"expected {_expected(sorted(problem.allowed or ()))}",
        )


def _expected(names: list[str]) -> str:
    shown: list[str] = []
    for name in names:
        word = _WORDS.get(name, f"`{name.lower().replace('_of', ' of').strip('_')}`")
        if word not in shown and not name.startswith("__"):
            shown.append(word)
    if len(shown) > 6:
        return ", ".join(shown[:6]) + " or another word of the language"
    return (
        ", ".join(shown[:-1]) + (" or " if len(shown) > 1 else "") + shown[-1]
        if shown
        else "something else"
    )
