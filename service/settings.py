"""Settings, read from the environment once at the start; a bad one stops the start with every fault named."""

from collections.abc import Mapping
from ipaddress import ip_network
from typing import Annotated, get_type_hints

import msgspec
from msgspec import Meta, Struct


class Settings(Struct, frozen=True):
    """Every setting: the name of its environment variable is the field's in capitals."""

    host: Annotated[str, Meta(min_length=1, description="The address to serve on.")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535, description="The port to serve on; 0 takes a free one.")] = 8000
    metrics_port: Annotated[
        Annotated[int, Meta(ge=1, le=65535)] | None,
        Meta(description="A port of its own for /metrics, which is then not on the other; unset, it is there."),
    ] = None
    metrics_host: Annotated[
        str, Meta(min_length=1, description="The address to serve /metrics on, where it has a port of its own.")
    ] = "127.0.0.1"
    max_body_bytes: Annotated[
        int, Meta(ge=1024, le=64 * 1024 * 1024, description="The largest request body, in bytes.")
    ] = 4 * 1024 * 1024
    redis_url: Annotated[
        Annotated[str, Meta(pattern=r"^rediss?(\+sentinel|\+cluster)?://.+$")] | None,
        Meta(description="Where live games are kept; unset, they are kept inside the process."),
    ] = None
    store_timeout: Annotated[
        float, Meta(gt=0, le=60, description="How long a call on the store may take, in seconds.")
    ] = 1.0
    store_replicas: Annotated[
        int, Meta(ge=0, le=10, description="How many Redis replicas must have a change before it is acknowledged.")
    ] = 0
    games_at_most: Annotated[int, Meta(ge=1, description="Live games kept inside the process, at most.")] = 10_000
    game_bytes_at_most: Annotated[
        int, Meta(ge=1024, description="Bytes of live games kept inside the process, at most.")
    ] = 64 * 1024 * 1024
    streams_at_most: Annotated[int, Meta(ge=0, description="Event streams open at once, at most.")] = 10_000
    stream_heartbeat: Annotated[
        float, Meta(gt=0, le=3600, description="Seconds without news after which a stream gives a sign of life.")
    ] = 15.0
    stream_patience: Annotated[
        float, Meta(gt=0, le=3600, description="Seconds after which a client that does not read its stream is dropped.")
    ] = 10.0

    api_keys: Annotated[
        str | None,
        Meta(description="Keys that apps need, as hashes: name:sha256, with commas between; unset, none is needed."),
    ] = None
    api_keys_file: Annotated[
        str | None, Meta(description="A file of such keys, a line for each; it may change while the service runs.")
    ] = None
    rate_limit: Annotated[
        Annotated[str, Meta(pattern="^[1-9][0-9]{0,5}/(second|minute|hour|day)$")] | None,
        Meta(description="Requests of one app, or without keys of one address, such as 600/minute; unset, no limit."),
    ] = None
    cors_origins: Annotated[
        Annotated[str, Meta(pattern=r"^(\*|https?://[^/,*\s]+(, *https?://[^/,*\s]+)*)$")] | None,
        Meta(description="Origins whose pages may ask from a browser, with commas between, or *; unset, none."),
    ] = None
    trusted_proxies: Annotated[
        str | None,
        Meta(description="Addresses and networks of proxies whose X-Forwarded-For is believed; unset, nobody's."),
    ] = None


class BadSettings(Exception):
    """Settings that cannot be used, each named with what is wrong with it."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


def parse_networks(text: str) -> list[str]:
    """Read addresses and networks, with commas between.

    Errors: ValueError, for one that is neither.
    """
    return [str(ip_network(part.strip())) for part in text.split(",")]


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Read the settings from the environment; what is not set keeps its default.

    Errors: BadSettings, with every fault found.
    """
    values: dict[str, object] = {}
    faults: list[str] = []
    for name, kind in get_type_hints(Settings, include_extras=True).items():
        text = environment.get(name.upper())
        if text is None:
            continue
        try:
            values[name] = msgspec.convert(text, kind, strict=False)
            if name == "trusted_proxies":
                parse_networks(text)
        except ValueError as exc:
            # A URL may hold a password, also one that cannot be read; and in place of a hash there may be the key.
            shown = "" if name in {"redis_url", "api_keys"} else f"={text!r}"
            faults.append(f"{name.upper()}{shown}: {exc}")
    if faults:
        raise BadSettings(tuple(faults))
    return msgspec.convert(values, Settings)
