"""``play``: what a person at the keyboard reads and may type."""

from __future__ import annotations

import io
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from mempa_gym.cli.app import app
from mempa_gym.cli.play import HumanPA
from mempa_gym.interaction.policies import Reply, ToolUse

RUN = CliRunner()


def _typed(line: str, *offered: str) -> tuple[Any, str]:
    """Returns what a line comes to, and what the person is told."""
    out = io.StringIO()
    view = SimpleNamespace(offered=offered, held=(SimpleNamespace(item_id="held_1"),))
    return HumanPA(Console(file=out, width=200))._read(line, view), out.getvalue()  # type: ignore[arg-type]


def test_the_help_is_printed_as_it_stands() -> None:
    done = RUN.invoke(app, ["play", "--session", "0"], input="/quit\n")
    assert "/tools [word]" in done.output
    assert "/tools [word]" in _typed("/help")[1]


def test_silence_is_said_on_purpose() -> None:
    action, told = _typed("")
    assert action is None
    assert "/silent" in told
    assert _typed("/silent")[0] == Reply("")


@pytest.mark.parametrize(
    ("line", "offered", "told"),
    [
        ("/tols", (), "unknown command /tols; did you mean /tools?"),
        ("/zzz", (), "unknown command /zzz; /help lists the commands"),
        ("/tools zzz", (), "no tool has 'zzz'"),
        ("/call", (), "needs the name of a tool"),
        ("/call calender_event_search {}", (), "did you mean calendar_event_search"),
        ("/call zzz", (), "unknown tool zzz; /tools lists them"),
        ("/pick 1", (), "nothing to pick"),
        ("/pick", ("verbosity",), "a number from 1 to 2 for verbosity"),
        ("/pick 3", ("verbosity",), "a number from 1 to 2 for verbosity"),
        ("/pick autonomy_level 1", ("verbosity",), "autonomy_level is not offered; offered: verbosity"),
        ("/payload", (), "needs an attribute"),
        ("/payload verbosty {}", (), "did you mean verbosity"),
        ("/payload verbosity {", (), "not JSON"),
        ("/release", (), "held: held_1"),
    ],
)
def test_what_will_not_do_is_answered_and_costs_no_call(line: str, offered: tuple[str, ...], told: str) -> None:
    action, answer = _typed(line, *offered)
    assert action is None
    assert told in answer


def test_each_offered_tool_can_be_picked() -> None:
    offered = ("verbosity", "autonomy_level")
    assert _typed("/pick 2", *offered)[0] == ToolUse("IX_verbosity", {"setting": "Detailed"})
    picked = ToolUse("IX_autonomy_level", {"setting": "Reactive"})
    assert _typed("/pick autonomy_level 1", *offered)[0] == picked
    assert _typed("/pick IX_autonomy_level  1", *offered)[0] == picked


def test_calls_keep_their_arguments() -> None:
    assert _typed('/call message_search {"query": "a b"}')[0] == ToolUse("message_search", '{"query": "a b"}')
    assert _typed("/call IX_release")[0] == ToolUse("IX_release", "{}")
    assert _typed("/release held_1")[0] == ToolUse("IX_release", {"item_id": "held_1"})


@pytest.mark.parametrize("end", ["", "/quit\n"])
def test_leaving_is_noted_and_no_failure(end: str) -> None:
    done = RUN.invoke(app, ["play", "--session", "0"], input=end)
    assert done.exit_code == 0
    assert done.output.endswith("The session was left before its end.\n")
    assert ("pa> \n" in done.output) == (not end)


def test_a_session_that_starts_again_says_why() -> None:
    done = RUN.invoke(app, ["play", "--session", "0"], input="/silent\n" * 60)
    assert done.exit_code == 0, done.output
    for number in (2, 3):
        assert f"No setting was chosen in time: the session starts again ({number} of 3)." in done.output
    assert done.output.count("starts again") == 2
    assert "ended without a result: selection missing" in done.output


def test_a_session_played_to_its_end_is_judged() -> None:
    # Turns 1 to 3 are asked twice when nothing is looked up; then the choice is due.
    moves = "/silent\n" * 6 + "/pick 1\n" + "Pour the Chablis, $13 a glass.\n" * 20
    done = RUN.invoke(app, ["play", "--session", "1"], input=moves)
    assert "verbosity: you chose Terse; that is right" in done.output
    assert "starts again" not in done.output
