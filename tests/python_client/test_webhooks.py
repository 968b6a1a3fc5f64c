"""The program in the guide that sends finished games on: each arrives signed, as Standard Webhooks says."""

import hmac
import os
import re
import subprocess
import sys
from base64 import b64decode, b64encode
from collections.abc import Generator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Final

import msgspec
from catch_the_ten import Client

from clients.python.generate.__main__ import PACKAGE
from openapi.examples.guide import GUIDE
from tests.support.guard import guarded_group
from tests.support.http.server import serving
from tests.support.patience import WAIT
from tests.support.processes import ROOT

KEY: Final = "the-key-of-an-app"
SECRET: Final = "whsec_" + b64encode(b"a secret of the receiver").decode()
_PROGRAMS: Final[list[str]] = re.findall(r"^```python\n(.*?)^```", GUIDE.read_text(), re.DOTALL | re.MULTILINE)
(PROGRAM,) = [program for program in _PROGRAMS if "def forward" in program]


class Received(msgspec.Struct):
    """A webhook: its headers, and its body as sent."""

    headers: dict[str, str]
    body: bytes


@contextmanager
def receiving() -> Generator[tuple[str, Queue[Received]]]:
    """Receive webhooks at an address."""
    received = Queue[Received]()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            received.put(Received({name.lower(): each for name, each in self.headers.items()}, body))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002 – the names of the base class

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", received
        server.shutdown()


def test_the_program_of_the_guide_sends_each_finished_game_on_with_a_signature(tmp_path: Path) -> None:
    with serving(API_KEYS=f"app:{sha256(KEY.encode()).hexdigest()}") as served, receiving() as (url, received):
        base = f"http://127.0.0.1:{served.port}"
        with Client(base, key=KEY) as client:
            opened = client.open_game(rules="trebor", players=2)
            client.join(opened.id, opened.host_token).deal()
            client.join(opened.id, opened.seats[0].token).resign()
        call = f"forward(Client({base!r}, key={KEY!r}), {url!r}, {SECRET!r})\n"
        (tmp_path / "program.py").write_text(f"{PROGRAM}\n{call}", encoding="utf-8")
        command = (sys.executable, "-W", "error", str(tmp_path / "program.py"))
        environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
        with subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, process_group=guarded_group()
        ) as program:
            webhook = received.get(timeout=WAIT)
            assert program.stdout is not None
            place = program.stdout.readline().strip()
            program.kill()
    named, game = webhook.headers, msgspec.json.decode(webhook.body)
    signed = f"{named['webhook-id']}.{named['webhook-timestamp']}.".encode() + webhook.body
    key = b64decode(SECRET.removeprefix("whsec_"))
    assert named["webhook-signature"] == "v1," + b64encode(hmac.digest(key, signed, "sha256")).decode()
    assert (named["webhook-id"], game["type"], game["data"]["id"]) == (opened.id, "game.finished", opened.id)
    assert place == game["data"]["place"]
