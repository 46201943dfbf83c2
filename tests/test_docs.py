"""The pages in docs say what the code does."""

from __future__ import annotations

import re
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from gymnasium.wrappers import FilterObservation, FlattenObservation, RecordEpisodeStatistics, TimeLimit

import mempa_gym
from mempa_gym.agents import backbones
from mempa_gym.cli.demo import demo_scores
from mempa_gym.engine import EndReason, EngineConfig
from mempa_gym.envs import observations, timeline_v0
from mempa_gym.envs.actions import tool_names
from mempa_gym.envs.rewards import RewardSpec
from mempa_gym.factories.names import MATRICES, PERSONA_SETS, agent_names, judge_names
from mempa_gym.factories.timeline import TimelineArguments
from mempa_gym.interaction.floors import FloorCause
from mempa_gym.interaction.policies import PAPolicy
from mempa_gym.interaction.views import TurnRecord
from mempa_gym.memory import MemorySystem, build, memory_names
from mempa_gym.personas import persona_ids
from mempa_gym.reading import reader_hash
from mempa_gym.runs import RunConfig, data_hash, play_run
from mempa_gym.scoring.figures import Figure
from mempa_gym.scoring.metrics import Outcome
from mempa_gym.scoring.scores import Scores, score_outcomes
from mempa_gym.taxonomy import Cell, attribute_ids
from mempa_gym.timeline import load_library

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
REFERENCE = (DOCS / "reference.md").read_text(encoding="utf-8")
SCORES = (DOCS / "scores.md").read_text(encoding="utf-8")
RESULTS = (DOCS / "results.md").read_text(encoding="utf-8")


def part(page: str, heading: str) -> str:
    """Returns what stands under a heading of the second level."""
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", page, re.DOTALL | re.MULTILINE)
    assert found is not None, heading
    return found.group(1)


def rows(text: str) -> list[list[str]]:
    """Returns the cells of all table rows, header and ruler lines included as they stand."""
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in text.splitlines() if line.startswith("|")]


def names(text: str, column: int = 0) -> list[str]:
    """Returns everything in code marks in a column of the tables, quotes aside."""
    return [name.strip('"') for row in rows(text) for name in re.findall(r"`([^`]+)`", row[column])]


def example(page: str, name: str) -> str:
    found = re.search(rf"<!-- example: {name} -->\n(.*?)(?=\n\n|\n```\n|\Z)", page, re.DOTALL)
    assert found is not None, name
    return found.group(1)


def code(name: str) -> dict[str, Any]:
    """Runs a marked code block of the reference and returns its names."""
    found = re.search(rf"<!-- example: {name} -->\n```python\n(.*?)```", REFERENCE, re.DOTALL)
    assert found is not None, name
    namespace: dict[str, Any] = {}
    exec(compile(found.group(1), "reference.md", "exec"), namespace)  # noqa: S102 - our own page
    return namespace


def played(**arguments: Any) -> dict[str, Any]:
    """Plays the first sessions of user_b with the user's seat outside and returns the last info."""
    env = timeline_v0.env(roles=("user",), repeats=1, **arguments)
    env.reset(seed=3, persona="user_b", end_session=4)
    info: dict[str, Any] = {}
    for agent in env.agent_iter():
        _, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            break
        env.step({"message": ""})
        assert agent == "user_0"
    return info


# -- reference.md ------------------------------------------------------------------------------------------------------


def test_every_argument_with_its_default() -> None:
    table = {row[0].strip("`"): row[1].strip("`") for row in rows(part(REFERENCE, "Constructor"))[2:]}
    assert list(table) == [field.name for field in fields(TimelineArguments)]
    shown = {name: repr(getattr(TimelineArguments(), name)).replace("'", '"') for name in table}
    assert table == shown


def test_every_reward_weight_with_its_default() -> None:
    table = {row[0]: row[1] for row in rows(part(REFERENCE, "Rewards"))}
    for name, value in RewardSpec().to_dict().items():
        assert table[f"`{name}`"] == str(value), name


def test_every_limit_with_its_default() -> None:
    table = {row[0].strip("`"): row[1].strip("`") for row in rows(part(REFERENCE, "Limits"))[2:]}
    assert table == {field.name: str(getattr(EngineConfig(), field.name)) for field in fields(EngineConfig)}


def test_every_info_key() -> None:
    env = gymnasium.make("mempa/Session-v0")
    _, info = env.reset(seed=0)
    _, _, _, _, later = env.step({"tool": 0, "arguments": "{}", "reply": ""})
    table = [row[0].strip("`") for row in rows(part(REFERENCE, "Info"))[2:]]
    assert sorted(table) == sorted(info)
    assert sorted(later) == sorted(info)
    seats = timeline_v0.env(roles=("user", "memory", "pa"))
    seats.reset(seed=0)
    assert all(sorted(each) == sorted(table) for each in seats.infos.values())


def test_every_end_reason() -> None:
    table = rows(part(REFERENCE, "Ends and restarts"))[2:]
    assert [row[0].strip("`") for row in table] == [reason.value for reason in EndReason]


def test_every_observation_key() -> None:
    table = [(row[0].strip("`"), row[1].strip("`")) for row in rows(part(REFERENCE, "Spaces"))[2:]]
    spaces = {
        "pa_0": observations.pa_space(),
        "memory_0": observations.memory_space(),
        "user_0": observations.user_space(),
    }
    assert sorted(table) == sorted((agent, key) for agent, space in spaces.items() for key in space)
    for agent, space in spaces.items():
        assert f"| `{agent}` | `observation` | float32, {space['observation'].shape} |" in REFERENCE


def test_every_name() -> None:
    section = part(REFERENCE, "Memories")
    (options,) = re.findall(r"^\| option of `file`.*?(?=\n\n)", section, re.DOTALL | re.MULTILINE)
    assert names(section.replace(options, "")) == list(memory_names())
    listed = {row[0].strip("`"): row[1].strip("`") for row in rows(options)[2:]}
    made = build("file").options
    assert sorted(listed) == sorted([*made, "keep"])
    assert {name: str(made[name]) for name in made if name != "consolidator"}.items() <= listed.items()
    assert f"keep={listed['keep']}," in made["consolidator"]
    assert names(part(REFERENCE, "Agents")) == list(agent_names())
    assert set(backbones()) < set(agent_names())
    assert names(part(REFERENCE, "Judges")) == list(judge_names())
    people = names(part(REFERENCE, "Personas and matrices"))
    assert sorted(people) == sorted([*persona_ids(), *PERSONA_SETS, *MATRICES])


def test_counts() -> None:
    library = load_library("user_b")
    sizes = len(library.sessions), len(library.events), len(library.probes)
    assert "{} sessions, {} change events, {} probes".format(*sizes) in REFERENCE
    tools = tool_names()
    first = tools.index(f"IX_{attribute_ids()[0]}")
    places = [row[0] for row in rows(part(REFERENCE, "Tools"))[2:]]
    assert places == ["0", f"1 to {first - 1}", f"{first} to {len(tools) - 2}", str(len(tools) - 1)]
    assert f"Discrete({len(tools)})" in REFERENCE


def test_the_pa_of_the_page_plays() -> None:
    agent = code("pa")["MyPA"]()
    assert isinstance(agent, PAPolicy)
    info = played(agent=agent)
    assert info["end_reason"] == "timeline_ended"
    assert info["played_by"] == {"user": "agent", "memory": "file", "pa": "my_pa"}
    assert info["scores"]["psa"]["mean"] is not None


def test_the_pa_of_the_page_is_scored(tmp_path: Path) -> None:
    config = RunConfig(persona="user_b", memory="none", repeats=1)
    records = play_run(config, tmp_path / "run", policy=code("pa")["MyPA"]())
    assert sum(record["kind"] == "probe" for record in records) == len(load_library("user_b").probes)
    assert isinstance(mempa_gym.score_run(tmp_path / "run"), Scores)


def test_the_memory_of_the_page_plays_and_is_saved() -> None:
    made = code("memory")["RecentSessions"]
    memory = made()
    assert isinstance(memory, MemorySystem)
    info = played(memory=made)
    assert info["end_reason"] == "timeline_ended"
    assert info["scores"]["psa"]["mean"] is not None
    record = TurnRecord("t1", "2026-02-02T10:00", "When is the class?", None, (), "At three.")
    before = memory.get_state()
    memory.write(record)
    memory.write(record)
    assert memory.recall(None) == ""
    memory.end_session("2026-02-02T10:00")
    assert memory.recall(None).count("When is the class?") == 1
    saved = memory.get_state()
    memory.set_state(before)
    assert memory.stats() == {"sessions": 0}
    assert memory.load(memory.dump(saved)) == saved


def test_what_the_page_says_of_wrappers() -> None:
    env = RecordEpisodeStatistics(TimeLimit(gymnasium.make("mempa/Session-v0"), 2))
    _, info = env.reset(seed=0, options={"persona": "train"})
    assert info["persona_variant"] != "written"
    flat = FlattenObservation(FilterObservation(gymnasium.make("mempa/Session-v0"), ["observation", "tool_mask"]))
    assert flat.observation_space.shape == (152,)
    assert "one vector of 152" in REFERENCE
    vector = gymnasium.make_vec("mempa/Session-v0", num_envs=2)
    vector.reset(seed=0, options={"persona": "user_b"})
    vector.step(vector.action_space.sample())
    vector.close()


# -- scores.md ---------------------------------------------------------------------------------------------------------


def _example_outcomes() -> list[Outcome]:
    found = []
    for name, target, *picked in rows(example(SCORES, "probes"))[2:]:
        kind, place = name.split(", ")
        cell = Cell(*place.split("/"))
        for repeat, selection in enumerate(picked):
            right = selection == target
            found.append(Outcome("user", cell, kind == "final", repeat, target, selection, right))
    return found


def _alike(outcomes: list[Outcome], pick: dict[str, str] | None) -> list[Outcome]:
    """Returns the same probes as a reference plays them: with fixed picks, or all right."""
    found = []
    for o in outcomes:
        selection = o.target if pick is None else pick[o.cell.attribute]
        found.append(Outcome(o.user, o.cell, o.final, o.repeat, o.target, selection, selection == o.target))
    return found


def test_the_worked_example_agrees_with_the_code() -> None:
    outcomes = _example_outcomes()
    none = _alike(outcomes, {"verbosity": "Detailed", "tone_formality": "Consultative"})
    oracle = _alike(outcomes, None)
    found = score_outcomes(outcomes, none=none, oracle=oracle)
    table = rows(example(SCORES, "scores"))[2:]
    assert [row[0] for row in table] == ["psa", "cs", "pet", "carry_over", "normalised"]
    for name, *cells in table:
        figure: Figure = getattr(found, name)
        values = [*figure.per_repeat, figure.mean, figure.sd, figure.n]
        assert [float(cell) for cell in cells] == pytest.approx(values, abs=0.0005), name
    assert score_outcomes(none).psa.mean == 25.0
    assert score_outcomes(oracle).psa.mean == 100.0


def test_every_floor_is_explained() -> None:
    table = {row[0].strip("`"): row[2] for row in rows(part(SCORES, "Floors and incomplete probes"))}
    for cause in FloorCause:
        assert table[cause.value] == ("yes" if cause.rerun else "no")


# -- all pages ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        linked = (page.parent / file) if file else page
        assert linked.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", linked.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in [re.sub(r"[^\w -]", "", h).lower().replace(" ", "-") for h in headings], target


@pytest.mark.parametrize("name", ["reference.md", "scores.md", "scripts.md", "user_b.md"])
def test_lines_are_short(name: str) -> None:
    for number, line in enumerate((DOCS / name).read_text(encoding="utf-8").splitlines(), 1):
        assert len(line) < 110, f"{name}:{number}"


# -- results.md --------------------------------------------------------------------------------------------------------


@cache
def _played(matrix: str, seed: int) -> dict[str, Scores]:
    return demo_scores("user_b", agent="reader", repeats=3, seed=seed, matrix=matrix)


def _shown(figure: Figure, places: int) -> str:
    if figure.mean is None:
        return "N/A"
    return f"{figure.mean:.{places}f} ± {figure.sd:.{places}f}"


@pytest.mark.parametrize(
    ("heading", "matrix", "seed"),
    [("user_b, written matrix", "written", 0), ("user_b, a counterfactual", "permuted", 1)],
)
def test_the_results_are_not_stale(heading: str, matrix: str, seed: int) -> None:
    """Fails when code or data change a score: play the section's command and put its table into docs/results.md."""
    header, _, *table = rows(part(RESULTS, heading))
    found = _played(matrix, seed)
    assert header == ["memory", "PSA", "CS", "PET", "BRS", "floors", "incomplete"]
    assert table == [
        [
            memory,
            *(_shown(figure, 1) for figure in (scores.psa, scores.cs, scores.pet)),
            _shown(scores.brs, 2),
            str(sum(scores.floors.values())),
            str(len(scores.incomplete)),
        ]
        for memory, scores in found.items()
    ]


def test_the_results_page_is_of_this_data_and_this_reader() -> None:
    assert data_hash() in RESULTS
    assert reader_hash()[:16] in RESULTS


def test_the_recording_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = re.search(r"```python\n(.*?)```", part(REFERENCE, "Recordings"), re.DOTALL)
    assert found is not None
    exec(compile(found.group(1), "reference.md", "exec"), {})  # noqa: S102 - our own page
    assert [entry.name for entry in tmp_path.iterdir()] == ["session.jsonl"]


def test_the_run_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from typer.testing import CliRunner

    from mempa_gym.cli.app import app

    monkeypatch.chdir(tmp_path)
    found = re.search(r"```sh\n(.*?)```", part(REFERENCE, "Runs"), re.DOTALL)
    assert found is not None
    for line in found.group(1).splitlines():
        done = CliRunner().invoke(app, line.split()[1:], catch_exceptions=False)
        assert done.exit_code == 0, line
    assert {"b_file.jsonl", "sft.jsonl"} <= {entry.name for entry in tmp_path.iterdir()}
