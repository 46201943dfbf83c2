"""``replay`` and ``export`` as commands: exit codes, what is printed, and files that are whole or not there."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mempa_gym.cli.app import app
from mempa_gym.errors import InvalidOptionError, RunError
from mempa_gym.runs import RunConfig, play_run
from mempa_gym.runs.store import FILE

RUNNER = CliRunner()


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("runs") / "none"
    play_run(RunConfig(persona="user_b", memory="none", repeats=1), directory)
    return directory


def test_a_sound_run_replays(run: Path) -> None:
    found = RUNNER.invoke(app, ["replay", str(run), "--check"])
    assert found.exit_code == 0
    assert "slots replay as recorded" in found.stdout
    body = json.loads(RUNNER.invoke(app, ["replay", str(run), "--check", "--json"]).stdout)
    assert body["schema"] == "mempa_gym/replay/1"
    assert body["slots"] == body["places"]
    assert body["difference"] is None


def test_a_changed_run_does_not_and_the_place_is_said(run: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(run, tmp_path / "copy"))
    with closing(sqlite3.connect(copy / FILE)) as db, db:
        db.execute("""UPDATE slots SET record = replace(record, '"repeat":0', '"repeat":7') WHERE position = 2""")
    found = RUNNER.invoke(app, ["replay", str(copy), "--check"])
    assert found.exit_code == 1
    assert "slot 2 (" in found.stdout
    assert "record at repeat: recorded 7, replayed 0" in found.stdout


def test_conversations_are_printed(run: Path) -> None:
    everything = RUNNER.invoke(app, ["replay", str(run)]).stdout
    one = RUNNER.invoke(app, ["replay", str(run), "--slot", "probe_002"]).stdout
    assert "USER:" in one
    assert one in everything
    with pytest.raises(RunError, match="no slot 'probe_2'.*probe_002"):
        RUNNER.invoke(app, ["replay", str(run), "--slot", "probe_2"], catch_exceptions=False)
    with pytest.raises(InvalidOptionError, match="--slot is for printing"):
        RUNNER.invoke(app, ["replay", str(run), "--slot", "probe_002", "--check"], catch_exceptions=False)


def test_exports_go_to_a_file_or_to_the_screen(run: Path, tmp_path: Path) -> None:
    printed = RUNNER.invoke(app, ["export", str(run), "--canonical"]).stdout
    out = tmp_path / "run.jsonl"
    found = RUNNER.invoke(app, ["export", str(run), "--canonical", "--out", str(out)])
    assert found.exit_code == 0
    assert out.read_text(encoding="utf-8") == printed
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.jsonl"]
    chat = tmp_path / "chat.jsonl"
    RUNNER.invoke(app, ["export", str(run), "--chat", "--only-right", "--out", str(chat)], catch_exceptions=False)
    assert all(json.loads(line)["messages"] for line in chat.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "one of --canonical and --chat"),
        (["--canonical", "--chat"], "one of --canonical and --chat"),
        (["--canonical", "--only-right"], "goes with --chat"),
    ],
)
def test_what_to_export_must_be_clear(run: Path, words: list[str], message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        RUNNER.invoke(app, ["export", str(run), *words], catch_exceptions=False)


def test_a_place_that_cannot_be_written_is_named(run: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidOptionError, match="cannot be written"):
        RUNNER.invoke(
            app, ["export", str(run), "--canonical", "--out", str(tmp_path / "no" / "x")], catch_exceptions=False
        )
