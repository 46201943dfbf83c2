"""Records played back: stepped through as an environment, or held against a live one.

``ReplayEnv`` and ``ReplayAEC`` give what was recorded and nothing else; an action that is not the recorded one is an
error that names the difference, since what would have followed from it is not known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Space
from pettingzoo import AECEnv

from mempa_gym.errors import PolicyError, RunError
from mempa_gym.wrappers.differences import first_difference
from mempa_gym.wrappers.recording import Episode, Recording, State, read_recording
from mempa_gym.wrappers.values import spelt_action

__all__ = ["ReplayAEC", "ReplayDifference", "ReplayEnv", "replay_against"]


@dataclass(frozen=True, slots=True)
class ReplayDifference:
    """Where a live environment first did not do what was recorded.

    Attributes:
        episode: number of the episode, from 0.
        step: number of the step, 0 for the reset.
        path: what differs, like ``observation.user`` or ``reward``.
        recorded: its recorded value.
        found: its value now.
    """

    episode: int
    step: int
    path: str
    recorded: Any
    found: Any

    def __str__(self) -> str:
        place = f"episode {self.episode}, step {self.step}, {self.path}"
        return f"{place}: recorded {self.recorded!r:.200}, found {self.found!r:.200}"


class _Tape:
    """The episodes of a recording, one after another, and where the one in play stands."""

    def __init__(self, recording: Recording, api: str, path: str) -> None:
        if recording.api != api:
            other = "ReplayAEC" if recording.api == "aec" else "ReplayEnv"
            raise RunError(
                f"it records the {recording.api} interface", where=path, remedy=f"Open it with wrappers.{other}"
            )
        if not recording.episodes:
            raise RunError("it holds no episode", where=path, remedy="Record at least a reset")
        self._episodes = recording.episodes
        self._path = path
        self.number = -1
        self.step = 0

    @property
    def episode(self) -> Episode:
        """The episode in play."""
        return self._episodes[self.number]

    def rewind(self, wanted: int | None) -> State:
        """Goes to the start of an episode, the next one when none is named; after the last comes the first."""
        number = self.number + 1 if wanted is None else wanted
        if wanted is not None and not 0 <= wanted < len(self._episodes):
            raise RunError(
                f"there is no episode {wanted}", where=self._path, remedy=f"It has 0 to {len(self._episodes) - 1}"
            )
        self.number, self.step = number % len(self._episodes), 0
        return self.episode.first

    def take(self, agent: str, action: Any) -> State:
        """Returns the state after the next recorded action, which must be this one; None stands for it."""
        if self.number < 0:
            raise PolicyError("no episode has begun", where="ReplayEnv", remedy="Call reset() first")
        moves = self.episode.moves
        if self.step >= len(moves):
            why = "the episode has ended" if self.episode.ended else "the record stops here"
            raise PolicyError(f"{why} after {self.step} steps", where="ReplayEnv", remedy="Call reset()")
        move = moves[self.step]
        if action is not None:
            found = first_difference(move.action, spelt_action(action), "action")
            if agent != move.agent or found is not None:
                path, recorded, other = found or ("agent", move.agent, agent)
                raise PolicyError(
                    f"step {self.step + 1} was recorded with another {path}: {recorded!r:.200}, not {other!r:.200}",
                    where="ReplayEnv",
                    remedy="Pass the recorded action, or None for it",
                )
        self.step += 1
        return move.state

    @property
    def recorded_action(self) -> Any:
        """The next recorded action, None at the record's end."""
        moves = self.episode.moves
        return moves[self.step].action if self.step < len(moves) else None


class ReplayEnv(gymnasium.Env[Any, Any]):
    """Steps through a recorded Gymnasium environment, offline.

    Spaces, observations, rewards and infos are those of the record. ``step`` takes the recorded action or None; another
    one raises PolicyError. ``reset(options={"episode": n})`` chooses an episode, otherwise they follow one another.

    Args:
        path: the recording.

    Raises:
        RunError: no such file, or it records another interface.
        DataError: the file is damaged.
    """

    metadata = {"render_modes": []}  # noqa: RUF012 - Gymnasium's own declaration

    def __init__(self, path: Path | str) -> None:
        self.recording = read_recording(path)
        self._tape = _Tape(self.recording, "gymnasium", str(path))
        self.observation_space = self.recording.observation_spaces[""]
        self.action_space = self.recording.action_spaces[""]

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Goes to the start of an episode; a seed changes nothing."""
        super().reset(seed=seed)
        state = self._tape.rewind((options or {}).get("episode"))
        return _fresh(state.observation), _fresh(dict(state.info))

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Returns what was recorded after the next action.

        Raises:
            PolicyError: another action was recorded, or none.
        """
        state = self._tape.take("", action)
        observation, info = _fresh(state.observation), _fresh(dict(state.info))
        return observation, state.reward, state.terminated, state.truncated, info

    @property
    def recorded_action(self) -> Any:
        """The action that was recorded for the next step, None at the end."""
        return _fresh(self._tape.recorded_action)


class ReplayAEC(AECEnv[str, Any, Any]):  # type: ignore[misc]  # PettingZoo ships no types
    """Steps through a recorded AEC environment, offline; see `ReplayEnv`.

    Args:
        path: the recording.

    Raises:
        RunError: no such file, or it records another interface.
        DataError: the file is damaged.
    """

    def __init__(self, path: Path | str) -> None:
        super().__init__()
        self.recording = read_recording(path)
        self._tape = _Tape(self.recording, "aec", str(path))
        name = str(self.recording.env.get("name", "recorded"))
        self.metadata = {"name": name, "render_modes": [], "is_parallelizable": False}
        self.possible_agents = list(self.recording.observation_spaces)
        self.observation_spaces = dict(self.recording.observation_spaces)
        self.action_spaces = dict(self.recording.action_spaces)
        self.agents: list[str] = []
        self.render_mode = None

    def observation_space(self, agent: str) -> Space[Any]:
        """Returns the same space object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Returns the same space object at every call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Goes to the start of an episode; a seed changes nothing."""
        state = self._tape.rewind((options or {}).get("episode"))
        self.agents = list(self.possible_agents)
        self._dead: set[str] = set()
        self._show(state)

    def step(self, action: Any) -> None:
        """Goes on to what was recorded after the next action.

        Raises:
            PolicyError: another action was recorded, or none.
        """
        agent = self.agent_selection
        gone = self.terminations.get(agent, False) or self.truncations.get(agent, False)
        state = self._tape.take(agent, action)
        if gone:
            self.agents.remove(agent)
        self._show(state)

    def _show(self, state: State) -> None:
        self._state = state
        agents = self.agents if state.agent else []
        self.agents = list(agents)
        self.agent_selection = state.agent or (self.agents[0] if self.agents else "")
        # Of the others nothing was recorded at this step: what is theirs shows when it is their turn.
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = {agent: state.reward if agent == state.agent else 0.0 for agent in agents}
        self.terminations = dict.fromkeys(agents, state.terminated)
        self.truncations = dict.fromkeys(agents, state.truncated)
        self.infos = {agent: _fresh(dict(state.info)) if agent == state.agent else {} for agent in agents}

    def observe(self, agent: str) -> Any:
        """Returns the recorded observation of the agent that is to act, None for another."""
        return _fresh(self._state.observation) if agent == self._state.agent else None

    @property
    def recorded_action(self) -> Any:
        """The action that was recorded for the next step, None at the end and for an agent that has ended."""
        return _fresh(self._tape.recorded_action)

    def close(self) -> None:
        """Does nothing; there is nothing to release."""


def replay_against(path: Path | str, env: Any) -> ReplayDifference | None:
    """Plays a record's actions in a live environment and returns the first difference, None when all is as recorded.

    Args:
        path: the recording.
        env: an environment built as the recorded one was.

    Raises:
        RunError: no such file, or it records another interface than the environment has.
        DataError: the file is damaged.
    """
    recording = read_recording(path)
    is_aec = isinstance(env, AECEnv)
    if is_aec != (recording.api == "aec"):
        raise RunError(
            f"it records the {recording.api} interface, the environment has the other",
            where=str(path),
            remedy="Give an environment of the recorded kind",
        )
    for number, episode in enumerate(recording.episodes):
        for step, (recorded, found) in enumerate(_both(episode, env, is_aec)):
            difference = first_difference(recorded, found)
            if difference is not None:
                return ReplayDifference(number, step, *difference)
    return None


def _both(episode: Episode, env: Any, is_aec: bool) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    options = dict(episode.options) or None
    started = env.reset(seed=episode.seed, options=options)
    yield _flat(episode.first), _flat(_seen(env) if is_aec else State("", started[0], 0.0, False, False, started[1]))
    for move in episode.moves:
        if is_aec:
            env.step(move.action)
            yield _flat(move.state), _flat(_seen(env))
        else:
            observation, reward, terminated, truncated, info = env.step(move.action)
            yield (
                _flat(move.state),
                _flat(State("", observation, float(reward), bool(terminated), bool(truncated), info)),
            )


def _seen(env: Any) -> State:
    if not env.agents:
        return State("", None, 0.0, False, False, {})
    observation, reward, terminated, truncated, info = env.last()
    return State(env.agent_selection, observation, float(reward), bool(terminated), bool(truncated), info)


def _flat(state: State) -> dict[str, Any]:
    return {name: getattr(state, name) for name in State.__slots__}


def _fresh(value: Any) -> Any:
    """Returns a copy: what is handed out is the caller's to change."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, dict):
        return {key: _fresh(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_fresh(item) for item in value]
    return value
