"""An OpenAI-compatible server on loopback that counts what it is asked and misbehaves on demand."""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any


@dataclass(frozen=True)
class Says:
    """What the server does with one request. `raw` replaces the JSON body."""

    text: str = "```c\nint f(void) { return 1; }\n```"
    status: int = 200
    delay_s: float = 0.0
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    error: dict[str, Any] | None = None
    finish_reason: str = "stop"
    cached_tokens: int = 0
    calls: tuple[tuple[str, str], ...] = ()  # name and arguments of tools


Behaviour = Callable[[dict[str, Any], int], Says]


class StubServer:
    """`behaviour(body, nth)` decides on the `nth` request (from 1) of the same prompt. Use as a context manager."""

    def __init__(self, behaviour: Behaviour = lambda body, nth: Says()) -> None:
        self.requests: Counter[str] = Counter()
        self.replied: Counter[str] = Counter()
        self.bodies: list[dict[str, Any]] = []
        self.in_flight = 0
        self.most_in_flight = 0
        self.lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                server.handle(self, behaviour)

            def log_message(self, *arguments: Any) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.http.request_queue_size = 128
        self.address = f"http://127.0.0.1:{self.http.server_address[1]}/v1"
        self.thread = threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def total(self) -> int:
        return sum(self.requests.values())

    def handle(self, request: BaseHTTPRequestHandler, behaviour: Behaviour) -> None:
        body = json.loads(request.rfile.read(int(request.headers["content-length"])))
        key = body["messages"][-1]["content"]
        with self.lock:
            self.requests[key] += 1
            self.bodies.append(body)
            self.in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self.in_flight)
            says = behaviour(body, self.requests[key])
        try:
            time.sleep(says.delay_s)
            payload = says.raw if says.raw is not None else json.dumps(says.error or reply(body, says)).encode()
            request.send_response(says.status)
            for name, value in {"content-type": "application/json", **says.headers}.items():
                request.send_header(name, value)
            request.send_header("content-length", str(len(payload)))
            request.end_headers()
            request.wfile.write(payload)
            with self.lock:
                self.replied[key] += 1
        except OSError:
            request.close_connection = True  # whoever asked was killed
        finally:
            with self.lock:
                self.in_flight -= 1

    def __enter__(self) -> "StubServer":
        self.thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.http.shutdown()
        self.http.server_close()


def reply(body: dict[str, Any], says: Says) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": says.text}
    if says.calls:
        message["tool_calls"] = [
            {"id": f"call{index}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for index, (name, arguments) in enumerate(says.calls)
        ]
    return {
        "id": "stub", "object": "chat.completion", "created": 1, "model": body.get("model"),
        "choices": [{"index": 0, "finish_reason": says.finish_reason, "message": message}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120,
                  "prompt_tokens_details": {"cached_tokens": says.cached_tokens}},
    }  # fmt: skip
