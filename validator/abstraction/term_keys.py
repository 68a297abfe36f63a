"""Names for terms: equal for terms that read the same and mean the same on a path."""

from __future__ import annotations

from dataclasses import dataclass

from gemwright.dsl.model import terms as t
from gemwright.validator.abstraction.symbols import Path, TermKey
from gemwright.validator.rules.walking import Token, free_slots, nodes, normal_form, reads


@dataclass(frozen=True, slots=True)
class Form:
    """A term in normal form with its free slots and the single variables that it reads, both in
    order."""

    term: t.Term
    slots: tuple[int, ...]
    variables: tuple[int, ...]


class Keys:
    """Keys of terms. What is found out of a term is kept as long as this lives, and so is the
    term."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[t.Term, int]] = {}
        self._tokens: dict[int, tuple[t.Term, frozenset[Token]]] = {}
        self._numbers: dict[t.Term, int] = {}
        self._forms: list[Form] = []

    def key(self, term: t.Term, path: Path) -> TermKey:
        """What the value of a term depends on, apart from the cells."""
        kept = self._kept.get(id(term))
        if kept is None:
            # The term is kept beside its number, so that its identity is not given away again.
            kept = self._kept[id(term)] = (term, self._number(term))
        form = self._forms[kept[1]]
        slots = tuple(path.frame.get(slot) for slot in form.slots)
        return TermKey(kept[1], slots, tuple(path.explicit.get(each) for each in form.variables))

    def _number(self, term: t.Term) -> int:
        form = normal_form(term)
        if form not in self._numbers:
            self._numbers[form] = len(self._forms)
            self._forms.append(Form(form, free_slots(form), _single_variables(form)))
        return self._numbers[form]

    def form(self, key: TermKey) -> Form:
        """The form of the term that a key was made for."""
        return self._forms[key.form]

    def tokens(self, term: t.Term) -> frozenset[Token]:
        """What of the state a term reads."""
        found = self._tokens.get(id(term))
        if found is None:
            found = self._tokens[id(term)] = (term, reads(term))
        return found[1]


def _single_variables(term: t.Term) -> tuple[int, ...]:
    return tuple(
        sorted(
            {
                node.variable
                for node in nodes(term)
                if isinstance(node, t.ReadVariable) and node.index is None
            }
        )
    )
