"""Decisions of phases: who chooses which actions, and what happens when he can do none of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gemwright.dsl.document.tree import Map, Node, Scalar, Seq
from gemwright.dsl.elaboration.names import Frame, Scope
from gemwright.dsl.elaboration.phases import Phase, Phases, together
from gemwright.dsl.elaboration.reading import entries, syntax_of, text_of
from gemwright.dsl.elaboration.sentences import Sentences
from gemwright.dsl.grammar.syntax import Syntax
from gemwright.dsl.model.game import Decide, Point
from gemwright.dsl.model.terms import PLAYER, Players, ReadVariable, Term
from gemwright.dsl.source import Span
from gemwright.dsl.suggest import did_you_mean


@dataclass(frozen=True, slots=True)
class Otherwise:
    """What follows when nobody can do anything listed: a point, or other actions."""

    target: int | None = None
    actions: tuple[int, ...] = ()
    can_pass: bool = False


class Decisions:
    """Lowers `actions` with what stands beside it. `action_ids` numbers the declared actions."""

    def __init__(self, phases: Phases, sentences: Sentences, action_ids: Mapping[str, int]) -> None:
        self.phases = phases
        self.sentences = sentences
        self.action_ids = action_ids
        self.names = phases.names
        self.expressions = phases.expressions
        self.reporter = phases.reporter
        self._met: set[tuple[str, str]] = set()
        """Phases with `anytime`, and the roles in it that decide something inside."""

    def decide(self, phase: Phase, head: Point, end: int) -> None:
        """Make the decision of a phase at `head`; `end` is the point behind it."""
        node, frame = phase.node, Frame()
        at_once = together(node)
        if at_once:
            self._check_at_once(phase)
        chooser = syntax_of(node.get("by"), "expression", self.reporter)
        by, others = self._choosers(phase, chooser, frame)
        if by is None and not at_once and chooser is None and not self._has_broken_role(phase):
            self.reporter.error(
                "S003", phase.span, f"`{phase.name}` does not say who chooses", "add `by: ROLE`"
            )
            return
        actions, can_pass = self._listed(node.get("actions"))
        repeat, at_most = self._repeat(node.get("repeat"))
        counter = (
            self.phases.counter(f"repeats in {phase.name}", at_most, phase) if at_most else None
        )
        otherwise = self._otherwise(node.get("otherwise"), head, end)
        role = phase.role if chooser is None else chooser.text
        anytime = () if at_once else self._anytime(phase, role)
        self.phases.points[head.id] = Decide(
            head.id,
            head.phase,
            head.span,
            head.elements + frame.gather(),
            by,
            others,
            actions,
            can_pass,
            anytime,
            otherwise.target,
            otherwise.actions,
            otherwise.can_pass,
            at_once,
            0,
            repeat,
            counter,
            at_most,
            end,
        )

    def _has_broken_role(self, phase: Phase) -> bool:
        """Whether the phase names a role whose loop was reported."""
        return bool(phase.role) and phase.role not in self.names.variables

    def _choosers(
        self, phase: Phase, by: Syntax | None, frame: Frame
    ) -> tuple[Term | None, Players | None]:
        """Who chooses: one player, or several at once."""
        if together(phase.node):
            each = phase.each
            of = each.parts[1] if each is not None and each.rule == "each_kind" else None
            other = self.expressions.player(of, Scope(frame)) if isinstance(of, Syntax) else None
            return None, Players(None, other)
        if by is not None:
            return self.expressions.player(by, Scope(frame)), None
        role = self.names.variables.get(phase.role)
        if role is not None and role.type == PLAYER:
            return ReadVariable(PLAYER, phase.span, role.id, None), None
        return None, None

    def _listed(self, node: Node | None) -> tuple[tuple[int, ...], bool]:
        items = node.items if isinstance(node, Seq) else (node,) if node is not None else ()
        found: list[int] = []
        can_pass = False
        for item in items:
            word = text_of(item) or ""
            if (word == "pass" and can_pass) or self.action_ids.get(word) in found:
                self._refuse(item, f"`{word}` is listed twice here", "list it once")
            elif word == "pass":
                can_pass = True
            elif word in self.action_ids:
                found.append(self.action_ids[word])
            else:
                self.reporter.error(
                    "E002",
                    item.span,
                    f"`{word[:40]}` is not an action",
                    did_you_mean(word, sorted([*self.action_ids, "pass"])),
                )
        return tuple(found), can_pass

    def _refuse(self, node: Node, message: str, help: str) -> None:
        self._refuse_at(node.span, message, help)

    def _refuse_at(self, span: Span, message: str, help: str) -> None:
        self.reporter.error("G012", span, message, help)

    def _repeat(self, node: Node | None) -> tuple[bool, int | None]:
        text = text_of(node)
        if text is None or node is None:
            return False, None
        words = text.replace(",", " ").split()
        if words[:2] == ["until", "pass"] and len(words) == 2:
            return True, None
        if (
            words[:4] == ["until", "pass", "at", "most"]
            and len(words) == 5
            and words[4].isdecimal()
            and len(words[4]) < 5
            and int(words[4])
        ):
            return True, int(words[4])
        self.reporter.error(
            "S002",
            node.span,
            f"`{text[:40]}` is no repetition",
            "write `until pass` or `until pass, at most 3`",
        )
        return False, None

    def _otherwise(self, node: Node | None, head: Point, end: int) -> Otherwise:
        if node is None:
            return Otherwise()
        if isinstance(node, Map):
            actions, can_pass = self._listed(node.get("actions"))
            if can_pass:
                help = "write `otherwise: pass`, or list an action that does nothing"
                self._refuse(node, "`pass` stands among other actions here", help)
            return Otherwise(None, actions)
        word = text_of(node) or ""
        if word == "pass":
            return Otherwise(can_pass=True)
        phases = self.phases.phases
        if word in phases:
            return Otherwise(phases[word].enter)
        if word in self.names.effects and isinstance(node, Scalar):
            point = Point(self.phases.reserve(), head.phase, node.span, ())
            call = syntax_of(node, "sentences", self.reporter)
            if call is not None:
                self.phases.points[point.id] = self.sentences.point(call, point, end)
            return Otherwise(point.id)
        self.reporter.error(
            "G001",
            node.span,
            f"`{word[:40]}` is neither a phase, an effect nor `pass`",
            did_you_mean(word, sorted([*phases, *self.names.effects])),
        )
        return Otherwise()

    def _anytime(self, phase: Phase, by: str) -> tuple[int, ...]:
        found: dict[int, None] = {}
        above: Phase | None = phase
        while above is not None:
            for role, _, value in entries(above.node.get("anytime")):
                if role == by:
                    self._met.add((above.name, role))
                    actions, can_pass = self._listed(value)
                    found.update(dict.fromkeys(actions))
                    if can_pass:
                        help = "list `pass` among the `actions` of the decision"
                        self._refuse(value, "`pass` is nothing that may be done beside", help)
            above = self.phases.phases.get(above.holder or "")
        return tuple(found)

    def check_anytime(self) -> None:
        """Report `anytime` of a role that decides nothing in there."""
        for phase in self.phases.phases.values():
            for role, span, _ in entries(phase.node.get("anytime")):
                if (phase.name, role) not in self._met:
                    text = f"`{role[:40]}` decides nothing in `{phase.name}`"
                    help = "name the role as the decisions in here do"
                    self.reporter.error("G012", span, text, help)

    def _check_at_once(self, phase: Phase) -> None:
        """Report what a phase `at once` says and does not have."""
        each, node = phase.each, phase.node
        plain = each is None or (
            each.rule == "each_kind"
            and each.word(0) in ("player", "opponent")
            and each.parts[2] is None
            and each.parts[5] is None
        )
        if not plain:
            help = "write `each: opponent of p`, or leave it out for all players"
            self._refuse_at(phase.span, "who chooses at once is a player or an opponent", help)
        for key in ("by", "repeat"):
            value = node.get(key)
            if value is not None:
                help = f"leave `{key}` out, or `at once`"
                self._refuse(value, f"`{key}` does not go with `at once`", help)
