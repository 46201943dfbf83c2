"""A record of episodes as a file: JSON Lines, written line by line, so that a crash costs at most the line in hand.

    {"schema": "mempa_gym/recording/1", "api": "gymnasium" | "aec", "env": {...}, "spaces": {...}}
    {"text": "a long text"}                                      numbered from 0 in order of appearance
    {"reset": {"seed": 7, "options": {...}}, "state": {...}}
    {"action": ..., "agent": "pa_0", "state": {...}}

A state is what the caller could see after the call: for Gymnasium observation, reward, terminated, truncated, info; for
an AEC environment what ``last()`` returns, with the agent that is to act.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TextIO

from gymnasium.spaces import Space

from mempa_gym.errors import DataError, RunError
from mempa_gym.wrappers.space_codec import space_from_json, space_to_json
from mempa_gym.wrappers.values import Reader, Writer

__all__ = ["SCHEMA", "Api", "Episode", "Move", "Recording", "RecordingWriter", "State", "read_recording"]

SCHEMA = "mempa_gym/recording/1"
Api = Literal["gymnasium", "aec"]


@dataclass(frozen=True, slots=True)
class State:
    """What was seen after a call.

    Attributes:
        agent: who is to act; "" for Gymnasium and once nobody is left.
        observation: that agent's observation.
        reward: its reward (for AEC what has accumulated).
        terminated: whether its episode has ended.
        truncated: whether it was cut short.
        info: its info.
    """

    agent: str
    observation: Any
    reward: float
    terminated: bool
    truncated: bool
    info: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Move:
    """An action, who took it, and what was seen then."""

    agent: str
    action: Any
    state: State


@dataclass(slots=True)
class Episode:
    """One recorded episode.

    Attributes:
        seed: the seed of its reset.
        options: the options of its reset.
        first: what was seen after the reset.
        moves: what followed.
    """

    seed: int | None
    options: Mapping[str, Any]
    first: State
    moves: list[Move] = field(default_factory=list)

    @property
    def ended(self) -> bool:
        """Whether the episode came to its end, or was cut short by its environment."""
        last = self.moves[-1].state if self.moves else self.first
        return last.terminated or last.truncated or (not last.agent and last.observation is None)


@dataclass(frozen=True, slots=True)
class Recording:
    """A file of episodes.

    Attributes:
        api: which interface was recorded.
        env: what the environment says of itself: id and arguments where it was made by name.
        observation_spaces: agent ("" for Gymnasium) to its observation space.
        action_spaces: agent to its action space.
        episodes: in order.
        whole: whether the last line is whole; False after a crash, whose line in hand is left out.
    """

    api: Api
    env: Mapping[str, Any]
    observation_spaces: Mapping[str, Space[Any]]
    action_spaces: Mapping[str, Space[Any]]
    episodes: tuple[Episode, ...]
    whole: bool


class RecordingWriter:
    """Writes a recording; every line is handed to the system as it is made.

    Args:
        path: the file; it must not exist, since a record is never written over.
        api: which interface is recorded.
        env: what the environment says of itself, JSON-able.
        observation_spaces: agent to space.
        action_spaces: agent to space.

    Raises:
        RunError: the file exists or cannot be written.
    """

    def __init__(
        self,
        path: Path | str,
        api: Api,
        env: Mapping[str, Any],
        observation_spaces: Mapping[str, Space[Any]],
        action_spaces: Mapping[str, Space[Any]],
    ) -> None:
        self.path = Path(path)
        described = {
            "observation": {name: space_to_json(space) for name, space in observation_spaces.items()},
            "action": {name: space_to_json(space) for name, space in action_spaces.items()},
        }
        try:
            self._file: TextIO = self.path.open("x", encoding="utf-8", newline="\n")
        except OSError as error:
            raise RunError(
                f"no record can be written here: {error.strerror}",
                where=str(path),
                remedy="Choose a file that does not exist yet, in a directory that can be written",
            ) from None
        self._writer = Writer()
        self._line({"schema": SCHEMA, "api": api, "env": dict(env), "spaces": described})

    def reset(self, seed: int | None, options: Mapping[str, Any], state: State) -> None:
        """Begins an episode."""
        self._entry({"reset": {"seed": seed, "options": self._writer.value(dict(options))}}, state)

    def move(self, agent: str, action: Any, state: State) -> None:
        """Adds a step."""
        self._entry({"agent": agent, "action": self._writer.value(action)}, state)

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def _entry(self, entry: dict[str, Any], state: State) -> None:
        value = self._writer.value
        seen = {
            "agent": state.agent,
            "observation": value(state.observation),
            "reward": value(state.reward),
            "terminated": bool(state.terminated),
            "truncated": bool(state.truncated),
            "info": value(dict(state.info)),
        }
        for text in self._writer.new_texts:
            self._line({"text": text})
        self._writer.new_texts.clear()
        self._line({**entry, "state": seen})

    def _line(self, content: Mapping[str, Any]) -> None:
        # In ASCII, so that it holds whatever a model may write, lone surrogates included.
        self._file.write(f"{json.dumps(content, separators=(',', ':'))}\n")
        self._file.flush()


def read_recording(path: Path | str) -> Recording:
    """Reads a recording.

    Raises:
        RunError: there is no such file.
        DataError: it is no recording, or a line of it is damaged; the error names the line.
    """
    name = str(path)
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise RunError(
            f"it cannot be read: {error.strerror}", where=name, remedy="Give a file that a recorder wrote"
        ) from None
    whole = raw.endswith(b"\n")
    lines = raw.split(b"\n")[:-1]
    entries = _entries(lines, name)
    head = next(entries, None)
    if head is None or head[1].get("schema") != SCHEMA or head[1].get("api") not in ("gymnasium", "aec"):
        raise DataError(name, "line 1", f"no recording of this version ({SCHEMA})")
    described = head[1].get("spaces") or {}
    reader = Reader(name)
    episodes: list[Episode] = []
    for number, entry in entries:
        place = f"line {number}"
        try:
            if "text" in entry:
                reader.texts.append(entry["text"])
            elif "reset" in entry:
                given = reader.value(entry["reset"], place)
                episodes.append(Episode(given["seed"], given["options"], _state(reader, entry["state"], place)))
            else:
                move = Move(entry["agent"], reader.value(entry["action"], place), _state(reader, entry["state"], place))
                episodes[-1].moves.append(move)
        except (KeyError, TypeError, IndexError) as error:
            raise DataError(name, place, f"it lacks something or is of the wrong form: {error}") from None
    found = [
        {agent: space_from_json(space, name) for agent, space in (described.get(kind) or {}).items()}
        for kind in ("observation", "action")
    ]
    return Recording(head[1]["api"], head[1].get("env") or {}, found[0], found[1], tuple(episodes), whole)


def _entries(lines: list[bytes], name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(lines, start=1):
        try:
            entry = json.loads(line)
        except ValueError:
            raise DataError(name, f"line {number}", "it is no JSON") from None
        if not isinstance(entry, dict):
            raise DataError(name, f"line {number}", "an object is expected")
        yield number, entry


def _state(reader: Reader, data: Mapping[str, Any], place: str) -> State:
    return State(
        data["agent"],
        reader.value(data["observation"], place),
        reader.value(data["reward"], place),
        data["terminated"],
        data["truncated"],
        reader.value(data["info"], place),
    )
