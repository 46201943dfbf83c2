"""Every command and example of the README is tried."""

from __future__ import annotations

import re
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from mempa_gym.cli.app import app

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def example(name: str) -> str:
    found = re.search(rf"<!-- example: {name} -->\n```python\n(.*?)```", README, re.DOTALL)
    assert found is not None
    return found.group(1)


def test_the_training_example_learns_something(capsys: pytest.CaptureFixture[str]) -> None:
    namespace: dict[str, Any] = {}
    exec(compile(example("training"), "README.md", "exec"), namespace)  # noqa: S102 - our own README
    assert "{" in capsys.readouterr().out
    best = namespace["selector"].best()
    # Attributes on which the user wants the same at work and in private, throughout: a bandit must find these.
    assert best["uncertainty_expression"] == "Express"
    assert best["task_expansion"] == "Low"


class _Message(types.SimpleNamespace):
    def model_dump(self) -> dict[str, Any]:
        return {"content": self.content, "tool_calls": self.tool_calls}


class _Client:
    """Answers as a model would that makes up a tool, chooses the first setting it is offered and says little."""

    def __init__(self, base_url: str, api_key: str) -> None:
        self.chat = types.SimpleNamespace(completions=self)
        self.requests: list[dict[str, Any]] = []

    def create(self, **request: Any) -> Any:
        self.requests.append(request)
        offered = [t["function"] for t in request["tools"] if t["function"]["name"].startswith("IX_")]
        asked = [f for f in offered if "setting" in f["parameters"]["properties"]]
        calls = None
        if len(self.requests) == 1:
            calls = [{"id": "1", "type": "function", "function": {"name": "send_text", "arguments": "{}"}}]
        elif asked:
            label = asked[0]["parameters"]["properties"]["setting"]["enum"][0]
            function = {"name": asked[0]["name"], "arguments": f'{{"setting": "{label}"}}'}
            calls = [{"id": "1", "type": "function", "function": function}]
        message = _Message(content=None if calls else "Noted, I have looked into it.", tool_calls=calls)
        return types.SimpleNamespace(choices=[types.SimpleNamespace(message=message)])


def test_the_model_example_plays_a_session(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = types.ModuleType("openai")
    fake.OpenAI = _Client  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "openai", fake)
    namespace: dict[str, Any] = {"BASE_URL": "http://localhost", "API_KEY": "x", "MODEL": "stub"}
    exec(compile(example("llm"), "README.md", "exec"), namespace)  # noqa: S102 - our own README
    requests = namespace["client"].requests
    assert namespace["terminated"]
    assert requests[0]["messages"][0]["role"] == "system"
    assert requests[0]["messages"][-1]["role"] == "user"
    roles = [message["role"] for message in requests[-1]["messages"]]
    assert "tool" in roles
    assert len(requests[0]["tools"]) == 83


def test_the_commands_exist() -> None:
    named = set(re.findall(r"^mempa-gym (\w+)", README, re.MULTILINE))
    assert named
    for name in named:
        assert CliRunner().invoke(app, [name, "--help"]).exit_code == 0


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (Path(__file__).parent.parent / target).exists(), target
