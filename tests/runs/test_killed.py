"""Runs that are killed, stopped and started twice: nothing is lost, nothing is played twice, nothing differs."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mempa_gym.errors import RunError
from mempa_gym.factories.names import make_agent
from mempa_gym.interaction.policies import PAAction
from mempa_gym.interaction.views import PAView
from mempa_gym.runs import RunConfig, RunStore, canonical_lines, check_replay, play_run

KILLS = 20


def command(memory: str, out: Path, repeats: int = 2) -> list[str]:
    words = f"run --persona user_b --memory {memory} --agent random --seed 11 --repeats {repeats} --out".split()
    return [sys.executable, "-m", "mempa_gym", *words, str(out)]


@pytest.mark.parametrize("memory", ["file", "none"])
def test_a_run_killed_again_and_again_equals_one_that_never_was(memory: str, tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    subprocess.run(command(memory, whole), check=True, capture_output=True, timeout=300)
    rng = random.Random(memory)
    deaths, recorded = 0, [0]
    while deaths < KILLS // 2:
        process = subprocess.Popen(command(memory, killed), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            # Whenever the process is: importing, making the run, in the middle of a slot or of a write.
            process.wait(timeout=rng.uniform(0.3, 1.6))
            break
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        deaths += 1
        if (killed / "run.sqlite").exists():
            with RunStore.open(killed) as store:
                recorded.append(len(store))
    assert deaths
    # What was stored stays stored.
    assert recorded == sorted(recorded)
    last = subprocess.run(command(memory, killed), check=True, capture_output=True, text=True, timeout=300)
    assert "stored in" in last.stdout
    assert list(canonical_lines(killed)) == list(canonical_lines(whole))
    assert check_replay(killed).difference is None


class Counting:
    """A PA that counts its moves and stops the run at one of them."""

    uses_plan = True

    def __init__(self, stop_at: int | None = None) -> None:
        self.inner = make_agent("random")
        self.name = "counting"
        self.moves = 0
        self.stop_at = stop_at

    def begin_session(self, rng: np.random.Generator) -> None:
        self.inner.begin_session(rng)

    def act(self, view: PAView) -> PAAction:
        if self.moves == self.stop_at:
            raise KeyboardInterrupt
        self.moves += 1
        return self.inner.act(view)

    def get_state(self) -> Any:
        return self.inner.get_state()

    def set_state(self, state: Any) -> None:
        self.inner.set_state(state)


@pytest.mark.parametrize("memory", ["file", "none"])
def test_no_slot_is_played_twice(memory: str, tmp_path: Path) -> None:
    config = RunConfig(persona="user_b", memory=memory, repeats=1)
    whole = Counting()
    play_run(config, tmp_path / "whole", policy=whole)
    made, directory = 0, tmp_path / "stopped"
    for stop_at in (40, 333, 90):
        policy = Counting(stop_at)
        with pytest.raises(KeyboardInterrupt):
            play_run(config, directory, policy=policy)
        made += policy.moves
    last = Counting()
    play_run(config, directory, policy=last)
    made += last.moves
    # Only the slots that were stopped in the middle were begun anew: at most one session for each stop.
    assert whole.moves <= made < whole.moves + 3 * 40
    assert list(canonical_lines(directory)) == list(canonical_lines(tmp_path / "whole"))


def test_a_run_is_played_by_one_process_at_a_time(tmp_path: Path) -> None:
    config = RunConfig(persona="user_b", memory="file", agent="random", repeats=1)
    directory = tmp_path / "shared"

    def second(done: int, total: int) -> None:
        if done == 5:
            with pytest.raises(RunError, match="another process is playing this run"):
                play_run(config, directory)

    play_run(config, directory, progress=second)
    with RunStore.open(directory) as store:
        assert store.complete


def test_two_runs_at_once_in_two_places_do_not_meet(tmp_path: Path) -> None:
    processes = [
        subprocess.Popen(command("full", tmp_path / name, 1), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for name in ("one", "two")
    ]
    for process in processes:
        _, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors
    assert list(canonical_lines(tmp_path / "one")) == list(canonical_lines(tmp_path / "two"))


@pytest.mark.skipif(sys.platform == "win32", reason="signals are told apart on POSIX")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_stopped_command_says_what_to_do_and_goes_on(sent: signal.Signals, code: int, tmp_path: Path) -> None:
    out = tmp_path / "run"
    program = f"""
import os, sys
from mempa_gym.cli import main, run
from mempa_gym.runs import runner
keep = runner._Player._keep
def stopping(self, engine):
    keep(self, engine)
    if len(self.records) == 12 and len(self._stored) < 12:
        os.kill(os.getpid(), {int(sent)})
runner._Player._keep = stopping
sys.argv = ["mempa-gym", *{command("file", out, 1)[3:]!r}]
main()
"""
    stopped = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)
    assert stopped.returncode == code, stopped.stderr
    assert stopped.stderr.strip() == "mempa-gym: stopped. The same command goes on where it stopped."
    with RunStore.open(out) as store:
        assert 12 <= len(store) < store.places
    again = subprocess.run(command("file", out, 1), capture_output=True, text=True, check=False, timeout=120)
    assert again.returncode == 0, again.stderr


def test_another_prompt_or_model_is_refused(tmp_path: Path) -> None:
    class Prompted(Counting):
        def __init__(self, prompt: str) -> None:
            super().__init__()
            self.fingerprint = {"model": "m", "prompt": prompt}

    config = RunConfig(persona="user_b", memory="file", repeats=1)
    play_run(config, tmp_path / "run", policy=Prompted("aa"))
    with pytest.raises(RunError, match=r"pa\.prompt: recorded aa, now bb"):
        play_run(config, tmp_path / "run", policy=Prompted("bb"))
    assert play_run(config, tmp_path / "run", policy=Prompted("aa"))
