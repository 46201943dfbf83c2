"""The outermost layer of our PettingZoo environments: ``reset(persona=...)``.

PettingZoo's own wrappers pass seed and options only, so a keyword of ours would be a TypeError anywhere below them. The
facade stands above them all and folds the keywords into options.
"""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils import BaseWrapper

from mempa_gym.errors import InvalidOptionError
from mempa_gym.personas import Persona

__all__ = ["ResetFacade"]


class ResetFacade(BaseWrapper):  # type: ignore[misc]  # PettingZoo ships no types
    """Accepts ``reset(seed, options, persona=, start_session=, end_session=)``; everything else passes through."""

    def __init__(self, env: AECEnv[Any, Any, Any]) -> None:
        super().__init__(env)

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,
        *,
        persona: str | Persona | None = None,
        start_session: int | None = None,
        end_session: int | None = None,
    ) -> None:
        """Starts an episode; a value given both ways must be the same."""
        given = {"persona": persona, "start_session": start_session, "end_session": end_session}
        given = {key: value for key, value in given.items() if value is not None}
        if given:
            options = dict(options or {})
            for key, value in given.items():
                if options.setdefault(key, value) != value:
                    raise InvalidOptionError(f"{key} was given twice, as {options[key]!r} and {value!r}", where="reset")
        super().reset(seed=seed, options=options)
