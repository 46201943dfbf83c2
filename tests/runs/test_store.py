"""Runs on disk: continued, refused when they differ, refused when they are damaged, and left as they are."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest

from mempa_gym.errors import MempaGymError, RunError, UnknownNameError
from mempa_gym.runs import RunConfig, RunStore, play_run, score_run
from mempa_gym.runs.codec import canonical
from mempa_gym.runs.store import FILE

CONFIG = RunConfig(persona="user_b", memory="file", agent="hy4-preview", seed=5, repeats=1)


def contents(directory: Path) -> list[str]:
    with RunStore.open(directory) as store:
        return [canonical(record) for record in store.records()]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("runs") / "b_file"
    play_run(CONFIG, directory)
    return directory


def test_a_run_describes_itself(finished: Path) -> None:
    with RunStore.open(finished) as store:
        assert store.complete
        identity = store.identity
    assert identity["config"]["memory"] == "file"
    assert set(identity) == {"config", "version", "data", "code", "pa", "part"}


def test_a_finished_run_is_not_played_again(finished: Path) -> None:
    before = contents(finished)
    calls: list[tuple[int, int]] = []
    records = play_run(CONFIG, finished, progress=lambda done, total: calls.append((done, total)))
    assert [canonical(record) for record in records] == before
    assert calls == []


def test_a_stopped_run_goes_on_and_equals_one_that_was_never_stopped(finished: Path, tmp_path: Path) -> None:
    class Stop(Exception):
        pass

    def stop(done: int, total: int) -> None:
        if done in (7, 23, 40):
            raise Stop

    directory = tmp_path / "stopped"
    for _ in range(3):
        with pytest.raises(Stop):
            play_run(CONFIG, directory, progress=stop if not directory.exists() else after(directory, stop))
    play_run(CONFIG, directory)
    assert contents(directory) == contents(finished)


def after(directory: Path, stop):  # type: ignore[no-untyped-def]
    with RunStore.open(directory) as store:
        done_before = len(store)

    def check(done: int, total: int) -> None:
        if done > done_before:
            stop(done, total)

    return check


def test_a_killed_process_loses_no_finished_slot(finished: Path, tmp_path: Path) -> None:
    directory = tmp_path / "killed"
    program = f"""
import os, signal
from pathlib import Path
from mempa_gym.runs import RunConfig, play_run
def report(done, total):
    if done == 30:
        os.kill(os.getpid(), signal.SIGKILL)
play_run(RunConfig(**{CONFIG.to_json()!r}), Path({str(directory)!r}), progress=report)
"""
    died = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False, timeout=120)
    assert died.returncode == -signal.SIGKILL
    with RunStore.open(directory) as store:
        assert len(store) == 30
    play_run(CONFIG, directory)
    assert contents(directory) == contents(finished)


def test_another_configuration_is_refused_field_by_field(finished: Path) -> None:
    before = digest(finished / FILE)
    other = RunConfig(**{**CONFIG.to_json(), "seed": 6, "memory": "full"})
    with pytest.raises(RunError) as caught:
        play_run(other, finished)
    assert "config.seed: recorded 5, now 6" in str(caught.value)
    assert "config.memory: recorded file, now full" in str(caught.value)
    assert digest(finished / FILE) == before


def test_a_directory_that_is_no_run_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(RunError, match="no run"):
        play_run(CONFIG, tmp_path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_changed_record_is_found(finished: Path, tmp_path: Path) -> None:
    directory = copy_of(finished, tmp_path / "changed")
    with sqlite3.connect(directory / FILE) as db:
        (record,) = db.execute("SELECT record FROM slots WHERE position = 12").fetchone()
        db.execute("UPDATE slots SET record = ? WHERE position = 12", (record.replace("true", "null", 1),))
    db.close()
    with pytest.raises(RunError, match="slot 12 was changed"):
        score_run(directory)


@pytest.mark.parametrize("damage", ["header", "cut", "garbage", "empty", "gap", "format"])
def test_a_damaged_run_is_refused_and_left_as_it_is(finished: Path, tmp_path: Path, damage: str) -> None:
    directory = copy_of(finished, tmp_path / "damaged")
    path = directory / FILE
    raw = path.read_bytes()
    if damage == "header":
        path.write_bytes(b"not a database\0\0" + raw[16:])
    elif damage == "cut":
        path.write_bytes(raw[: len(raw) // 2])
    elif damage == "garbage":
        path.write_bytes(raw[:4096] + os.urandom(4096) + raw[8192:])
    elif damage == "empty":
        path.write_bytes(b"")
    else:
        with sqlite3.connect(path) as db:
            if damage == "gap":
                db.execute("DELETE FROM slots WHERE position = 3")
            else:
                db.execute("UPDATE meta SET value = '99' WHERE key = 'format'")
        db.close()
    before = digest(path)
    for use in (lambda: score_run(directory), lambda: play_run(CONFIG, directory)):
        with pytest.raises(RunError) as caught:
            use()
        assert str(directory) in str(caught.value)
        assert digest(path) == before


def copy_of(source: Path, target: Path) -> Path:
    target.mkdir()
    with sqlite3.connect(source / FILE) as db, sqlite3.connect(target / FILE) as other:
        db.backup(other)
    db.close()
    other.close()
    return target


def test_an_incomplete_run_is_not_scored(tmp_path: Path) -> None:
    class Stop(Exception):
        pass

    def stop(done: int, total: int) -> None:
        raise Stop

    with pytest.raises(Stop):
        play_run(CONFIG, tmp_path / "part", progress=stop)
    with pytest.raises(RunError, match="not complete: 1 of"):
        score_run(tmp_path / "part")


def test_scores_come_back_from_disk(finished: Path) -> None:
    scores = score_run(finished)
    assert scores.psa.n == 28
    body = json.loads(json.dumps(scores.to_json()))
    assert body["schema"].startswith("mempa_gym.scores/")
    assert body["carry_over"]["mean"] is None
    assert "reference" in body["carry_over"]["reason"]
    with pytest.raises(RunError, match="none or oracle"):
        score_run(finished, reference=[finished])


@pytest.mark.parametrize(
    ("field", "value", "names"),
    [
        ("persona", "user_bb", "user_b"),
        ("memory", "flie", "file"),
        ("agent", "redaer", "reader"),
        ("matrix", "x", "final"),
    ],
)
def test_unknown_names_are_refused_before_anything_is_written(
    field: str, value: str, names: str, tmp_path: Path
) -> None:
    config = RunConfig(**{**CONFIG.to_json(), field: value})
    with pytest.raises(UnknownNameError, match=names):
        play_run(config, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_kill_while_a_run_is_made_leaves_nothing_in_the_way(finished: Path, tmp_path: Path) -> None:
    directory = tmp_path / "killed"
    program = f"""
import os, sqlite3
from pathlib import Path
from mempa_gym.runs import store
connect = sqlite3.connect
class Dying(sqlite3.Connection):
    def executemany(self, *args):
        os._exit(9)
store.sqlite3.connect = lambda *args, **more: connect(*args, factory=Dying, **more)
store.RunStore.create(Path({str(directory)!r}), {{"config": {{"persona": "user_b"}}}}, 3)
"""
    died = subprocess.run([sys.executable, "-c", program], check=False, timeout=60)
    assert died.returncode == 9
    assert any(directory.iterdir())
    play_run(CONFIG, directory)
    assert contents(directory) == contents(finished)
    assert sorted(entry.name for entry in directory.iterdir()) == ["run.lock", FILE]


def test_two_writers_of_one_run_are_told_apart(finished: Path, tmp_path: Path) -> None:
    directory = copy_of(finished, tmp_path / "shared")
    with RunStore.open(directory) as store, pytest.raises(RunError, match="other process"):
        store.append(0, {}, [])
    assert contents(directory) == contents(finished)


def test_a_file_is_no_place_for_a_run(tmp_path: Path) -> None:
    path = tmp_path / "thesis.txt"
    path.write_text("years of work")
    with pytest.raises(RunError, match=r"thesis\.txt"):
        play_run(CONFIG, path)
    assert path.read_text() == "years of work"


def test_a_flipped_byte_is_found_wherever_it_is(finished: Path, tmp_path: Path) -> None:
    directory = copy_of(finished, tmp_path / "flipped")
    path = directory / FILE
    raw = path.read_bytes()
    for place in range(len(raw) // 40, len(raw), len(raw) // 40):
        path.write_bytes(raw[:place] + bytes([raw[place] ^ 0x80]) + raw[place + 1 :])
        for left_over in directory.glob(f"{FILE}-*"):
            left_over.unlink()
        with suppress(RunError):
            assert contents(directory) == contents(finished)


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE slots DROP COLUMN digest",
        "UPDATE slots SET record = CAST(x'ff' AS TEXT) WHERE position = 2",
        "UPDATE meta SET value = CAST(x'ff' AS TEXT) WHERE key = 'identity'",
        "UPDATE meta SET value = replace(value, 'memory', 'mEmory') WHERE key = 'identity'",
    ],
)
def test_a_run_with_a_changed_table_is_refused(finished: Path, tmp_path: Path, change: str) -> None:
    directory = copy_of(finished, tmp_path / "changed")
    with closing(sqlite3.connect(directory / FILE)) as db, db:
        db.execute(change)
    with pytest.raises(MempaGymError):
        score_run(directory)


def test_a_place_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(RunError, match=r"thesis\.txt"):
        play_run(CONFIG, tmp_path / "thesis.txt" / "run")


def test_a_place_that_may_not_be_looked_into_is_no_damaged_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, **_: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self))

    monkeypatch.setattr(Path, "stat", refuse)
    for use in (lambda: score_run(tmp_path / "run"), lambda: play_run(CONFIG, tmp_path / "run")):
        with pytest.raises(RunError, match="cannot be read: Permission denied"):
            use()


def test_a_run_on_a_read_only_disk_is_scored_and_nothing_is_put_beside_it(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = copy_of(finished, tmp_path / "archived")
    with closing(sqlite3.connect(directory / FILE)) as db:
        assert db.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with RunStore.open(directory) as store:
        assert [canonical(record) for record in store.records()] == contents(finished)
        assert [entry.name for entry in directory.iterdir()] == [FILE]
        with pytest.raises(RunError, match="cannot be written"):
            store.append(len(store), {}, [])
    assert score_run(directory) == score_run(finished)


def test_whatever_a_model_writes_can_be_stored(tmp_path: Path) -> None:
    record = {"reply": "half a character: \ud800, and a whole one: \u00e9"}
    with RunStore.create(tmp_path / "run", {"config": {"persona": "user_b"}}, 1) as store:
        store.append(0, record, [record])
    with RunStore.open(tmp_path / "run") as store:
        assert list(store.records()) == [record]
        assert list(store.actions()) == [[record]]
