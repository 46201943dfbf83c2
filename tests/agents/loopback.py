"""A chat-completions server on the loopback interface that answers as it is told and keeps every request."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

__all__ = ["Answer", "Loopback", "Request", "completion", "empty", "failure", "tool_call"]


@dataclass(frozen=True)
class Request:
    """A request as it came in; header names are in lower case."""

    path: str
    headers: Mapping[str, str]
    text: str

    @property
    def body(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.text)
        return value

    @property
    def messages(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.body["messages"]
        return found

    @property
    def tools(self) -> list[str]:
        return [tool["function"]["name"] for tool in self.body["tools"]]


@dataclass(frozen=True)
class Answer:
    """What to send: a body, or half of it and then nothing (``cut``), or nothing at all (``silent``)."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False
    silent: bool = False


def tool_call(name: str, arguments: Any = None, identifier: str = "x") -> dict[str, Any]:
    """Returns a tool call; arguments that are text are sent as they are."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments or {})
    return {"id": identifier, "type": "function", "function": {"name": name, "arguments": text}}


def completion(
    text: Any = None,
    *calls: dict[str, Any],
    finish: str | None = None,
    usage: Any = None,
) -> Answer:
    """Returns a chat completion with a text, tool calls, or both."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = list(calls)
    choice = {"index": 0, "message": message, "finish_reason": finish or ("tool_calls" if calls else "stop")}
    body: dict[str, Any] = {"id": "c", "object": "chat.completion", "created": 0, "model": "stub", "choices": [choice]}
    if usage is not None:
        body["usage"] = usage
    return Answer(json.dumps(body).encode())


def empty() -> Answer:
    """Returns a completion that holds nothing."""
    return completion("")


def failure(status: int, message: str = "no", **headers: str) -> Answer:
    """Returns an error as servers word it; an underscore in a header's name stands for a hyphen."""
    body = json.dumps({"error": {"message": message, "type": "error", "code": None}}).encode()
    return Answer(body, status, {name.replace("_", "-"): value for name, value in headers.items()})


class Loopback:
    """Serves answers, given one by one or by a function of the request; without more to say it fails with 418."""

    def __init__(self, answers: Iterable[Answer] | Callable[[Request], Answer] = ()) -> None:
        self.requests: list[Request] = []
        self._left = None if callable(answers) else list(answers)
        self._model = answers if callable(answers) else None
        self._over = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                length = int(self.headers["content-length"])
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Request(self.path, headers, self.rfile.read(length).decode())
                outer._serve(self, request)

            def log_message(self, format: str, *args: Any) -> None:
                """Says nothing: tests read what is printed."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        """The base address that a client takes."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def say(self, *answers: Answer) -> None:
        """Adds answers to be given."""
        assert self._left is not None
        self._left.extend(answers)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _serve(self, handler: BaseHTTPRequestHandler, request: Request) -> None:
        self.requests.append(request)
        if self._model is not None:
            answer = self._model(request)
        else:
            answer = self._left.pop(0) if self._left else failure(418, "nothing more to say")
        if answer.silent:
            self._over.wait(10)
            return
        handler.send_response(answer.status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(answer.body)))
        for name, value in answer.headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(answer.body[: len(answer.body) // 2] if answer.cut else answer.body)
