"""The outermost layer of our PettingZoo environments: ``reset(persona=...)``.

PettingZoo's own wrappers pass seed and options only, so a keyword of ours would be a TypeError anywhere below them. The
facade stands above them all and folds the keywords into options.
"""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils import OrderEnforcingWrapper

from mempa_gym.errors import InvalidOptionError
from mempa_gym.personas import Persona

__all__ = ["ResetFacade"]


class ResetFacade(OrderEnforcingWrapper):  # type: ignore[misc]  # PettingZoo ships no types
    """Enforces the order of calls and accepts ``reset(seed, options, persona=, start_session=, end_session=)``.

    It is order enforcement and facade in one: every layer between caller and game costs a look-up for each attribute.
    """

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

    def step(self, action: Any) -> None:
        """Takes the action of ``agent_selection``."""
        if self._has_reset and self.env.agents:
            self._has_updated = True
            self.env.step(action)
        else:
            super().step(action)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Returns observation, accumulated reward, terminated, truncated and info of the agent that is to act."""
        if not self._has_reset:
            return super().last(observe)  # type: ignore[no-any-return]
        return self.env.last(observe)  # type: ignore[no-any-return]

    def __str__(self) -> str:
        return str(self.env)
