"""The public names of gemwright; whatever is not listed here may change without notice.

Each name is imported when it is first used (PEP 562): `import gemwright.dsl` or `gemwright --help`
must not load the engine. To add a public name, add one row to `_HOME` and one import for type
checkers below it; a test holds the two together.
"""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from gemwright.interpreter.game import Game as Game
    from gemwright.interpreter.game import load as load
    from gemwright.interpreter.simulation.simulate import simulate as simulate
    from gemwright.interpreter.state import State as State
    from gemwright.validator.api import check_ruleset as check_ruleset
    from gemwright.validator.api import validate as validate

# The one place of the version: pyproject.toml reads it from here.
__version__ = "0.1.0"

_HOME: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Game": "gemwright.interpreter.game",
        "State": "gemwright.interpreter.state",
        "check_ruleset": "gemwright.validator.api",
        "load": "gemwright.interpreter.game",
        "simulate": "gemwright.interpreter.simulation.simulate",
        "validate": "gemwright.validator.api",
    }
)


def __getattr__(name: str) -> object:
    """Import a public name from its home on first use and keep it in this module."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
