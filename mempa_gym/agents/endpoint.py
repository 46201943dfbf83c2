"""One chat-completions endpoint: asking it, asking again where that may help, counting, and saying what went wrong.

The loop of retries is this module's own. The client's cannot be counted where it fails in the end, sleeps where no test
can reach it and takes an answer that is no JSON for a good one; a library for retrying would be one more dependency
for a loop of ten lines.

A key is read from the environment when a client is made and stands in no attribute, message, pickle or log of this
module. Errors are raised outside of ``except`` blocks, since the client's own errors hold the request with its
headers.
"""

from __future__ import annotations

import json
import math
import os
import random
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from mempa_gym.errors import InvalidOptionError, MissingExtraError, PolicyError

__all__ = ["DEFAULT_URL", "Completion", "Endpoint", "EndpointError"]

DEFAULT_URL = "https://api.openai.com/v1"
LONGEST_WAIT = 120.0
"""The longest pause between two tries, in seconds, whatever a server asks for."""

_FIRST_WAIT = 1.0
_MOST_WORDS = 200
_NO_KEY = "none"
_URL_VARIABLE = "OPENAI_BASE_URL"
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_COUNTS = ("calls", "prompt_tokens", "completion_tokens", "retries")
# Pauses are no part of what is played; a generator of its own leaves everybody's seeds alone.
_jitter = random.SystemRandom()


class EndpointError(PolicyError):
    """A chat endpoint could not be used.

    Args:
        what: what was wrong.
        where: the endpoint and the model.
        remedy: what to do about it.
        endpoint: the endpoint's address, without credentials.
        status: the HTTP status of the last answer, None when there was none.
    """

    def __init__(
        self, what: str, *, where: str = "", remedy: str = "", endpoint: str = "", status: int | None = None
    ) -> None:
        super().__init__(what, where=where, remedy=remedy)
        self.endpoint = endpoint
        self.status = status


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's answer.

    Attributes:
        message: the assistant message as the server sent it, unchecked.
        finish_reason: why the model stopped: "stop", "tool_calls", "length" or another word; empty when not said.
    """

    message: Mapping[str, Any]
    finish_reason: str


@dataclass(frozen=True, slots=True)
class _Failure:
    """A try that came to nothing; ``after`` is the pause that the server asks for, in seconds."""

    what: str
    status: int | None = None
    again: bool = True
    after: float | None = None


class Endpoint:
    """An OpenAI-compatible endpoint and what has been asked of it.

    Args:
        model: the model's name there.
        base_url: address up to the version, such as ``http://localhost:8000/v1``; None takes the environment variable
            OPENAI_BASE_URL, else OpenAI's own.
        api_key_env: the environment variable that holds the key; None for an endpoint without one. The key is sent to
            ``base_url`` whatever that is.
        timeout: seconds to wait for the server at each step of a request.
        retries: further tries after a connection error, a time-out, 408, 429, any 5xx and an answer that cannot be
            read.

    Raises:
        InvalidOptionError: one of these cannot be used.

    Attributes:
        url: the address in use, without a trailing slash.
        counts: completions received (``calls``), their ``prompt_tokens`` and ``completion_tokens`` as far as the server
            tells them, and ``retries``.
    """

    def __init__(
        self, model: str, base_url: str | None, api_key_env: str | None, *, timeout: float, retries: int
    ) -> None:
        if not isinstance(model, str) or not model.strip():
            raise InvalidOptionError(f"model must be a model's name, got {model!r}", where="model")
        if api_key_env is not None and not (isinstance(api_key_env, str) and _VARIABLE.fullmatch(api_key_env)):
            # Not shown: what stands here by mistake is most likely the key itself.
            raise InvalidOptionError(
                "api_key_env must be the name of an environment variable, not a key", where="api_key_env"
            )
        if not _number(timeout) or not timeout > 0 or not math.isfinite(timeout):
            raise InvalidOptionError(f"timeout must be a positive number of seconds, got {timeout!r}", where="timeout")
        if isinstance(retries, bool) or not isinstance(retries, int) or retries < 0:
            raise InvalidOptionError(f"retries must be a whole number of at least 0, got {retries!r}", where="retries")
        self.model = model
        self.api_key_env = api_key_env
        self.timeout = timeout
        self.retries = retries
        if base_url is None and os.environ.get(_URL_VARIABLE):
            self.url = _address(os.environ[_URL_VARIABLE], f"environment variable {_URL_VARIABLE}")
        else:
            self.url = _address(DEFAULT_URL if base_url is None else base_url, "base_url")
        self.counts = dict.fromkeys(_COUNTS, 0)
        self._client: Any = None

    def __repr__(self) -> str:
        return f"Endpoint({self.model!r}, {self.url!r})"

    def __getstate__(self) -> dict[str, Any]:
        # The client holds the key and open connections; whoever needs one makes one.
        return {**self.__dict__, "_client": None}

    @property
    def official(self) -> bool:
        """Whether this is OpenAI's own endpoint, whose newer models take other fields than everybody else's."""
        return urlsplit(self.url).hostname == urlsplit(DEFAULT_URL).hostname

    def wait(self, seconds: float) -> None:
        """Pauses between two tries."""
        time.sleep(seconds)

    def close(self) -> None:
        """Closes open connections; the next request opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def complete(self, **request: Any) -> Completion:
        """Returns the model's answer to a request.

        Args:
            request: fields of a chat-completions request beside ``model``.

        Raises:
            EndpointError: no usable answer after all tries, or none that a further try could bring.
            MissingExtraError: the client library is not installed.
        """
        client = self._connected()
        tried = 0
        while True:
            found = self._try(client, request)
            if isinstance(found, Completion):
                return found
            tried += 1
            if not found.again or tried > self.retries:
                break
            self.counts["retries"] += 1
            self.wait(_pause(tried, found.after))
        times = "" if tried == 1 else f" ({tried} tries)"
        raise self._error(f"{found.what}{times}", self._remedy(found.status), found.status)

    def _connected(self) -> Any:
        if self._client is None:
            openai = _library()
            # Always given: the library would look up keys on its own otherwise. Its own retries are turned off.
            self._client = openai.OpenAI(
                api_key=self._key() or _NO_KEY, base_url=self.url, timeout=self.timeout, max_retries=0
            )
        return self._client

    def _key(self) -> str:
        key = os.environ.get(self.api_key_env, "").strip() if self.api_key_env else ""
        if key and not (key.isascii() and key.isprintable() and " " not in key):
            # Checked here, since an error from further down would quote the header.
            raise self._error(
                f"the key in {self.api_key_env} holds characters that no key can hold", f"Set {self.api_key_env} anew"
            )
        if not key and self.official:
            raise self._error(
                f"there is no key in the environment variable {self.api_key_env}"
                if self.api_key_env
                else "this endpoint needs a key, and no environment variable is named for it",
                f"Set {self.api_key_env or 'a variable and name it as api_key_env'}, or give the base_url of another "
                "endpoint",
            )
        return key

    def _try(self, client: Any, request: Mapping[str, Any]) -> Completion | _Failure:
        openai = _library()
        try:
            # The raw answer: what a lenient parser makes of a broken one is not worth having.
            answer = client.chat.completions.with_raw_response.create(model=self.model, **request)
            body = answer.content
        except openai.APITimeoutError:
            return _Failure(f"no answer within {self.timeout:g} s")
        except openai.APIConnectionError as error:
            return _Failure(f"no connection: {self._quoted(client, error.__cause__ or error)}")
        except openai.APIStatusError as error:
            status = error.status_code
            # Servers like to repeat the key that they do not accept.
            said = "" if status in (401, 403) else self._quoted(client, _words(error.body))
            headers = error.response.headers
            return _Failure(
                f"answered with status {status}" + (f": {said}" if said else ""),
                status,
                _worth_a_try(status),
                _asked_for(headers.get("retry-after-ms"), headers.get("retry-after")),
            )
        except openai.OpenAIError as error:
            return _Failure(self._quoted(client, error) or type(error).__name__, again=False)
        return self._read(client, body)

    def _read(self, client: Any, body: bytes) -> Completion | _Failure:
        try:
            value = json.loads(body)
        except (ValueError, RecursionError):
            return _Failure("answered with something that is not JSON", 200)
        answer = value if isinstance(value, Mapping) else {}
        choices = answer.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], Mapping) else {}
        # Gateways report a failure of the model behind them inside an answer with status 200.
        error = choice.get("error") or answer.get("error")
        if error:
            code = error.get("code") if isinstance(error, Mapping) else None
            status = code if isinstance(code, int) and 400 <= code < 600 else None
            said = "" if status in (401, 403) else self._quoted(client, _words(error))
            what = f"answered with an error{f' {status}' if status else ''}" + (f": {said}" if said else "")
            return _Failure(what, status or 200, status is None or _worth_a_try(status))
        message = choice.get("message")
        if not isinstance(message, Mapping):
            return _Failure("answered without a message", 200)
        usage = answer.get("usage")
        self.counts["calls"] += 1
        for name in ("prompt_tokens", "completion_tokens"):
            amount = usage.get(name) if isinstance(usage, Mapping) else None
            if isinstance(amount, int) and not isinstance(amount, bool) and amount > 0:
                self.counts[name] += amount
        reason = choice.get("finish_reason")
        return Completion(message, reason if isinstance(reason, str) else "")

    def _quoted(self, client: Any, said: object) -> str:
        text = " ".join(str(said).split())
        key = getattr(client, "api_key", None)
        if isinstance(key, str) and key and key != _NO_KEY:
            text = text.replace(key, "[key]")
        text = text.rstrip(".")
        return text if len(text) <= _MOST_WORDS else f"{text[:_MOST_WORDS]}..."

    def _remedy(self, status: int | None) -> str:
        if status in (401, 403):
            variable = f"the key in the environment variable {self.api_key_env}" if self.api_key_env else "api_key_env"
            return f"Check {variable} and what it is allowed to use"
        if status == 404:
            return "Check the base_url (it usually ends in /v1) and the model's name"
        if status == 429:
            return "Wait, or raise the limit; a stored run goes on where it stopped when it is started again"
        if status == 200:
            return "Check that the base_url leads to a chat-completions endpoint (it usually ends in /v1)"
        if status is None or _worth_a_try(status):
            return (
                "Check that the server runs, or give it more time (timeout, retries); a stored run goes on where it "
                "stopped when it is started again"
            )
        return "Check that the model takes tools, this temperature and max_tokens, and a conversation of this length"

    def _error(self, what: str, remedy: str, status: int | None = None) -> EndpointError:
        where = f"chat endpoint {self.url}, model {self.model}"
        return EndpointError(what, where=where, remedy=remedy, endpoint=self.url, status=status)


def _library() -> Any:
    library: Any = None
    with suppress(ImportError):
        library = import_module("openai")
    if library is None:
        raise MissingExtraError("llm", "a chat PA", "openai")
    return library


def _address(url: object, where: str) -> str:
    remedy = "Give an address such as http://localhost:8000/v1"
    try:
        parts = urlsplit(url) if isinstance(url, str) else None
        good = parts is not None and parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        parts, good = None, False
    if parts is not None and (parts.username is not None or parts.password is not None or parts.query):
        # Not shown either. An address is written into run records, so nothing secret may stand in it.
        raise InvalidOptionError(
            "an address may hold no user name, password or query", where=where, remedy="Keep keys in the environment"
        )
    if parts is None or not good or parts.fragment:
        raise InvalidOptionError("not the address of an endpoint", where=where, remedy=remedy)
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def _worth_a_try(status: int) -> bool:
    return status in (408, 429) or status >= 500


def _pause(tried: int, asked: float | None) -> float:
    if asked is not None:
        return min(asked, LONGEST_WAIT)
    return float(min(_FIRST_WAIT * 2.0 ** (tried - 1), LONGEST_WAIT)) * _jitter.uniform(0.75, 1.0)


def _asked_for(milliseconds: str | None, seconds: str | None) -> float | None:
    """Returns the pause that a server asks for, in seconds: a number of them or a date (RFC 9110, 10.2.3)."""
    for text, unit in ((milliseconds, 0.001), (seconds, 1.0)):
        try:
            amount = float(text or "") * unit
        except ValueError:
            continue
        if math.isfinite(amount) and amount >= 0:
            return amount
    try:
        return max(0.0, parsedate_to_datetime(seconds or "").timestamp() - time.time())
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def _words(body: object) -> str:
    inner = body.get("error", body) if isinstance(body, Mapping) else body
    said = inner.get("message") if isinstance(inner, Mapping) else inner
    return said if isinstance(said, str) else ""


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
