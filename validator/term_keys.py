"""Names for terms: equal for terms that read the same and mean the same on a path."""

from __future__ import annotations

from gemwright.dsl import terms as t
from gemwright.validator.symbols import Key, Path
from gemwright.validator.walking import Token, free_slots, nodes, normal_form, reads


class Keys:
    """Keys of terms. What is found out of a term is kept as long as this lives, and so is the
    term."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[t.Term, int, tuple[int, ...], tuple[int, ...]]] = {}
        self._tokens: dict[int, tuple[t.Term, frozenset[Token]]] = {}
        self._numbers: dict[t.Term, int] = {}

    def key(self, term: t.Term, path: Path) -> Key:
        """What the value of a term depends on, apart from the cells."""
        kept = self._kept.get(id(term))
        if kept is None:
            form = normal_form(term)
            kept_number = self._numbers.setdefault(form, len(self._numbers))
            kept = (term, kept_number, free_slots(term), _single_variables(term))
            self._kept[id(term)] = kept
        slots = tuple(path.frame.get(slot) for slot in kept[2])
        return (kept[1], slots, tuple(path.explicit.get(each) for each in kept[3]))

    def tokens(self, term: t.Term) -> frozenset[Token]:
        """What of the state a term reads."""
        found = self._tokens.get(id(term))
        if found is None:
            # The term is kept beside its tokens, so that its identity is not given away again.
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
