"""Conditions that the abstraction does not spell out: what is known of them from step to step.

Such a condition over the state may have a cell. Testing it says what the cell is. What was found of
a pick is such a condition, too, as soon as the state tells what was picked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gemwright.dsl.model import terms as t
from gemwright.validator.abstraction.implying import implies
from gemwright.validator.abstraction.naming import Naming
from gemwright.validator.abstraction.symbols import Path, TermKey
from gemwright.validator.abstraction.term_keys import Keys
from gemwright.validator.abstraction.vocabulary import Vocabulary
from gemwright.validator.linear.affine import Constraint


class KnownConditions:
    """The conditions of one game at one precision.

    Attributes:
        tested: the conditions that were tested, also those on a pick that the state names, and how
            often.
        needed: the conditions of which it would help to know that they hold.
        told: what was found of picks, as conditions over the state at the end of a path.
    """

    def __init__(self, vocabulary: Vocabulary, keys: Keys) -> None:
        self.naming = Naming(vocabulary.game, keys)
        self.tested: dict[t.Term, int] = {}
        self.needed: dict[t.Term, None] = {}
        self.told: dict[t.Term, None] = {}
        self._vocabulary = vocabulary
        self._keys = keys

    def worth_cells(self) -> list[t.Term]:
        """What is found out in one place and matters in another."""
        known = dict.fromkeys((*self.told, *self.tested))
        found = [each for each in known if self._is_implied(each, self.needed)]
        found += [each for each in self.told if self._is_implied(each, self.tested)]
        times: dict[t.Term, int] = {}
        for said, often in self.tested.items():
            times[_positive(said)] = times.get(_positive(said), 0) + often
        again = [form for form, often in times.items() if often >= 2]
        return list(dict.fromkeys((*map(_positive, found), *again)))

    @staticmethod
    def _is_implied(known: t.Term, others: Iterable[t.Term]) -> bool:
        return any(implies(known, other) for other in others)

    def test(self, key: TermKey, path: Path, holds: bool) -> None:
        """A condition was tested just now: it is at least the same wherever it is tested.

        Args:
            key: that of the condition before it was tested.
        """
        said = self._said(key, path)
        if said is not None:
            self.tested[said] = self.tested.get(said, 0) + 1
            self._assume(said, holds, path)

    def sufficient(self, term: t.Term, path: Path) -> list[tuple[Constraint, ...]]:
        """What has to hold of the cells so that a condition surely holds now, in several ways."""
        said = self._said(self._keys.key(term, path), path)
        if said is None:
            return []
        self.needed[said] = None
        before = frozenset(path.builder.guard)
        found = []
        for known, cell in self._vocabulary.condition_cells():
            if implies(known, said):
                way = path.fork()
                way.builder.condition(cell, True)
                found.append(tuple(row for row in way.builder.guard if row not in before))
        return found

    def tell(self, path: Path) -> None:
        """At the end of a path: what was found of picks still holds of what the state names."""
        names = self.naming.on(path)
        for key, truth in path.truths.items() if names else ():
            if truth.exact or self.naming.closed(key, {}) is not None:
                continue
            said = self.naming.closed(key, names)
            if said is not None:
                self.told[said] = None
                self._assume(said, truth.holds, path)

    def _said(self, key: TermKey, path: Path) -> t.Term | None:
        """The condition over the state that a term is now, None if it depends on a pick."""
        said = self.naming.closed(key, {})
        return self.naming.closed(key, self.naming.on(path)) if said is None else said

    def _assume(self, said: t.Term, holds: bool, path: Path) -> None:
        form = _positive(said)
        cell = self._vocabulary.condition(form)
        if cell is not None:
            path.builder.condition(cell, holds == (form is said))


def _positive(said: t.Term) -> t.Term:
    """A condition without its negation: one cell serves both."""
    if isinstance(said, t.Compare) and said.op == "!=":
        return replace(said, op="=")
    return said
