"""Records of environments: what was seen is what is read, whole files and torn ones, and nothing is evaluated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import data_equivalence
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import mempa_gym  # noqa: F401 - registers the ids
from mempa_gym.envs import timeline_v0
from mempa_gym.envs.actions import encode
from mempa_gym.envs.spaces import AnyText, JsonText
from mempa_gym.errors import DataError, InvalidOptionError, PolicyError, RunError
from mempa_gym.factories.names import make_agent
from mempa_gym.interaction.policies import Reply
from mempa_gym.wrappers import AECRecorder, Recorder, ReplayAEC, ReplayEnv, read_recording, replay_against
from mempa_gym.wrappers.space_codec import space_from_json, space_to_json
from mempa_gym.wrappers.values import Reader, Writer

Seen = list[tuple[Any, ...]]
HEAD = '{"schema":"mempa_gym/recording/1","api":"gymnasium","env":{},"spaces":{}}\n'


def play(env: Any, episodes: int = 2, **first: Any) -> Seen:
    """Plays sessions with the planned PA and returns all that was seen."""
    seen: Seen = []
    policy = make_agent("reader")
    for number in range(episodes):
        seen.append(env.reset(**(first if number == 0 else {})))
        policy.begin_session(np.random.default_rng(number))
        ended = False
        while not ended:
            action = policy.act(env.unwrapped.pa_view(with_plan=True))
            seen.append(env.step(action if number else encode(action)))
            ended = seen[-1][2] or seen[-1][3]
    return seen


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Seen]:
    path = tmp_path_factory.mktemp("records") / "session.jsonl"
    env = Recorder(gymnasium.make("mempa/Session-v0", persona="user_b", reward_mode="train"), path)
    seen = play(env, seed=4, start_session=3)
    env.close()
    return path, seen


def test_a_recorder_changes_nothing(session: tuple[Path, Seen]) -> None:
    env = gymnasium.make("mempa/Session-v0", persona="user_b", reward_mode="train")
    assert data_equivalence(play(env, seed=4, start_session=3), session[1])


def test_a_record_is_stepped_through_as_it_was_seen(session: tuple[Path, Seen]) -> None:
    env = ReplayEnv(session[0])
    seen: Seen = []
    for _ in range(2):
        seen.append(env.reset())
        ended = False
        while not ended:
            seen.append(env.step(env.recorded_action if len(seen) % 2 else None))
            ended = seen[-1][2] or seen[-1][3]
        assert env.recorded_action is None
        with pytest.raises(PolicyError, match="the episode has ended"):
            env.step(None)
    assert data_equivalence(seen, session[1])
    assert all(env.observation_space.contains(entry[0]) for entry in seen)


def test_what_is_handed_out_can_be_changed_without_harm(session: tuple[Path, Seen]) -> None:
    env = ReplayEnv(session[0])
    observation, info = env.reset(options={"episode": 1})
    observation["observation"][:] = 9.0
    info["played_by"].clear()
    again = env.reset(options={"episode": 1})
    assert again[0]["observation"].max() <= 1.0
    assert again[1]["played_by"]


def test_another_action_is_named(session: tuple[Path, Seen]) -> None:
    env = ReplayEnv(session[0])
    with pytest.raises(PolicyError, match="no episode has begun"):
        env.step(None)
    env.reset()
    with pytest.raises(PolicyError, match=r"recorded with another action"):
        env.step(Reply("Something else."))
    env.step(None)
    with pytest.raises(RunError, match="no episode 9.*0 to 1"):
        env.reset(options={"episode": 9})


def test_a_record_held_against_its_environment_agrees(session: tuple[Path, Seen]) -> None:
    env = gymnasium.make("mempa/Session-v0", persona="user_b", reward_mode="train")
    assert replay_against(session[0], env) is None


def test_the_first_difference_is_named(session: tuple[Path, Seen], tmp_path: Path) -> None:
    other = gymnasium.make("mempa/Session-v0", persona="user_b", reward_mode="eval")
    found = replay_against(session[0], other)
    assert found is not None
    assert (found.episode, found.step, found.path) == (0, 0, "info.reward_mode")
    lines = session[0].read_text(encoding="utf-8").splitlines()
    place = max(number for number, line in enumerate(lines) if '"reward":0.0' in line)
    lines[place] = lines[place].replace('"reward":0.0', '"reward":0.7', 1)
    changed = tmp_path / "changed.jsonl"
    changed.write_text("\n".join(lines) + "\n", encoding="utf-8")
    same = gymnasium.make("mempa/Session-v0", persona="user_b", reward_mode="train")
    found = replay_against(changed, same)
    assert found is not None
    assert found.path == "reward"
    assert found.recorded == 0.7


@pytest.mark.parametrize("roles", [("pa",), ("user", "memory", "pa")])
def test_an_aec_environment_is_recorded_and_played_back(roles: tuple[str, ...], tmp_path: Path) -> None:
    def live() -> Any:
        return timeline_v0.env(persona="user_b", memory="file", roles=roles, max_cycles=60)

    def drive(env: Any, replay: bool) -> Seen:
        seen: Seen = []
        for agent in env.agent_iter():
            seen.append((agent, *env.last()))
            ended = seen[-1][3] or seen[-1][4]
            if replay:
                env.step(None if ended else env.recorded_action)
            else:
                env.step(None if ended else env.action_space(agent).sample())
        return seen

    def seeded(env: Any) -> Any:
        for number, agent in enumerate(env.possible_agents):
            env.action_space(agent).seed(number)
        env.reset(seed=2)
        return env

    path = tmp_path / "timeline.jsonl"
    recorder = seeded(AECRecorder(live(), path))
    seen = drive(recorder, replay=False)
    recorder.close()
    assert data_equivalence(seen, drive(seeded(live()), replay=False))
    env = ReplayAEC(path)
    env.reset()
    assert env.possible_agents == live().possible_agents
    assert data_equivalence(drive(env, replay=True), seen)
    assert replay_against(path, live()) is None
    with pytest.raises(RunError, match="ReplayAEC"):
        ReplayEnv(path)


def test_a_torn_last_line_is_left_out(session: tuple[Path, Seen], tmp_path: Path) -> None:
    raw = session[0].read_bytes()
    whole = read_recording(session[0])
    assert whole.whole
    torn = tmp_path / "torn.jsonl"
    torn.write_bytes(raw[: len(raw) - 40])
    found = read_recording(torn)
    assert not found.whole
    assert len(found.episodes[-1].moves) == len(whole.episodes[-1].moves) - 1
    assert not found.episodes[-1].ended
    env = ReplayEnv(torn)
    env.reset(options={"episode": 1})
    for _ in found.episodes[-1].moves:
        env.step(None)
    with pytest.raises(PolicyError, match="the record stops here"):
        env.step(None)


def test_a_record_is_never_written_over(session: tuple[Path, Seen]) -> None:
    before = session[0].read_bytes()
    with pytest.raises(RunError, match="no record can be written"):
        Recorder(gymnasium.make("mempa/Session-v0", persona="user_b"), session[0])
    assert session[0].read_bytes() == before


def test_what_no_record_can_name_is_refused(tmp_path: Path) -> None:
    from mempa_gym.personas import load_persona

    env = Recorder(gymnasium.make("mempa/Session-v0", persona="user_b"), tmp_path / "r.jsonl")
    with pytest.raises(InvalidOptionError, match="'persona' is a Persona"):
        env.reset(persona=load_persona("user_b"))
    env.close()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "no recording"),
        ("{}\n", "no recording"),
        ('{"schema":"mempa_gym/recording/9","api":"aec"}\n', "no recording"),
        ("not json\n", "line 1.*no JSON"),
        ("[1]\n", "line 1.*object"),
        ('{"schema":"mempa_gym/recording/1","api":"aec","env":{},"spaces":{}}\n{"agent":"a"}\n', "line 2"),
        (
            '{"schema":"mempa_gym/recording/1","api":"aec","env":{},"spaces":{"action":{"":{"kind":"x"}}}}\n',
            "unknown kind",
        ),
        (
            HEAD + '{"reset":{"seed":1,"options":{}},"state":{"agent":"","observation":{"__text__":4},"reward":0,'
            '"terminated":false,"truncated":false,"info":{}}}\n',
            "line 2.*damaged value",
        ),
        (
            HEAD
            + '{"reset":{"seed":1,"options":{}},"state":{"agent":"","observation":{"__array__":["object",[1],["x"]]},'
            '"reward":0,"terminated":false,"truncated":false,"info":{}}}\n',
            "line 2.*damaged value",
        ),
    ],
)
def test_a_damaged_file_is_refused_with_its_line(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        read_recording(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"none\.jsonl"):
        ReplayEnv(tmp_path / "none.jsonl")


def test_a_long_text_stands_in_the_file_once(session: tuple[Path, Seen]) -> None:
    texts = [json.loads(line)["text"] for line in session[0].read_text().splitlines() if line.startswith('{"text"')]
    assert texts
    assert len(texts) == len(set(texts))


def test_a_recording_knows_how_its_environment_was_made(session: tuple[Path, Seen]) -> None:
    said = read_recording(session[0]).env
    assert said["id"] == "mempa/Session-v0"
    assert said["kwargs"]["persona"] == "user_b"
    assert replay_against(session[0], gymnasium.make(said["id"], **said["kwargs"])) is None


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False)
    | st.text()
    | st.text(min_size=200, max_size=210)
    | hnp.arrays(st.sampled_from(["<f4", "<f8", "i1", "<i8", "?"]), hnp.array_shapes(min_side=0, max_side=3)),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text().filter(lambda key: not key.startswith("__")), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(st.lists(values, max_size=3))
def test_values_come_back_as_they_were(given_values: list[Any]) -> None:
    writer, reader = Writer(), Reader("test")
    for value in given_values:
        text = json.dumps(writer.value(value))
        reader.texts.extend(writer.new_texts)
        writer.new_texts.clear()
        found = reader.value(json.loads(text))
        assert data_equivalence(found, value) or found == value


@pytest.mark.parametrize("value", [{1: 2}, {"__array__": []}, object(), {1, 2}, np.array(["x"]), b"x"])
def test_what_cannot_be_kept_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="recorded"):
        Writer().value(value)


@pytest.mark.parametrize(
    "space",
    [
        AnyText(),
        JsonText(),
        spaces.Discrete(5, start=2),
        spaces.Box(-1.0, np.array([1.0, 2.0], dtype=np.float32), (2,), np.float32),
        spaces.Box(0, 255, (2, 3), np.uint8),
        spaces.MultiDiscrete([2, 3]),
        spaces.MultiBinary(4),
        spaces.Dict({"a": spaces.Dict({"b": AnyText()}), "c": spaces.Discrete(2)}),
    ],
)
def test_spaces_come_back_as_they_were(space: Any) -> None:
    assert space_from_json(json.loads(json.dumps(space_to_json(space)))) == space


def test_unknown_spaces_are_refused() -> None:
    with pytest.raises(TypeError, match="Sequence"):
        space_to_json(spaces.Sequence(spaces.Discrete(2)))
