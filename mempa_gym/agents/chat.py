"""A PA that a chat model plays: any OpenAI-compatible chat-completions endpoint with tool calling.

Every completion is asked for with messages that are built from the view alone (see ``agents.messages``), so a run can
be taken up anywhere. What the policy remembers besides, within a session, is little: the calls of a completion that are
still to be made, what the model wrote beside its calls, and the answer that a reminder sent back.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mempa_gym.agents.chat_prompt import prompt_hash
from mempa_gym.agents.endpoint import Completion, Endpoint
from mempa_gym.agents.messages import Asides, chat_messages, chat_tools
from mempa_gym.errors import InvalidOptionError, PolicyError
from mempa_gym.interaction.actions import from_openai
from mempa_gym.interaction.policies import PAAction, Reply, ToolUse
from mempa_gym.interaction.views import PAView

__all__ = ["ChatPA"]

_log = logging.getLogger(__name__)

_Place = tuple[int, int]
"""Where in a session a view stands: finished turns, and calls made in this turn."""


@dataclass(frozen=True, slots=True)
class _State:
    """What is remembered within a session; immutable, so that it can be handed out as it is.

    Attributes:
        queue: calls of the last completion that are still to be made.
        due: where the view stands when the first of them is to be made.
        remarks: what the model wrote beside a call, with the place of that call.
        said: the last answer and where it was given; it was delivered, or a reminder sent it back.
        reminded: where this turn's reminder came.
        draft: the answer that it sent back.
    """

    queue: tuple[ToolUse, ...] = ()
    due: _Place = (0, 0)
    remarks: tuple[tuple[_Place, str], ...] = ()
    said: tuple[_Place, str] | None = None
    reminded: _Place | None = None
    draft: str = ""


class ChatPA:
    """A PA played by a chat model.

    Args:
        model: the model's name at the endpoint.
        base_url: address of the endpoint up to its version, such as ``http://localhost:8000/v1``; None takes the
            environment variable OPENAI_BASE_URL, else OpenAI's own.
        api_key_env: the environment variable that holds the key; an endpoint of one's own works without a key. The
            key is sent to ``base_url``, whatever that is.
        temperature: sampling temperature (paper 000, section 4: 0.7); None leaves it to the server.
        max_tokens: output tokens a completion may have (paper 000, section 4: 8,192); None leaves it to the server.
        timeout: seconds to wait for the server at each step of a request.
        retries: further tries after a connection error, a time-out, status 408, 429 or 5xx, or an answer that cannot
            be read.
        name: how runs and tables call it; "chat:" and the model when left out.

    Raises:
        InvalidOptionError: a value cannot be used.

    The client library comes with the extra ``mempa-gym[llm]`` and is loaded at the first call. A model makes one call
    at a time as the engine counts them: several tool calls of one completion are made one after another, and the next
    completion is asked for when all have their results.
    """

    uses_plan = False

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        api_key_env: str | None = "OPENAI_API_KEY",
        temperature: float | None = 0.7,
        max_tokens: int | None = 8192,
        timeout: float = 300.0,
        retries: int = 5,
        name: str | None = None,
    ) -> None:
        if temperature is not None and (
            isinstance(temperature, bool) or not isinstance(temperature, int | float) or not 0.0 <= temperature <= 2.0
        ):
            raise InvalidOptionError(
                f"temperature must lie between 0 and 2 or be None, got {temperature!r}", where="temperature"
            )
        if max_tokens is not None and (
            isinstance(max_tokens, bool) or not isinstance(max_tokens, int) or max_tokens < 1
        ):
            raise InvalidOptionError(
                f"max_tokens must be a whole number of at least 1 or None, got {max_tokens!r}", where="max_tokens"
            )
        if name is not None and not (isinstance(name, str) and name):
            raise InvalidOptionError(f"name must be text or None, got {name!r}", where="name")
        self._endpoint = Endpoint(model, base_url, api_key_env, timeout=timeout, retries=retries)
        self.temperature = temperature
        self.max_tokens = max_tokens
        self.name = f"chat:{model}" if name is None else name
        self._state = _State()

    def __repr__(self) -> str:
        return f"ChatPA({self.model!r}, base_url={self.endpoint!r})"

    @property
    def model(self) -> str:
        """The model's name."""
        return self._endpoint.model

    @property
    def endpoint(self) -> str:
        """The endpoint's address."""
        return self._endpoint.url

    @property
    def usage(self) -> dict[str, int]:
        """What was used since this object was made: calls, prompt_tokens, completion_tokens, retries.

        ``calls`` counts the completions received. Tokens are as the server counts them, 0 where it does not say.
        """
        return dict(self._endpoint.counts)

    @property
    def fingerprint(self) -> dict[str, Any]:
        """What a stored run is compared by: everything that changes what the model is asked, and whom."""
        return {
            "model": self.model,
            "endpoint": self.endpoint,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "prompt": prompt_hash(),
        }

    def close(self) -> None:
        """Closes open connections; the next call opens new ones."""
        self._endpoint.close()

    def begin_session(self, rng: np.random.Generator) -> None:
        """Forgets the last session. ``rng`` is not used: the server draws."""
        self._state = _State()

    def get_state(self) -> Any:
        """Returns what is remembered within the session. Usage is no part of it: spent tokens do not come back."""
        return self._state

    def set_state(self, state: Any) -> None:
        """Takes back a value of ``get_state``.

        Raises:
            PolicyError: it is none.
        """
        if not isinstance(state, _State):
            raise PolicyError(f"not a state of a chat PA: {type(state).__name__}", where="ChatPA.set_state")
        self._state = state

    def act(self, view: PAView) -> PAAction:
        """Returns the next call of the last completion, or asks for a completion and returns its first.

        Raises:
            EndpointError: the endpoint cannot be used; a further call may succeed.
            MissingExtraError: the client library is not installed.
        """
        place = (len(view.turns), len(view.steps))
        self._state = state = _arrived(self._state, view, place)
        if not state.queue:
            actions, remark = self._ask(view, state)
            if isinstance(actions, Reply):
                self._state = replace(state, said=(place, actions.text))
                return actions
            remarks = (*state.remarks, (place, remark)) if remark else state.remarks
            state = replace(state, queue=actions, remarks=remarks)
        self._state = replace(state, queue=state.queue[1:], due=(place[0], place[1] + 1))
        return state.queue[0]

    def _ask(self, view: PAView, state: _State) -> tuple[Reply | tuple[ToolUse, ...], str]:
        request = self._request(view, state)
        for _ in range(2):
            completion = self._endpoint.complete(**request)
            actions, remark = _read(completion)
            if completion.finish_reason == "length":
                _log.warning("%s: a completion was cut off at the limit of output tokens", self.name)
            if not isinstance(actions, Reply) or actions.text.strip():
                return actions, remark
            # Once more, and no more than that: a model that had nothing to say twice means it.
        _log.warning("%s: two empty completions, taken for an empty reply", self.name)
        return Reply(""), ""

    def _request(self, view: PAView, state: _State) -> dict[str, Any]:
        asides = Asides(dict(state.remarks), state.reminded[1] if state.reminded else None, state.draft)
        request: dict[str, Any] = {
            "messages": _portable(chat_messages(view, asides=asides)),
            "tools": chat_tools(view),
        }
        if self.temperature is not None:
            request["temperature"] = self.temperature
        if self.max_tokens is not None:
            # OpenAI's newer models refuse the older name, which is the one that everybody else knows.
            request["max_completion_tokens" if self._endpoint.official else "max_tokens"] = self.max_tokens
        return request


def _arrived(state: _State, view: PAView, place: _Place) -> _State:
    """Returns what of a state holds for a view: nothing that belongs to calls which have not been made in it."""
    # A new session starts at the lowest place, so nothing outlives the last one, whether it was told of or not.
    queue = state.queue if state.due == place else ()
    remarks = state.remarks
    if remarks and remarks[-1][0] >= place:
        remarks = tuple(item for item in remarks if item[0] < place)
    said = state.said if state.said is not None and state.said[0] == place else None
    reminded, draft = state.reminded, state.draft
    if reminded is None or view.reminder is None or reminded[0] != place[0] or reminded > place:
        reminded, draft = None, ""
    if view.reminder is not None and reminded is None:
        reminded, draft = place, said[1] if said is not None else ""
    return _State(queue, state.due, remarks, said, reminded, draft)


def _read(completion: Completion) -> tuple[Reply | tuple[ToolUse, ...], str]:
    """Returns the calls of a completion or its answer, and what the model wrote beside its calls."""
    actions = from_openai(completion.message)
    uses = [_clean_use(action) for action in actions if isinstance(action, ToolUse)]
    if not uses:
        return Reply(_clean("".join(action.text for action in actions if isinstance(action, Reply)))), ""
    if completion.finish_reason == "length" and not uses[-1].arguments:
        # Arguments that never began are not arguments left out: the call must not run without them.
        uses[-1] = replace(uses[-1], arguments="")
    beside = from_openai({"content": completion.message.get("content")})[0]
    return tuple(uses), _clean(beside.text).strip() if isinstance(beside, Reply) else ""


def _clean_use(use: ToolUse) -> ToolUse:
    arguments = use.arguments
    if isinstance(arguments, Mapping):
        # As text even where a server hands out an object, so that the engine checks it as it checks everybody's.
        return ToolUse(_clean(use.tool), json.dumps(dict(arguments)) if arguments else {})
    return ToolUse(_clean(use.tool), _clean(arguments))


def _clean(text: str) -> str:
    """Returns text that can be sent and stored: JSON lets half of a surrogate pair through, UTF-8 does not."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _portable(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the messages with ids of calls that every server takes: some want nine letters or digits exactly."""
    for message in messages:
        if "tool_call_id" in message:
            message["tool_call_id"] = message["tool_call_id"].replace("_", "0")
        for entry in message.get("tool_calls", ()):
            entry["id"] = entry["id"].replace("_", "0")
    return messages
