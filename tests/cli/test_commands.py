"""The command line: what it prints, and how it says no."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console
from typer.testing import CliRunner

from mempa_gym import cli
from mempa_gym.cli.app import app, error_line
from mempa_gym.cli.names import listed
from mempa_gym.cli.play import HumanPA
from mempa_gym.engine import EngineConfig
from mempa_gym.errors import InvalidOptionError, MempaGymError
from mempa_gym.factories.names import agent_names
from mempa_gym.memory import memory_names

RUN = CliRunner()


def test_run_score_and_json(tmp_path: Path) -> None:
    out = str(tmp_path / "b_none")
    done = RUN.invoke(app, ["run", "--persona", "user_b", "--memory", "none", "--repeats", "2", "--out", out])
    assert done.exit_code == 0, done.output
    assert "PSA" in done.output
    scored = RUN.invoke(app, ["score", out, "--json"])
    body = json.loads(scored.output)
    assert body["schema"] == "mempa_gym.scores/1"
    assert len(body["psa"]["per_repeat"]) == 2
    assert RUN.invoke(app, ["score", out]).exit_code == 0


def test_demo_prints_four_conditions() -> None:
    done = RUN.invoke(app, ["demo", "--repeats", "1"])
    assert done.exit_code == 0, done.output
    for word in ("none", "oracle", "full", "file", "PSA", "CS", "PET", "BRS"):
        assert word in done.output
    body = json.loads(RUN.invoke(app, ["demo", "--repeats", "1", "--json"]).output)
    assert set(body["scores"]) == {"none", "oracle", "full", "file"}


def test_validate_finds_nothing_in_a_sound_script() -> None:
    done = RUN.invoke(app, ["validate", "--script", "acc_026", "--script", "probe_001"])
    assert done.exit_code == 0, done.output
    assert "2 scripts checked, 0 problems" in done.output


def test_play_lets_a_person_be_the_agent() -> None:
    moves = "/tools message\n/call calendar_event_search {}\nnonsense is a reply\n/pick 1\n/help\n/payload x {\n/quit\n"
    done = RUN.invoke(app, ["play", "--session", "0"], input=moves)
    assert done.exit_code == 0, done.output
    assert "message_send" in done.output
    assert "user:" in done.output


def test_play_answers_a_number_that_is_none_with_the_commands() -> None:
    found = HumanPA(Console(file=io.StringIO()))._read("/pick ²", SimpleNamespace(offered=("verbosity",)))  # type: ignore[arg-type]
    assert found is None


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["run", "--persona", "user_bb", "--out", "x"], "user_b"),
        (["run", "--memory", "fiel", "--out", "x"], "file"),
        (["run", "--agent", "redaer", "--out", "x"], "reader"),
        (["run", "--slip", "verbosity/Terse", "--out", "x"], "rate"),
        (["run", "--slip", "verbosity/Ters=0.1", "--out", "x"], "Terse"),
        (["score", "nowhere"], "no run"),
        (["validate", "--script", "acc_999"], "script"),
        (["validate", "--persona", "user_q"], "user_b"),
        (["validate", "--persona", ""], "unknown persona ''. Valid names: 'user_b'"),
        (["validate", "--persona", "eval"], "unknown persona 'eval'"),
        (["validate", "--persona", "user_a"], "mempa-gym: user_a has no scripts yet; scripts exist for: user_b."),
        (["run", "--persona", "user_a", "--out", "x"], "user_a has no scripts yet; scripts exist for: user_b."),
        (["demo", "--persona", "user_a"], "user_a has no scripts yet"),
        (["play", "--persona", "user_a"], "user_a has no scripts yet"),
    ],
)
def test_a_bad_call_says_what_is_valid_and_leaves_nothing(
    arguments: list[str],
    named: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["mempa-gym", *arguments])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    assert caught.value.code == 2
    assert named in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_errors_are_one_family() -> None:
    from mempa_gym import errors

    for name in errors.__all__:
        item = getattr(errors, name)
        if isinstance(item, type):
            assert issubclass(item, MempaGymError)


def test_an_unknown_script_names_a_few_near_ones() -> None:
    error = RUN.invoke(app, ["validate", "--script", "acc_01"]).exception
    assert isinstance(error, MempaGymError)
    near = re.findall(r"[a-z]+_\d+", error.remedy)
    assert len(near) == 8
    assert near == sorted(near)
    assert re.search(r"\(\d+ scripts in all\)", error.remedy)
    far = RUN.invoke(app, ["validate", "--script", "zzz"]).exception
    assert "The first are: acc_001, acc_002" in str(far)


def test_help_lists_the_names_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    for command in ("run", "demo", "play"):
        text = " ".join(RUN.invoke(app, [command, "--help"], terminal_width=400).output.split())
        for name in ("user_b", "random", "train", "eval"):
            assert name in text
        if command != "play":
            assert listed(agent_names()) in text
        if command == "run":
            assert listed(memory_names()) in text


def test_an_error_names_its_option_once() -> None:
    with pytest.raises(InvalidOptionError) as caught:
        EngineConfig(repeats=0)
    assert error_line(caught.value) == "repeats must be a whole number of at least 1, got 0."
    other = InvalidOptionError("repeats is too high", where="run")
    assert error_line(other) == str(other) == "run: repeats is too high."
    assert error_line(MempaGymError("nothing")) == "nothing."
