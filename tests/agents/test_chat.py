"""The chat PA over real HTTP: what a server is asked, what becomes of its answers, and what no one may read."""

from __future__ import annotations

import copy
import json
import logging
import pickle
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from email.utils import formatdate
from typing import Any

import gymnasium
import numpy as np
import pytest

import mempa_gym
from mempa_gym.agents import ChatPA, EndpointError, PlannedPA
from mempa_gym.agents.chat_prompt import Prompt, pa_prompt, prompt_hash
from mempa_gym.agents.endpoint import LONGEST_WAIT, Endpoint
from mempa_gym.agents.messages import chat_messages
from mempa_gym.engine import Phase, TimelineEngine, play, play_out
from mempa_gym.errors import DataError, InvalidOptionError, MempaGymError, MissingExtraError, PolicyError
from mempa_gym.interaction.policies import PAAction, PAPolicy, Reply, ToolUse
from mempa_gym.interaction.views import HeldNotice, PAView, PublicTurn, Step
from mempa_gym.resources import validated
from mempa_gym.runs.config import RunConfig, identity
from mempa_gym.taxonomy import attribute, attribute_ids
from mempa_gym.tools import specs
from tests.agents.loopback import Answer, Loopback, Request, completion, empty, failure, tool_call
from tests.engine.games import alone, fixed, script_of
from tests.engine.test_boundaries import planted

KEY = "sk-CANARY-KEY-0123456789"
RNG = np.random.Generator(np.random.PCG64(0))


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """A known environment: one key, no proxy between a test and its server."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    for name in ("OPENAI_BASE_URL", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Waits for nothing and keeps how long it would have been, in seconds."""
    found: list[float] = []
    monkeypatch.setattr(Endpoint, "wait", lambda self, seconds: found.append(seconds))
    return found


@pytest.fixture
def server() -> Iterator[Loopback]:
    pytest.importorskip("openai")
    with Loopback() as found:
        yield found


@pytest.fixture
def pa(server: Loopback, pauses: list[float]) -> Iterator[ChatPA]:
    found = ChatPA("stub", server.url)
    yield found
    found.close()


def seen(**fields: Any) -> PAView:
    """Returns a view of a session that has just begun, with some fields changed."""
    first = PAView("2026-02-04T15:20", (), "What is on today?", None, "", (), {}, (), (), None)
    return replace(first, **fields)


def after(view: PAView, action: PAAction, text: str = '{"found": []}') -> PAView:
    """Returns the view after a call was answered with ``text``."""
    assert isinstance(action, ToolUse)
    return replace(view, steps=(*view.steps, Step(action.tool, {}, True, text, True)))


SEARCH = tool_call("calendar_event_search", {"query": "today"})


# -- whole sessions ---------------------------------------------------------------------------------------------------


class Mirror:
    """Answers as a planned PA acts, one call a completion or all calls of a turn in one."""

    def __init__(self, game: TimelineEngine, planned: PlannedPA, *, together: bool) -> None:
        self.game = game
        self.planned = planned
        self.together = together
        self._kept: PAAction | None = None
        planned.begin_session(game.pa_generator())

    def __call__(self, request: Request) -> Answer:
        # The player waits for this answer, so nobody else looks at the game now.
        view = self.game.pa_view(with_plan=True)
        action, self._kept = self._kept or self.planned.act(view), None
        calls = []
        while isinstance(action, ToolUse):
            assert not isinstance(action.arguments, str)
            arguments = json.dumps(dict(action.arguments), default=dict)
            calls.append(tool_call(action.tool, arguments, identifier=str(len(calls))))
            if not self.together:
                return completion(None, *calls)
            view = replace(view, steps=(*view.steps, Step("done", {}, True, "", True)))
            action = self.planned.act(view)
        if calls:
            self._kept = action
            return completion("I will see to it.", *calls)
        # A silent reply as a model gives it.
        return completion(action.text)


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("name", attribute_ids())
def test_a_session_over_http_is_the_session_that_was_meant(name: str, together: bool, pauses: list[float]) -> None:
    pytest.importorskip("openai")
    session = script_of(name)
    for label in attribute(name).labels:
        meant = play_out(alone(session, label), fixed({name: label}))
        game = alone(session, label)
        with Loopback(Mirror(game, fixed({name: label}), together=together)) as server:
            policy = ChatPA("stub", server.url)
            play(game, policy)
            policy.close()
        assert game.results == meant.results
        assert game.results[0].selection == label
        offered = {tool for request in server.requests for tool in request.tools if tool.startswith("IX_")}
        assert f"IX_{name}" in offered
        assert ("IX_release" in offered) or label != "Reactive"
        for request in server.requests:
            assert ("IX_release" in request.tools) == ("item_id h" in request.messages[0]["content"])
            assert set(specs()) <= set(request.tools)


def test_held_items_and_their_ids_are_shown(server: Loopback, pa: ChatPA) -> None:
    server.say(completion("Shall I send it?"))
    pa.act(seen(held=(HeldNotice("h7", "email_message_send", "email Ines {about} Thursday"),)))
    system = server.requests[0].messages[0]["content"]
    assert "item_id h7, email_message_send: email Ines {about} Thursday" in system
    assert "IX_release" in server.requests[0].tools


def chooser(request: Request) -> Answer:
    """Takes the first setting of what is offered, then answers."""
    for tool in request.body["tools"]:
        function = tool["function"]
        setting = function["parameters"]["properties"].get("setting")
        if function["name"].startswith("IX_") and setting:
            return completion("One moment.", tool_call(function["name"], {"setting": setting["enum"][0]}), SEARCH)
    return completion("Noted.", usage={"prompt_tokens": 100, "completion_tokens": 2})


def test_a_gymnasium_session_is_played_to_its_end(pauses: list[float]) -> None:
    pytest.importorskip("openai")
    assert mempa_gym.__version__
    env = gymnasium.make("mempa/Session-v0", persona="user_b", memory="none")
    with Loopback(chooser) as server:
        policy = ChatPA("stub", server.url)
        _, info = env.reset(seed=3)
        policy.begin_session(env.np_random)
        done = False
        while not done:
            _, _, terminated, truncated, info = env.step(policy.act(env.unwrapped.pa_view()))  # type: ignore[attr-defined]
            done = terminated or truncated
        policy.close()
    assert info["end_reason"] in ("session_ended", "session_failed")
    assert policy.usage["calls"] == len(server.requests)
    replies = policy.usage["completion_tokens"] // 2
    assert policy.usage["prompt_tokens"] == 100 * replies
    assert 0 < replies < len(server.requests)
    assert all(request.path == "/v1/chat/completions" for request in server.requests)


def test_nothing_private_is_asked_of_the_server(pauses: list[float]) -> None:
    pytest.importorskip("openai")
    for name in attribute_ids():
        session = planted(script_of(name, "probe"))
        seen_by_target = []
        for target in attribute(name).labels:
            game = alone(session, target, memory="full")
            with Loopback(chooser) as server:
                policy = ChatPA("stub", server.url)
                play(game, policy)
                policy.close()
            seen_by_target.append([request.text for request in server.requests])
        # In a probe the user gives no feedback: nothing may depend on what she wants.
        assert all(texts == seen_by_target[0] for texts in seen_by_target)
        assert not any("CANARY" in text for text in seen_by_target[0])


# -- what the server is asked -----------------------------------------------------------------------------------------


def test_a_request_holds_the_view_and_the_published_limits(server: Loopback, pa: ChatPA) -> None:
    server.say(completion("Two meetings."))
    earlier = PublicTurn("2026-02-04T15:10", "Hello", None, (Step("x", {}, True, "r", True),), "Hello, Robin.")
    view = seen(turns=(earlier,), evidence="Likes {braces}.", offered=("verbosity",))
    assert pa.act(view) == Reply("Two meetings.")
    request = server.requests[0]
    body = request.body
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("stub", 0.7, 8192)
    assert [message["role"] for message in body["messages"]] == [
        *("system", "user", "assistant", "tool", "assistant", "user"),
    ]
    assert "2026-02-04 15:20" in body["messages"][0]["content"]
    assert "Likes {braces}." in body["messages"][0]["content"]
    assert body["messages"][-1] == {"role": "user", "content": "What is on today?"}
    assert [tool for tool in request.tools if tool.startswith("IX_")] == ["IX_verbosity"]
    ids = [entry["id"] for message in body["messages"] for entry in message.get("tool_calls", ())]
    assert all(re.fullmatch("[A-Za-z0-9]{9}", entry) for entry in ids)
    assert body["messages"][3]["tool_call_id"] == ids[0]


def test_limits_may_be_left_to_the_server(server: Loopback, pauses: list[float]) -> None:
    server.say(completion("Yes."))
    policy = ChatPA("stub", server.url, temperature=None, max_tokens=None)
    policy.act(seen())
    policy.close()
    assert not {"temperature", "max_tokens", "max_completion_tokens"} & set(server.requests[0].body)


def test_an_event_is_marked_as_one(server: Loopback, pa: ChatPA) -> None:
    server.say(empty(), empty())
    assert pa.act(seen(user="", event="A parcel has come.")) == Reply("")
    assert server.requests[0].messages[-1] == {"role": "user", "content": "[event] A parcel has come."}


def test_the_same_view_is_asked_with_the_same_bytes(server: Loopback, pa: ChatPA) -> None:
    server.say(completion("One."), completion("Two."))
    other = pickle.loads(pickle.dumps(pa))
    pa.act(seen(evidence="e", offered=attribute_ids()))
    other.act(seen(evidence="e", offered=attribute_ids()))
    other.close()
    assert server.requests[0].text == server.requests[1].text


# -- calls ------------------------------------------------------------------------------------------------------------


def test_a_result_is_in_the_next_request(server: Loopback, pa: ChatPA) -> None:
    server.say(completion(None, SEARCH), completion("Nothing today."))
    view = seen()
    first = pa.act(view)
    assert first == ToolUse("calendar_event_search", '{"query": "today"}')
    assert pa.act(after(view, first, "RESULT-1")) == Reply("Nothing today.")
    call, result = server.requests[1].messages[-2:]
    assert call["tool_calls"][0]["function"]["name"] == "calendar_event_search"
    assert (result["role"], result["content"]) == ("tool", "RESULT-1")
    assert result["tool_call_id"] == call["tool_calls"][0]["id"]


def test_calls_of_one_completion_are_made_one_by_one(server: Loopback, pa: ChatPA) -> None:
    calls = [tool_call(name, identifier=name) for name in ("a", "b", "c")]
    server.say(completion("First I look.", *calls), completion("Done."))
    view = seen()
    for number, name in enumerate("abc"):
        action = pa.act(view)
        assert action == ToolUse(name, "{}")
        assert len(server.requests) == 1
        view = after(view, action, f"RESULT-{number}")
    assert pa.act(view) == Reply("Done.")
    assert len(server.requests) == 2
    results = [m["content"] for m in server.requests[1].messages if m["role"] == "tool"]
    assert results == ["RESULT-0", "RESULT-1", "RESULT-2"]
    spoken = [m["content"] for m in server.requests[1].messages if m["role"] == "assistant"]
    assert spoken == ["First I look.", None, None]


def test_what_was_said_beside_a_call_is_kept_for_the_session(server: Loopback, pa: ChatPA) -> None:
    server.say(completion("Looking.", SEARCH), completion("Nothing."), completion("Bye."))
    view = seen()
    view = after(view, pa.act(view))
    pa.act(view)
    turn = PublicTurn(view.now, view.user, None, view.steps, "Nothing.")
    pa.act(seen(turns=(turn,), user="Thanks"))
    assert [m["content"] for m in server.requests[2].messages if m["role"] == "assistant"] == ["Looking.", "Nothing."]


def test_calls_left_over_from_a_turn_that_was_ended_are_dropped(server: Loopback, pa: ChatPA) -> None:
    server.say(completion(None, SEARCH, SEARCH), completion("Here I am."))
    view = seen()
    view = after(view, pa.act(view))
    turn = PublicTurn(view.now, view.user, None, view.steps, "I could not finish this.")
    assert pa.act(seen(turns=(turn,), user="And?")) == Reply("Here I am.")


def test_malformed_arguments_and_made_up_tools_come_back_as_errors(pauses: list[float]) -> None:
    pytest.importorskip("openai")
    bad = [
        completion(None, tool_call("calendar_event_search", '{"query": ')),
        completion(None, tool_call("send a pigeon!", {"to": "Ines"})),
        completion(None, {"id": "1", "type": "function", "function": {"name": None, "arguments": None}}),
        completion(None, tool_call("calendar_event_search", '{"query": "\\ud800"}')),
        completion(None, {"id": "1", "type": "function", "function": {"name": "x\ud800", "arguments": ["a"]}}),
    ]
    game = alone(script_of("verbosity"), "Terse")
    with Loopback([*bad, completion("Well.")]) as server:
        policy = ChatPA("stub", server.url)
        play(game, policy, stop=lambda g: g.phase is Phase.WRITE)
        policy.close()
    texts = [m["content"] for m in server.requests[-1].messages if m["role"] == "tool"]
    assert len(texts) == len(bad)
    assert all(text.startswith("Error") for text in texts)
    assert "not a JSON object" in texts[0]
    assert "send a pigeon!" in texts[1]
    names = [e["function"]["name"] for m in server.requests[-1].messages for e in m.get("tool_calls", ())]
    # A server refuses a conversation in which a name is none.
    assert all(re.fullmatch("[A-Za-z0-9_-]{1,64}", name) for name in names)


def test_a_decoded_object_of_arguments_is_taken(server: Loopback, pa: ChatPA) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "calendar_event_search", "arguments": {"query": "x"}}}
    server.say(completion(None, call))
    assert pa.act(seen()) == ToolUse("calendar_event_search", '{"query": "x"}')


# -- words ------------------------------------------------------------------------------------------------------------


def test_an_empty_completion_is_asked_for_once_more(server: Loopback, pa: ChatPA) -> None:
    server.say(completion(" \n"), completion("Yes."))
    assert pa.act(seen()) == Reply("Yes.")
    server.say(completion(None), completion([]))
    assert pa.act(seen()) == Reply("")
    assert len(server.requests) == 4
    assert pa.usage["calls"] == 4
    assert pa.usage["retries"] == 0


def test_half_a_character_does_not_get_through(server: Loopback, pa: ChatPA) -> None:
    server.say(completion("caf\u00e9 \ud800"))
    action = pa.act(seen())
    assert action == Reply("caf\u00e9 ?")


def test_a_text_that_was_cut_off_is_delivered_as_far_as_it_goes(
    server: Loopback, pa: ChatPA, caplog: pytest.LogCaptureFixture
) -> None:
    server.say(completion("It begins at", finish="length"))
    assert pa.act(seen()) == Reply("It begins at")
    assert "cut off" in caplog.text


def test_a_call_that_was_cut_off_does_not_run(server: Loopback, pa: ChatPA) -> None:
    server.say(completion(None, SEARCH, tool_call("calendar_event_search", ""), finish="length"))
    view = seen()
    first = pa.act(view)
    assert first == ToolUse("calendar_event_search", '{"query": "today"}')
    cut = pa.act(after(view, first))
    assert cut == ToolUse("calendar_event_search", "")
    with pytest.raises(MempaGymError, match="not a JSON object"):
        specs()["calendar_event_search"].parse(cut.arguments)


def test_thinking_that_used_up_the_tokens_is_an_empty_completion(server: Loopback, pa: ChatPA) -> None:
    server.say(completion(None, finish="length"), completion("Shorter now."))
    assert pa.act(seen()) == Reply("Shorter now.")


def test_a_reminder_stands_where_it_came_and_after_what_it_sent_back(server: Loopback, pa: ChatPA) -> None:
    server.say(completion(None, SEARCH), completion("Two meetings."), completion(None, SEARCH), completion("Now."))
    view = seen()
    view = after(view, pa.act(view), "BEFORE")
    assert pa.act(view) == Reply("Two meetings.")
    view = replace(view, reminder="You have not called IX_verbosity yet.")
    view = after(view, pa.act(view), "AFTER")
    pa.act(view)
    tail = [(m["role"], m["content"]) for m in server.requests[3].messages[1:]]
    assert tail == [
        ("user", "What is on today?"),
        ("assistant", None),
        ("tool", "BEFORE"),
        ("assistant", "Two meetings."),
        ("user", "[reminder] You have not called IX_verbosity yet."),
        ("assistant", None),
        ("tool", "AFTER"),
    ]
    # A fresh policy does not know what was sent back, and still asks with everything a view holds.
    server.say(completion("Now."))
    fresh = ChatPA("stub", server.url)
    fresh.act(view)
    fresh.close()
    assert server.requests[4].messages[-1]["content"].startswith("[reminder]")
    assert not any(m["content"] == "Two meetings." for m in server.requests[4].messages)


# -- failures ---------------------------------------------------------------------------------------------------------


def test_a_server_error_is_asked_again(server: Loopback, pa: ChatPA, pauses: list[float]) -> None:
    server.say(failure(500), failure(503), completion("There."))
    assert pa.act(seen()) == Reply("There.")
    assert pa.usage == {"calls": 1, "prompt_tokens": 0, "completion_tokens": 0, "retries": 2}
    assert len(pauses) == 2
    assert 0.75 <= pauses[0] <= 1.0
    assert 1.5 <= pauses[1] <= 2.0


def test_a_server_may_say_how_long_to_wait(server: Loopback, pa: ChatPA, pauses: list[float]) -> None:
    server.say(failure(429, Retry_After="7"), failure(429, Retry_After_Ms="250", Retry_After="9"), completion("A."))
    pa.act(seen())
    assert pauses == [7.0, 0.25]
    server.say(failure(429, Retry_After="86400"), failure(429, Retry_After=formatdate(time.time() + 50, usegmt=True)))
    server.say(failure(429, Retry_After="soon"), failure(429, Retry_After="nan"), completion("B."))
    pa.act(seen())
    assert pauses[2] == LONGEST_WAIT
    assert 30 < pauses[3] <= 50
    assert pauses[4] <= 4.0
    assert pauses[5] <= 8.0


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_refusal_is_not_asked_again_and_shows_no_key(
    status: int, server: Loopback, pa: ChatPA, pauses: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.say(failure(status, f"the key {KEY} or the model is wrong"))
    with pytest.raises(EndpointError) as caught:
        pa.act(seen())
    error = caught.value
    assert len(server.requests) == 1
    assert pauses == []
    assert (error.status, error.endpoint) == (status, server.url)
    assert server.url in str(error)
    assert str(status) in str(error)
    assert error.remedy
    assert isinstance(error, MempaGymError)
    if status in (401, 403):
        assert "OPENAI_API_KEY" in str(error)
    # The client's own errors hold the request and its headers: none may hang on to ours.
    assert error.__cause__ is None
    assert error.__context__ is None
    kept = pickle.dumps(error)
    assert KEY.encode() not in kept
    assert pickle.loads(kept).status == status
    assert KEY not in f"{error} {error!r} {error.__dict__} {caplog.text} {pa!r}"


def test_the_tries_come_to_an_end(server: Loopback, pauses: list[float]) -> None:
    server.say(*[failure(500, f"broken, {KEY}")] * 3, completion("Late."))
    policy = ChatPA("stub", server.url, retries=2)
    with pytest.raises(EndpointError, match=r"status 500: broken, \[key\] \(3 tries\)") as caught:
        policy.act(seen())
    assert "goes on where it stopped" in caught.value.remedy
    assert policy.usage == {"calls": 0, "prompt_tokens": 0, "completion_tokens": 0, "retries": 2}
    # It may be asked again, and nothing was lost.
    assert policy.act(seen()) == Reply("Late.")
    policy.close()


def test_a_connection_that_breaks_in_the_middle_is_asked_again(server: Loopback, pa: ChatPA) -> None:
    server.say(replace(completion("Half."), cut=True), completion("Whole."))
    assert pa.act(seen()) == Reply("Whole.")
    assert pa.usage["retries"] == 1


def test_a_server_that_is_gone_is_named(pauses: list[float]) -> None:
    pytest.importorskip("openai")
    with Loopback() as gone:
        url = gone.url
    policy = ChatPA("stub", url, retries=1)
    with pytest.raises(EndpointError, match="no connection") as caught:
        policy.act(seen())
    policy.close()
    assert url in str(caught.value)
    assert caught.value.status is None
    assert len(pauses) == 1


def test_a_server_that_says_nothing_runs_out_of_time(server: Loopback, pauses: list[float]) -> None:
    server.say(replace(completion("Never."), silent=True), completion("Now."))
    policy = ChatPA("stub", server.url, timeout=0.2)
    assert policy.act(seen()) == Reply("Now.")
    policy.close()
    assert len(pauses) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>Bad gateway</html>",
        b"[" * 100_000,
        b"\xff\xfe",
        b"null",
        b"[]",
        b"{}",
        b'{"choices": []}',
        b'{"choices": {}}',
        b'{"choices": [null]}',
        b'{"choices": [{"message": null}]}',
        b'{"choices": [{"message": "hello"}]}',
        b'{"error": "the model is down"}',
        b'{"error": {"code": 502, "message": "the model is down"}}',
        b'{"choices": [{"message": {"content": ""}, "error": {"code": 429, "message": "slow"}}]}',
    ],
    ids=range(15),
)
def test_an_answer_that_cannot_be_read_is_asked_for_again(body: bytes, server: Loopback, pauses: list[float]) -> None:
    server.say(Answer(body), completion("Better."))
    policy = ChatPA("stub", server.url, retries=1)
    assert policy.act(seen()) == Reply("Better.")
    server.say(Answer(body), Answer(body))
    with pytest.raises(EndpointError, match=r"\(2 tries\)"):
        policy.act(seen())
    policy.close()


def test_a_refusal_inside_an_answer_is_not_asked_again(server: Loopback, pa: ChatPA) -> None:
    body = json.dumps({"error": {"code": 401, "message": f"bad key {KEY}"}}).encode()
    server.say(Answer(body), completion("Never."))
    with pytest.raises(EndpointError, match="error 401") as caught:
        pa.act(seen())
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    "usage",
    [None, [], {}, {"prompt_tokens": None}, {"prompt_tokens": "12"}, {"prompt_tokens": -4}, {"prompt_tokens": True}],
    ids=repr,
)
def test_usage_that_is_not_told_counts_as_none(usage: Any, server: Loopback, pa: ChatPA) -> None:
    server.say(completion("Yes.", usage=usage))
    pa.act(seen())
    assert pa.usage == {"calls": 1, "prompt_tokens": 0, "completion_tokens": 0, "retries": 0}


# -- keys -------------------------------------------------------------------------------------------------------------


def test_the_key_is_in_one_header_and_nowhere_else(
    server: Loopback, pa: ChatPA, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.say(completion(None, SEARCH), completion("Done."))
    view = seen()
    pa.act(after(view, pa.act(view)))
    for request in server.requests:
        assert request.headers["authorization"] == f"Bearer {KEY}"
        rest = {name: value for name, value in request.headers.items() if name != "authorization"}
        assert KEY not in f"{request.path} {rest} {request.text}"
    assert KEY.encode() not in pickle.dumps(pa)
    assert KEY not in f"{pa!r} {pa.fingerprint} {pa.name} {pa.usage} {pa.get_state()!r} {caplog.text}"
    assert KEY not in repr(copy.deepcopy(pa).__dict__)
    assert KEY not in json.dumps(identity(RunConfig(persona="user_b", memory="none"), pa))


def test_an_endpoint_of_ones_own_needs_no_key(
    server: Loopback, pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    server.say(completion("Yes."), completion("Yes."))
    monkeypatch.delenv("OPENAI_API_KEY")
    for variable in ("OPENAI_API_KEY", None):
        policy = ChatPA("stub", server.url, api_key_env=variable)
        assert policy.act(seen()) == Reply("Yes.")
        policy.close()


def test_the_public_endpoint_needs_one(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openai")
    monkeypatch.delenv("OPENAI_API_KEY")
    for variable in ("OPENAI_API_KEY", None):
        with pytest.raises(EndpointError, match="key"):
            ChatPA("stub", api_key_env=variable).act(seen())


def test_a_key_that_is_none_is_not_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openai")
    for key in ("sk-one\r\nx: two", "sk-\u00e9", "sk one"):
        monkeypatch.setenv("OPENAI_API_KEY", key)
        with pytest.raises(EndpointError) as caught:
            ChatPA("stub", "http://127.0.0.1:9/v1").act(seen())
        assert key not in str(caught.value)
        assert "OPENAI_API_KEY" in str(caught.value)


def test_a_line_break_behind_a_key_does_no_harm(server: Loopback, pa: ChatPA, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f"{KEY}\n")
    server.say(completion("Yes."))
    pa.act(seen())
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


# -- state ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["set_state", "pickle", "deepcopy"])
def test_state_survives(way: str, server: Loopback, pa: ChatPA) -> None:
    server.say(completion("Looking.", SEARCH, tool_call("b")), completion("Done."))
    view = seen()
    view = after(view, pa.act(view))
    if way == "set_state":
        other = ChatPA("stub", server.url)
        other.set_state(pickle.loads(pickle.dumps(pa.get_state())))
    else:
        other = pickle.loads(pickle.dumps(pa)) if way == "pickle" else copy.deepcopy(pa)
        assert other.usage == pa.usage
    pa.begin_session(RNG)
    second = other.act(view)
    assert second == ToolUse("b", "{}")
    assert len(server.requests) == 1
    assert other.act(after(view, second)) == Reply("Done.")
    assert [m["content"] for m in server.requests[1].messages if m["role"] == "assistant"] == ["Looking.", None]
    other.close()


def test_a_state_that_was_taken_does_not_change(server: Loopback, pa: ChatPA) -> None:
    server.say(completion("Looking.", SEARCH, tool_call("b"), tool_call("c")))
    view = seen()
    view = after(view, pa.act(view))
    state = pa.get_state()
    first = pa.act(view)
    pa.act(after(view, first))
    for _ in range(2):
        pa.set_state(state)
        assert pa.act(view) == first
    with pytest.raises(PolicyError, match="not a state"):
        pa.set_state({"queue": []})


@pytest.mark.parametrize("told", [True, False])
def test_two_sessions_do_not_mix(told: bool, server: Loopback, pa: ChatPA) -> None:
    server.say(completion("ASIDE-1", SEARCH, SEARCH), completion("REPLY-1"), completion("REPLY-2"))
    view = seen(user="MESSAGE-1")
    pa.act(view)
    if told:
        pa.begin_session(RNG)
    assert pa.act(seen(user="MESSAGE-2")) == Reply("REPLY-1")
    assert pa.act(seen(user="MESSAGE-3", steps=())) == Reply("REPLY-2")
    for text in ("MESSAGE-1", "ASIDE-1"):
        assert text not in server.requests[1].text
    for text in ("MESSAGE-2", "REPLY-1"):
        assert text not in server.requests[2].text


def test_going_back_to_an_earlier_view_forgets_what_came_after(server: Loopback, pa: ChatPA) -> None:
    server.say(completion("ONE", tool_call("a")), completion("TWO", tool_call("b")))
    start = seen()
    once = after(start, pa.act(start))
    twice = after(once, pa.act(once))
    server.say(completion("THREE", tool_call("c")), completion(None, tool_call("d")), completion("Done."))
    pa.act(twice)
    # Back before the second call, which is now another one and made without a word.
    pa.act(after(once, pa.act(once)))
    said = [m["content"] for m in server.requests[-1].messages if m["role"] == "assistant"]
    assert said == ["ONE", None]


# -- construction -----------------------------------------------------------------------------------------------------


def test_it_is_a_policy_with_a_name_and_a_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = ChatPA("org/model-7b", "http://gpu.local:8000/v1/")
    assert isinstance(policy, PAPolicy)
    assert (policy.name, policy.uses_plan) == ("chat:org/model-7b", False)
    assert ChatPA("m", name="mine").name == "mine"
    assert policy.fingerprint == {
        "model": "org/model-7b",
        "endpoint": "http://gpu.local:8000/v1",
        "temperature": 0.7,
        "max_tokens": 8192,
        "prompt": prompt_hash(),
    }
    assert ChatPA("m").endpoint == "https://api.openai.com/v1"
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:1/v1")
    assert ChatPA("m").endpoint == "http://localhost:1/v1"


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ({"model": " "}, "model"),
        ({"model": None}, "model"),
        ({"base_url": "localhost:8000"}, "base_url"),
        ({"base_url": "ftp://host/v1"}, "base_url"),
        ({"base_url": "http://"}, "base_url"),
        ({"base_url": "http://host:99999/v1"}, "base_url"),
        ({"base_url": ""}, "base_url"),
        ({"base_url": 7}, "base_url"),
        ({"base_url": "http://host/v1#x"}, "base_url"),
        ({"temperature": 3}, "temperature"),
        ({"temperature": float("nan")}, "temperature"),
        ({"temperature": True}, "temperature"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"max_tokens": 1.5}, "max_tokens"),
        ({"timeout": 0}, "timeout"),
        ({"timeout": float("inf")}, "timeout"),
        ({"retries": -1}, "retries"),
        ({"retries": True}, "retries"),
        ({"name": ""}, "name"),
    ],
    ids=str,
)
def test_values_that_cannot_be_used_are_named(given: dict[str, Any], where: str) -> None:
    with pytest.raises(InvalidOptionError, match=where):
        ChatPA(**{"model": "m", **given})


@pytest.mark.parametrize(
    "given",
    [
        {"api_key_env": KEY},
        {"base_url": f"https://{KEY}@host/v1"},
        {"base_url": f"https://user:{KEY}@host/v1"},
        {"base_url": f"https://host/v1?key={KEY}"},
    ],
    ids=range(4),
)
def test_a_key_in_the_wrong_place_is_refused_and_not_shown(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidOptionError) as caught:
        ChatPA("m", **given)
    assert KEY not in f"{caught.value!r} {caught.value.__dict__}"
    assert caught.value.__cause__ is None


def test_without_the_client_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    policy = ChatPA("m", "http://127.0.0.1:9/v1")
    with pytest.raises(MissingExtraError, match=r"mempa-gym\[llm\]"):
        policy.act(seen())


# -- the prompt -------------------------------------------------------------------------------------------------------


def test_the_prompt_explains_the_tools_and_says_nothing_else() -> None:
    prompt = pa_prompt()
    for word in ("IX_", "`setting`", "`payload`", "IX_release", "item_id", "held", "[event]", "[reminder]"):
        assert word in prompt.system
    for text in prompt.model_dump().values():
        words = set(re.findall(r"[a-z]+", text.lower()))
        betraying = "test tests tested testing benchmark evaluate evaluated evaluation judge judged score scored probe"
        assert not words & set(f"{betraying} simulated simulator persona context target correct".split())
    for name in attribute_ids():
        assert name not in prompt.system
        for label in attribute(name).labels:
            # Labels that are everyday words may occur as such; never as a setting's name.
            assert not re.search(rf"\b{re.escape(label)}\b", prompt.system), label


def test_the_prompt_has_a_hash_that_is_its_own() -> None:
    assert re.fullmatch("[0-9a-f]{16}", prompt_hash())
    assert chat_messages(seen())[0]["content"].startswith(pa_prompt().system)
    assert chat_messages(seen(), "Be brief.")[0]["content"].startswith("Be brief.\n\nIt is 2026-02-04 15:20.")


@pytest.mark.parametrize(
    "change",
    [{"memory": "You remember much."}, {"held": "{items} {more}"}, {"system": "Hello {name}"}, {"extra": "x"}],
    ids=str,
)
def test_a_damaged_prompt_is_refused(change: dict[str, str]) -> None:
    with pytest.raises(DataError):
        validated(Prompt, {**pa_prompt().model_dump(), **change}, "data/prompts/pa.yaml")
