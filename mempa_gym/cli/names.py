"""Names on the command line: what the help texts list, and what is said of a name that will not do."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence

from mempa_gym.agents import backbones
from mempa_gym.errors import MempaGymError, UnknownNameError, unknown
from mempa_gym.factories.names import PERSONA_SETS, agent_names
from mempa_gym.memory import memory_names
from mempa_gym.personas import persona_ids
from mempa_gym.timeline import scripted_personas

__all__ = [
    "AGENT_HELP",
    "MEMORY_HELP",
    "PERSONA_HELP",
    "SCRIPTED_HELP",
    "check_persona",
    "ignores_memory",
    "listed",
    "played_matrix",
    "unknown_script",
]

# Personas and sets that are counterfactuals whatever matrix is asked for.
_ALWAYS_PERMUTED = ("random", "train")
_MOST = 8


def listed(names: Iterable[str]) -> str:
    """Returns names as "a, b or c"."""
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last


def _help(text: str, names: Callable[[], Iterable[str]]) -> str:
    # Damaged data must show as an error of the command, not while this module is loaded.
    try:
        return text.format(listed(names()))
    except MempaGymError:
        return text.format("a packaged one")


PERSONA_HELP = _help("Packaged user: {}.", lambda: (*scripted_personas(), *PERSONA_SETS))
SCRIPTED_HELP = _help("Only this user: {}.", scripted_personas)
MEMORY_HELP = _help("Memory: {}.", memory_names)
AGENT_HELP = _help("Built-in PA: {}.", agent_names)


def check_persona(value: str, sets: tuple[str, ...] = PERSONA_SETS) -> None:
    """Refuses a persona that cannot be played.

    Args:
        value: what was given.
        sets: which sets of personas will do besides.

    Raises:
        UnknownNameError: no such persona, or one without scripts.
    """
    scripted = scripted_personas()
    if value in scripted or value in sets:
        return
    if value in persona_ids():
        raise UnknownNameError(f"{value} has no scripts yet; scripts exist for: {', '.join(scripted)}")
    raise unknown("persona", value, (*scripted, *sets))


def unknown_script(value: str, known: Sequence[str]) -> UnknownNameError:
    """Returns the error for a script id that is not there, with the nearest ids."""
    near = sorted(difflib.get_close_matches(value, known, n=_MOST))
    close = f"Close names: {', '.join(near)}" if near else f"The first are: {', '.join(sorted(known)[:_MOST])}"
    return UnknownNameError(f"unknown script {value!r}", remedy=f"{close} ({len(known)} scripts in all)")


def ignores_memory(agent: str) -> bool:
    """Returns whether a built-in PA chooses without reading its memory."""
    return agent == "random" or agent in backbones()


def played_matrix(persona: str, matrix: str) -> str:
    """Returns which matrix is played: a drawn counterfactual's is permuted, whatever was asked for."""
    return "permuted" if persona in _ALWAYS_PERMUTED else matrix
