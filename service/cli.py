"""The command line: serve, openapi."""

import argparse
import gc
import os
import sys
from collections.abc import Sequence

import uvicorn

from service.app import create_app
from service.settings import BadSettings, Settings, read_settings


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and tell its exit code: 0, or 2 for settings that cannot be used."""
    parser = argparse.ArgumentParser(prog="catch-the-ten", description="Catch the Ten, adjudicated over HTTP.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("serve", help="serve the API; settings come from the environment")
    commands.add_parser("openapi", help="write the OpenAPI document to standard output")
    chosen = parser.parse_args(arguments)
    try:
        settings = read_settings(os.environ)
    except BadSettings as exc:
        print(exc, file=sys.stderr)
        return 2
    if chosen.command == "serve":
        serve(settings)
    return 0


def serve(settings: Settings) -> None:
    """Serve until told to stop.

    What the start has made stays for good, so the garbage collector need not look at it again.
    """
    config = uvicorn.Config(
        create_app(settings),
        host=settings.host,
        port=settings.port,
        loop="uvloop",
        http="httptools",
        ws="none",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
    )
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    uvicorn.Server(config).run()
