"""The sections `result` and `match`: how a game and a row of games are decided."""

from __future__ import annotations

from gemwright.dsl.document.tree import Map, Node, Seq
from gemwright.dsl.elaboration import folding
from gemwright.dsl.elaboration.expressions import Expressions
from gemwright.dsl.elaboration.names import Frame, Names, Scope
from gemwright.dsl.elaboration.reading import clauses_of, syntax_of, text_of
from gemwright.dsl.model.game import Key, Match, Result
from gemwright.dsl.model.terms import PLAYER, Local, Term


def _scope() -> Scope:
    """Slot 0 is the player in question; per-player things alone are his."""
    frame = Frame()
    slot = frame.take()
    return Scope(frame, Local(PLAYER, None, slot, "player"), {}, None, True)


def _number(node: Node | None, names: Names, expressions: Expressions, scope: Scope) -> Term | None:
    syntax = syntax_of(node, "expression", names.reporter)
    return None if syntax is None else expressions.number(syntax, scope)


def _keys(node: Node | None, names: Names, expressions: Expressions) -> tuple[Key, ...]:
    items = node.items if isinstance(node, Seq) else (node,) if node is not None else ()
    found: list[Key] = []
    for item in items:
        place = item.get("key") if isinstance(item, Map) else item
        syntax = syntax_of(place, "key", names.reporter)
        if syntax is None:
            continue
        scope = _scope()
        nodes = syntax.nodes()
        term = expressions.number(nodes[0], scope)
        if len(nodes) > 1:
            condition = expressions.condition(nodes[1], scope)
            settled = None if condition is None else folding.scalar(condition)
            if condition is not None and settled is None:
                names.reporter.error(
                    "E003",
                    nodes[1].span,
                    "a key counts or not by options and players alone",
                    "put the condition into the key: `highest (A if C else B)`",
                )
            if not settled:
                continue
        mark = names.mark(syntax.text[:60], clauses_of(item, names.reporter), item.span)
        elements = scope.frame.gather() + (() if mark is None else (mark,))
        if term is not None:
            found.append(Key(syntax.word(0) == "highest", term, nodes[0].text, elements, item.span))
    return tuple(found)


def read_result(node: Node | None, names: Names, expressions: Expressions) -> Result:
    """The result section; without one nobody is ranked above another."""
    if not isinstance(node, Map):
        return Result(None, (), None, ())
    mark = names.mark("result", clauses_of(node, names.reporter), node.span)
    scope = _scope()
    score = _number(node.get("score"), names, expressions, scope)
    nobody_syntax = syntax_of(node.get("nobody"), "expression", names.reporter)
    nobody = None if nobody_syntax is None else expressions.condition(nobody_syntax, scope)
    if nobody is not None and folding.scalar(nobody) == 0:
        nobody = None
    keys = _keys(node.get("winner"), names, expressions)
    elements = scope.frame.gather() + (() if mark is None else (mark,))
    return Result(score, keys, nobody, elements)


def read_match(node: Node | None, names: Names, expressions: Expressions) -> Match | None:
    """The match section: several games in a row."""
    if not isinstance(node, Map):
        return None
    scope = _scope()
    games = _number(node.get("games"), names, expressions, scope)
    points = _number(node.get("points"), names, expressions, scope)
    count = None if games is None else folding.scalar(games)
    if count is None or not 1 <= count <= 1_000 or points is None:
        names.reporter.error(
            "E003",
            node.span,
            "a match needs `games` (1 to 1000) and `points`",
            "write `games: 3` and `points: EXPRESSION`",
        )
        return None
    start = names.options.get(text_of(node.get("first")) or "")
    ties = names.options.get(text_of(node.get("ties")) or "")
    variable = names.variables.get(text_of(node.get("first_player")) or "")
    for option in (start, ties):
        scope.frame.mention(option.element if option is not None else None)
    mark = names.mark("match", clauses_of(node, names.reporter), node.span)
    return Match(
        games=count,
        points=points,
        keys=_keys(node.get("winner"), names, expressions),
        start_option=str(start.value) if start is not None else "random",
        start_variable=variable.id if variable is not None else None,
        extra_game_on_tie=ties is not None and ties.value == "extra_game",
        elements=scope.frame.gather() + (() if mark is None else (mark,)),
    )
