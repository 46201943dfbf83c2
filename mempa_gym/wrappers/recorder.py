"""Recorders: an environment that is used as before, and a file in which every step stands.

What is recorded is what the caller saw, so a record can be stepped through where neither world nor users are at hand
(`replay.ReplayEnv`), or held against the environment itself (`replay.replay_against`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import BaseWrapper

from mempa_gym.errors import InvalidOptionError
from mempa_gym.wrappers.recording import RecordingWriter, State
from mempa_gym.wrappers.values import spelt_action

__all__ = ["AECRecorder", "Recorder"]


def _chosen(seed: int | None, begun: bool) -> int | None:
    """Returns the seed of a reset: the first one gets one, or the record could never be held against anything."""
    if seed is not None or begun:
        return seed
    return int(np.random.SeedSequence().generate_state(1)[0])


def _plain(options: Mapping[str, Any]) -> dict[str, Any]:
    for name, value in options.items():
        if value is not None and not isinstance(value, str | int | float | bool):
            raise InvalidOptionError(
                f"the reset option {name!r} is a {type(value).__name__}, which no record can name",
                where="Recorder.reset",
                remedy="Give a name, for instance persona='user_b', or make the environment with the object",
            )
    return {name: value for name, value in options.items() if value is not None}


class Recorder(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Records a Gymnasium environment of this project.

    Args:
        env: the environment.
        path: the file, which must not exist.

    Raises:
        RunError: the file exists or cannot be written.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], path: Path | str) -> None:
        super().__init__(env)
        spec = env.spec
        # Only what can be said in JSON is said; an object among the arguments is left to the caller to remember.
        said = {"id": spec.id, "kwargs": _sayable(spec.kwargs)} if spec is not None else {}
        self._file = RecordingWriter(path, "gymnasium", said, {"": env.observation_space}, {"": env.action_space})
        self._begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None, **more: Any
    ) -> tuple[Any, dict[str, Any]]:
        """Starts an episode; keywords of ours (``persona=`` and so on) are recorded among the options."""
        given = _plain({**(options or {}), **more})
        seed = _chosen(seed, self._begun)
        observation, info = self.env.reset(seed=seed, options=given or None)
        self._begun = True
        self._file.reset(seed, given, State("", observation, 0.0, False, False, info))
        return observation, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes a step and records it."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        state = State("", observation, float(reward), terminated, truncated, info)
        self._file.move("", spelt_action(action), state)
        return observation, float(reward), terminated, truncated, info

    def close(self) -> None:
        """Closes the file and the environment."""
        self._file.close()
        super().close()


class AECRecorder(BaseWrapper):  # type: ignore[misc]  # PettingZoo ships no types
    """Records a PettingZoo AEC environment of this project; made of what ``timeline_v0.env`` returns.

    Args:
        env: the environment.
        path: the file, which must not exist.

    Raises:
        RunError: the file exists or cannot be written.
    """

    def __init__(self, env: AECEnv[Any, Any, Any], path: Path | str) -> None:
        super().__init__(env)
        agents = env.possible_agents
        self._file = RecordingWriter(
            path,
            "aec",
            {"name": env.metadata.get("name", "")},
            {agent: env.observation_space(agent) for agent in agents},
            {agent: env.action_space(agent) for agent in agents},
        )
        self._begun = False

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None, **more: Any) -> None:
        """Starts an episode; keywords of ours (``persona=`` and so on) are recorded among the options."""
        given = _plain({**(options or {}), **more})
        seed = _chosen(seed, self._begun)
        self.env.reset(seed=seed, options=given or None)
        self._begun = True
        self._file.reset(seed, given, self._state())

    def step(self, action: Any) -> None:
        """Takes a step and records it."""
        agent = self.env.agent_selection
        self.env.step(action)
        self._file.move(agent, spelt_action(action), self._state())

    def _state(self) -> State:
        if not self.env.agents:
            return State("", None, 0.0, False, False, {})
        observation, reward, terminated, truncated, info = self.env.last()
        return State(self.env.agent_selection, observation, float(reward), terminated, truncated, info)

    def close(self) -> None:
        """Closes the file and the environment."""
        self._file.close()
        self.env.close()


def _sayable(arguments: Mapping[str, Any]) -> dict[str, Any]:
    plain = (str, int, float, bool, type(None), list, tuple, dict)
    return {name: value for name, value in arguments.items() if isinstance(value, plain)}
