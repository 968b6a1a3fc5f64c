"""Settings, read from the environment once at the start; a bad one stops the start with every fault named."""

from collections.abc import Mapping
from ipaddress import ip_network
from typing import Annotated, Any, Final, Literal, get_type_hints

import msgspec
from msgspec import Meta, Struct

SECRET: Final = frozenset({"redis_url", "api_keys"})
"""Settings that may hold a password or, by mistake, a key: what they are set to is never shown."""


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
        Meta(
            description="Where live games are kept; unset, they are kept inside the process.",
            examples=["redis://host:6379/0"],
        ),
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
    workers: Annotated[
        int, Meta(ge=1, le=64, description="Processes that serve; more than one need a store that they share.")
    ] = 1
    drain_seconds: Annotated[
        float,
        Meta(ge=0, le=3600, description="Seconds between being not ready and listening no more, once told to stop."),
    ] = 0.0
    shutdown_seconds: Annotated[
        int, Meta(ge=1, le=3600, description="Seconds that what still runs then has to finish, at most.")
    ] = 10
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        Meta(description="The least that is logged; requests are logged as info."),
    ] = "info"
    log_format: Annotated[
        Literal["auto", "json", "text"], Meta(description="How it is logged; auto is text on a terminal, else json.")
    ] = "auto"
    api_keys: Annotated[
        str | None,
        Meta(description="Keys that apps need, as hashes: name:sha256, with commas between; unset, none is needed."),
    ] = None
    api_keys_file: Annotated[
        str | None, Meta(description="A file of such keys, a line for each; it may change while the service runs.")
    ] = None
    rate_limit: Annotated[
        Annotated[str, Meta(pattern="^[1-9][0-9]{0,5}/(second|minute|hour|day)$")] | None,
        Meta(
            description="Requests of one app, or without keys of one address; unset, there is no limit.",
            examples=["600/minute", "10/second"],
        ),
    ] = None
    cors_origins: Annotated[
        Annotated[str, Meta(pattern=r"^(\*|https?://[^/,*\s]+(, *https?://[^/,*\s]+)*)$")] | None,
        Meta(
            description="Origins whose pages may ask from a browser, with commas between, or *; unset, none.",
            examples=["https://cards.example"],
        ),
    ] = None
    trusted_proxies: Annotated[
        str | None,
        Meta(
            description="Addresses and networks of proxies whose X-Forwarded-For is believed; unset, nobody's.",
            examples=["10.0.0.1,10.1.0.0/16"],
        ),
    ] = None


class BadSettings(Exception):
    """Settings that cannot be used, each named with what is wrong with it.

    Shape: `usable` has defaults in the place of those at fault.
    """

    def __init__(self, faults: tuple[str, ...], usable: Settings | None = None) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults
        self.usable = usable or Settings()


def parse_networks(text: str) -> list[str]:
    """Read addresses and networks, with commas between.

    Errors: ValueError, for one that is neither.
    """
    return [str(ip_network(part.strip())) for part in text.split(",")]


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Read the settings from the environment; what is not set, or is empty, keeps its default.

    Errors: BadSettings, with every fault found.
    """
    values: dict[str, object] = {}
    faults: list[str] = []
    for name, kind in get_type_hints(Settings, include_extras=True).items():
        text = environment.get(name.upper())
        if not text:
            continue
        try:
            values[name] = msgspec.convert(text, kind, strict=False)
        except msgspec.ValidationError:
            shown = "" if name in SECRET else f"={text[:100]!r}"
            faults.append(f"{name.upper()}{shown}: must be {_bounds(name)}")
    settings = msgspec.convert(values, Settings)
    if settings.workers > 1 and not environment.get("REDIS_URL"):
        faults.append(
            f"WORKERS='{settings.workers}': needs REDIS_URL, for what one process keeps of games the others do not see"
        )
    try:
        parse_networks(settings.trusted_proxies or "::")
    except ValueError as exc:
        faults.append(f"TRUSTED_PROXIES={settings.trusted_proxies!r}: {exc}")
    if faults:
        raise BadSettings(tuple(faults), settings)
    return settings


def write_table() -> str:
    """Write the table of all settings, as Markdown."""
    rows = [("setting", "meaning", "default", "may be"), ("---",) * 4]
    rows += [(f"`{name.upper()}`", it["description"], _default(it), _bounds(name)) for name, it in _SCHEMA.items()]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


_SCHEMA: Final[dict[str, dict[str, Any]]] = msgspec.json.schema(Settings)["$defs"]["Settings"]["properties"]


def _default(schema: Mapping[str, Any]) -> str:
    default = schema["default"]
    return "unset" if default is None else f"`{default:g}`" if isinstance(default, float) else f"`{default}`"


def _bounds(name: str) -> str:
    """Say what a setting may be."""
    schema = _SCHEMA[name]
    schema = schema | schema.get("anyOf", [{}])[0]
    if "enum" in schema:
        return f"one of {', '.join(schema['enum'])}"
    if schema["type"] not in {"integer", "number"}:
        return " ".join(["text", *(f"such as `{example}`" for example in schema.get("examples", ()))])
    kind = "a whole number" if schema["type"] == "integer" else "a number"
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is None:
        return f"{kind} above {schema['exclusiveMinimum']:g}, {most} at most"
    return f"{kind} from {least} to {most}" if most is not None else f"{kind}, {least} at least"
