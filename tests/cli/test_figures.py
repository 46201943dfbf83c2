"""``score``, ``demo`` and ``run``: which runs a row stands for, how figures are printed, what a reader is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mempa_gym.cli.app import app
from mempa_gym.cli.console import print_json

RUN = CliRunner()


def _invoke(*arguments: str | Path) -> str:
    done = RUN.invoke(app, list(map(str, arguments)))
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("runs")
    found = {memory: root / f"b_{memory}" for memory in ("none", "oracle", "file")}
    for memory, path in found.items():
        _invoke("run", "--memory", memory, "--repeats", "1", "--out", path)
    return found


def _line(output: str, start: str) -> str:
    (found,) = (line for line in output.splitlines() if line.startswith(start))
    return found


def _sorted(body: object) -> bool:
    if isinstance(body, dict):
        return list(body) == sorted(body) and all(map(_sorted, body.values()))
    return all(map(_sorted, body)) if isinstance(body, list) else True


def test_references_are_no_part_of_the_row(runs: dict[str, Path]) -> None:
    among = _invoke("score", runs["none"], runs["file"], runs["oracle"])
    assert "b_none +" not in among
    assert "+ b_" not in among
    assert _line(among, "references:") == "references: b_none, b_oracle"
    beside = _invoke("score", runs["file"], "--reference", runs["none"], "--reference", runs["oracle"])
    assert beside == among
    assert _line(among, "carry-over:").endswith("%")
    assert len(_line(among, "normalised:").rpartition(".")[2]) == 2
    assert "references:" not in _invoke("score", runs["file"])


def test_a_reference_run_does_not_lack_itself(runs: dict[str, Path]) -> None:
    none = _invoke("score", runs["none"])
    assert _line(none, "carry-over:") == "carry-over: 0.0%"
    assert "needs the oracle run" in _line(none, "normalised:")
    oracle = _invoke("score", runs["oracle"])
    assert "needs the none run" in _line(oracle, "normalised:")
    for name, value, other in (("none", "0.00", "oracle"), ("oracle", "1.00", "none")):
        both = _invoke("score", runs[name], "--reference", runs[other])
        assert _line(both, "normalised:") == f"normalised: {value}"
        assert _line(both, "references:") == f"references: b_{other}"
    body = json.loads(_invoke("score", runs["none"], "--json"))
    assert "needs the oracle run" in body["normalised"]["reason"]


def test_json_is_sorted_and_holds_no_dust(runs: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert _sorted(json.loads(_invoke("score", runs["file"], "--json")))
    assert _sorted(json.loads(_invoke("demo", "--repeats", "1", "--json")))
    print_json({"b": [5.4e-16, -1e-17, 100 / 3, None, 3], "a": {"c": True}})
    printed = capsys.readouterr().out
    assert "-0.0" not in printed
    assert json.loads(printed) == {"a": {"c": True}, "b": [0.0, 0.0, 33.3333333333, None, 3]}


@pytest.mark.parametrize("agent", ["random", "qwen3.8-27b", "reader"])
def test_an_agent_without_memory_is_named(agent: str, tmp_path: Path) -> None:
    line = f"PA {agent} does not read memory"
    ran = _invoke("run", "--agent", agent, "--memory", "full", "--repeats", "1", "--out", tmp_path / "run")
    assert ran.count(line) == (agent != "reader")
    assert _invoke("demo", "--agent", agent, "--repeats", "1").count(line) == (agent != "reader")


@pytest.mark.parametrize(("persona", "matrix"), [("random", "permuted"), ("train", "permuted"), ("eval", "written")])
def test_the_title_names_the_matrix_that_is_played(persona: str, matrix: str, tmp_path: Path) -> None:
    done = _invoke("run", "--persona", persona, "--memory", "full", "--repeats", "1", "--out", tmp_path / "run")
    assert f"{persona}, {matrix} matrix, PA reader, seed 0" in done
