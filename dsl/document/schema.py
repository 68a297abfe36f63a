"""Checks the shape of a ruleset and says in plain words what is wrong with it.

The words of the schema library are never shown: each of its findings is taken apart into the place
in the tree, what stands there, and what should. A value that an earlier pass has complained about
is not complained about again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from gemwright.dsl.diagnostics import Reporter, quoted
from gemwright.dsl.document.language import is_known
from gemwright.dsl.document.shape import NAME_PATTERN, ruleset_schema, whole_schema
from gemwright.dsl.document.tree import Entry, Map, Node, Scalar, Seq, plain
from gemwright.dsl.source import Span
from gemwright.dsl.suggest import did_you_mean, nearest

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

__all__ = ["check_shape", "ruleset_schema"]

MAX_REPORTED: Final = 100

_NUMBERS: Final = re.compile(r" *(-?[0-9]{1,9}) *\.\. *(-?[0-9]{1,9}) *")
_RANGE_FIELDS: Final = frozenset(("players", "range", "members"))
_BLOCK_HELP: Final = "put a sentence that holds `: ` in a | block or in quotes"


#: Path of the file, line, column, path in the tree, keyword of the schema, bad key.
_Mark: TypeAlias = tuple[str, int, int, tuple[str, ...], str, str]


@dataclass(frozen=True, slots=True)
class _Finding:
    code: str
    span: Span
    message: str
    help: str = ""
    notes: tuple[tuple[Span, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Where:
    """A node of the tree, the entry it is the value of (if any), and what to call it."""

    node: Node
    entry: Entry | None
    name: str

    @property
    def head(self) -> Span:
        """The key, or the first character of a node without one."""
        return self.node.span.start() if self.entry is None else self.entry.key_span

    @property
    def value(self) -> Span:
        """The whole of a single value, the first character of a list or map."""
        node = self.node
        if isinstance(node, Scalar) and node.span.line == node.span.end_line:
            return node.span if node.span.column < node.span.end_column else self.head
        return node.span.start()


def check_shape(tree: Map, reporter: Reporter) -> bool:
    """Report whatever in a merged ruleset is not of the right shape; True if nothing is.

    At most `MAX_REPORTED` findings. A file in a newer version of the language gets that one
    finding alone: its shape is not known here.
    """
    if not is_known(tree, reporter):
        return False
    known = reporter.error_starts()
    findings = list(_findings(tree))
    for finding in findings:
        span = finding.span
        if (span.path, span.line, span.column) not in known:
            reporter.error(finding.code, span, finding.message, finding.help, finding.notes)
    return not findings


def _findings(tree: Map) -> Iterator[_Finding]:
    """All findings in the order of the file, up to the most that are reported."""
    found = (part for leaf in _leaves(tree) for part in _explained(leaf, tree))
    yield from islice(chain(found, _empty_ranges(tree)), MAX_REPORTED)


def _leaves(tree: Map) -> list[ValidationError]:
    """The library's findings by place: its own order follows the hashes of keys."""
    errors = _validator().iter_errors(plain(tree))
    leaves: dict[_Mark, ValidationError] = {}
    for leaf in (leaf for error in errors for leaf in _narrowed(error)):
        span = _where(tree, list(leaf.absolute_path)).node.span
        path = tuple(str(step) for step in leaf.absolute_path)
        # One leaf stands for all missing fields of a map, one for each of its bad keys.
        key = str(leaf.instance) if "propertyNames" in leaf.schema_path else ""
        mark = (span.path, span.line, span.column, path, str(leaf.validator), key)
        leaves.setdefault(mark, leaf)
    return [leaves[mark] for mark in sorted(leaves)]


@cache
def _validator() -> Any:
    # Imported here: the library takes longer to load than all else that a start needs.
    from jsonschema import Draft202012Validator

    return Draft202012Validator(whole_schema())


def _narrowed(error: ValidationError) -> Iterator[ValidationError]:
    """The findings within the one alternative that was meant, judged by its kind of value."""
    if error.validator != "anyOf" or _is_demand(error):
        yield error
        return
    branches: dict[int, list[ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(int(inner.schema_path[0]), []).append(inner)
    meant = [found for found in branches.values() if not any(map(_is_of_other_kind, found))]
    if len(meant) != 1 or _is_plain_pattern(meant[0]) or _is_sentence(error, meant[0]):
        yield error
        return
    for inner in meant[0]:
        yield from _narrowed(inner)


def _is_of_other_kind(error: ValidationError) -> bool:
    return error.validator == "type" and not error.relative_path


def _is_plain_pattern(errors: list[ValidationError]) -> bool:
    """Whether an alternative fails only as text of another form, so that all should be named."""
    first = errors[0]
    return first.validator == "pattern" and not first.relative_path


def _is_sentence(error: ValidationError, errors: list[ValidationError]) -> bool:
    """Whether a map is most likely a sentence with a colon: none of its keys is like a field."""
    fields = next((_schema_of(e).get("properties") for e in errors if not e.relative_path), None)
    instance: Any = error.instance
    if not isinstance(instance, dict) or not instance or not fields:
        return False
    keys = list(instance)[:MAX_REPORTED]
    return not any(key in fields or nearest(key, fields) for key in keys)


def _is_demand(error: ValidationError) -> bool:
    alternatives: Any = error.validator_value
    return all(set(part) == {"required"} for part in alternatives)


# -- one finding of the library in our words ---------------------------------------------------


def _explained(error: ValidationError, tree: Map) -> Iterator[_Finding]:
    where = _where(tree, list(error.absolute_path))
    match error.validator:
        case "additionalProperties":
            yield from _unknown_fields(error, where)
        case "required":
            yield from _missing_fields(error, where)
        case "dependentRequired":
            yield from _missing_companions(error, where)
        case "oneOf":
            if isinstance(where.node, Map):  # anything else has the wrong type, which is said
                yield from _forms(error, where)
        case "anyOf" if _is_demand(error):
            names = [quoted(part["required"][0]) for part in _alternatives(error)]
            yield _Finding("S003", where.head, f"{where.name} needs {' or '.join(names)}")
        case "pattern" if "propertyNames" in error.schema_path:
            yield _bad_key(error, where)
        case "pattern" if error.validator_value == NAME_PATTERN:
            yield _bad_name(str(error.instance), where.value)
        case "enum":
            yield _not_listed(error, where)
        case "minItems" | "minProperties":
            message = f"{where.name} is empty, but should be {_expected(error)}"
            yield _Finding("S002", where.value, message)
        case _:
            yield _wrong_type(error, where)


def _alternatives(error: ValidationError) -> list[Any]:
    value: Any = error.validator_value
    return list(value)


def _schema_of(error: ValidationError) -> dict[str, Any]:
    schema: Any = error.schema
    return schema if isinstance(schema, dict) else {}


def _expected(error: ValidationError) -> str:
    return str(_schema_of(error).get("description", "of another kind"))


def _title(error: ValidationError) -> str:
    return str(_schema_of(error).get("title", "this map"))


def _unknown_fields(error: ValidationError, where: _Where) -> Iterator[_Finding]:
    fields = _schema_of(error).get("properties", {})
    node = where.node
    assert isinstance(node, Map)
    unused = [name for name in fields if node.entry(name) is None]
    for entry in node.entries:
        if entry.key in fields:
            continue
        help = did_you_mean(entry.key, unused) or f"its fields are {', '.join(fields)}"
        message = f"{quoted(entry.key)} is not a field of {_title(error)}"
        yield _Finding("S001", entry.key_span, message, help)


def _missing_fields(error: ValidationError, where: _Where) -> Iterator[_Finding]:
    schema, node = _schema_of(error), where.node
    required: Any = error.validator_value
    meant = _meant(node, schema)
    for name in required:
        if name not in meant and isinstance(node, Map) and node.entry(name) is None:
            yield _missing(name, where, schema)


def _meant(node: Node, schema: dict[str, Any]) -> set[str]:
    """Fields that a misspelt key of the map stands for: that key is the finding, not they."""
    fields = schema.get("properties", {})
    entries = node.entries if isinstance(node, Map) else ()
    strange = [entry.key for entry in entries if entry.key not in fields][:MAX_REPORTED]
    return {name for key in strange for name in nearest(key, fields)}


def _missing(name: str, where: _Where, schema: dict[str, Any]) -> _Finding:
    part = schema.get("properties", {}).get(name, {})
    help = f"add `{name}`: {part['description']}" if "description" in part else ""
    return _Finding("S003", where.head, f"{where.name} needs the field `{name}`", help)


def _missing_companions(error: ValidationError, where: _Where) -> Iterator[_Finding]:
    node, companions = where.node, error.validator_value
    assert isinstance(node, Map) and isinstance(companions, dict)
    meant = _meant(node, _schema_of(error))
    for name, needed in companions.items():
        entry = node.entry(name)
        for other in needed if entry is not None else ():
            if entry is not None and node.entry(other) is None and other not in meant:
                message = f"{where.name} has `{name}`, but not `{other}`, which it belongs to"
                yield _Finding("S003", entry.key_span, message, f"add `{other}`")


def _forms(error: ValidationError, where: _Where) -> Iterator[_Finding]:
    names = [str(part["required"][0]) for part in _alternatives(error)]
    schema, node = _schema_of(error), where.node
    assert isinstance(node, Map)
    found = [entry for entry in node.entries if entry.key in names]
    if len(found) >= 2:
        both = " and ".join(f"`{entry.key}`" for entry in found)
        message = f"{where.name} has {both}, but only one of them can say what it is"
        help = "keep one; an overlay removes the other with null"
        notes = tuple((e.key_span, f"`{e.key}` here") for e in found if e != found[1])
        yield _Finding("S004", found[1].key_span, message, help, notes)
        return
    companions: dict[str, list[str]] = schema.get("dependentRequired", {})
    present = {entry.key for entry in node.entries}
    if any(name in present and set(needed) & set(names) for name, needed in companions.items()):
        return  # said already, and better, by the field whose companion is missing
    if not _meant(node, schema) & set(names):
        listed = ", ".join(f"`{name}`" for name in names[:-1]) + f" or `{names[-1]}`"
        yield _Finding("S003", where.head, f"{where.name} needs one of {listed}")


def _bad_key(error: ValidationError, where: _Where) -> _Finding:
    key = str(error.instance)
    entry = where.node.entry(key) if isinstance(where.node, Map) else None
    span = entry.key_span if entry is not None else where.head
    name, bracket, _ = key.partition("(")
    if bracket and re.fullmatch(NAME_PATTERN, name.rstrip(" ")):
        message = f"{quoted(key)} is neither a name nor a name with parameters"
        return _Finding("S006", span, message, "write `name` or `name(a, b)`")
    return _bad_name(name.rstrip(" "), span)


def _bad_name(text: str, span: Span) -> _Finding:
    message = (
        f"{quoted(text)} is not a name: a name is made of small letters, digits and "
        "underscores, and begins with a letter"
    )
    plainer = re.sub(r"[^a-z0-9_]+", "_", text.lower()).strip("_")
    words = "what players read, in any script, comes from label files"
    usable = re.fullmatch(NAME_PATTERN, plainer) and len(plainer) <= 40
    return _Finding("S006", span, message, f"write `{plainer}`; {words}" if usable else words)


def _not_listed(error: ValidationError, where: _Where) -> _Finding:
    allowed = [str(value) for value in _alternatives(error)]
    listed = " or ".join(f"`{value}`" for value in allowed)
    message = f"{where.name} should be {listed}, but is {_got(where.node)}"
    guess = did_you_mean(where.node.text, allowed) if isinstance(where.node, Scalar) else ""
    return _Finding("S002", where.value, message, guess)


def _wrong_type(error: ValidationError, where: _Where) -> _Finding:
    message = f"{where.name} should be {_expected(error)}, but is {_got(where.node)}"
    return _Finding("S002", where.value, message, _type_help(error, where.node))


def _type_help(error: ValidationError, node: Node) -> str:
    expected = _expected(error)
    if isinstance(node, Map) and ("text" in expected or "expression" in expected):
        return _BLOCK_HELP
    if isinstance(node, Scalar) and node.value is None:
        return "write a value; only an overlay removes with null"
    if isinstance(node, Scalar) and expected.startswith("a list"):
        return "write a list: [a, b]"
    if isinstance(node, Scalar) and isinstance(node.value, int) and "text" in expected:
        return f'quote it if it is text: "{node.text}"'
    return ""


def _got(node: Node) -> str:
    match node:
        case Map():
            return "a map"
        case Seq():
            return "a list"
        case Scalar(value=None):
            return "nothing"
        case Scalar(value=bool()):
            return node.text
        case Scalar(value=int()):
            return f"the number {node.text}"
        case Scalar():
            return f"the text {quoted(node.text)}"


# -- places ------------------------------------------------------------------------------------


def _where(tree: Map, path: list[str | int]) -> _Where:
    node: Node = tree
    entry: Entry | None = None
    name = "a ruleset"
    for step in path:
        if isinstance(node, Map) and isinstance(step, str) and (below := node.entry(step)):
            entry, node, name = below, below.value, quoted(step)
        elif isinstance(node, Seq) and isinstance(step, int):
            entry, node, name = None, node.items[step], f"item {step + 1} of {name}"
        else:
            break
    return _Where(node, entry, name)


def _empty_ranges(tree: Map) -> Iterator[_Finding]:
    """Ranges of two numbers whose end is below the start, at the fields that hold ranges."""
    nodes: list[tuple[str, Node]] = [("", tree)]
    while nodes:
        key, node = nodes.pop()
        match node:
            case Map():
                nodes += [(entry.key, entry.value) for entry in node.entries]
            case Seq():
                nodes += [("", item) for item in node.items]
            case Scalar() if key in _RANGE_FIELDS and (found := _NUMBERS.fullmatch(node.text)):
                if int(found[1]) > int(found[2]):
                    message = f"the range {quoted(node.text)} is empty: it ends below its start"
                    yield _Finding("S007", node.span, message, f"write {found[2]}..{found[1]}")
            case _:
                pass
