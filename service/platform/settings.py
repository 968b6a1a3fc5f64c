"""Settings, read from the environment at the start; the start fails with all their faults."""

import sys
from collections.abc import Mapping
from ipaddress import ip_network
from typing import Annotated, Any, Final, Literal, get_type_hints

import msgspec
from msgspec import Meta, Struct

SECRET: Final = frozenset({"redis_url", "api_keys"})
"""Settings that may hold a password or, by mistake, a key; their values are never shown."""
_NO_KEYS: Final = "is set but empty, so no key would be asked for; set keys, or unset it"
_ORIGIN: Final = r"[a-z][a-z0-9+.-]*://[^/,*\s]+"
"""An origin of a page; mobile apps have their own schemes, such as `capacitor`."""


class Settings(Struct, frozen=True):
    """Every setting; its environment variable has the name of the field, in capitals."""

    host: Annotated[str, Meta(min_length=1, description="The address to listen on.")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535, description="The port to listen on; 0 takes a free one.")] = 8000
    metrics_port: Annotated[
        Annotated[int, Meta(ge=1, le=65535)] | None,
        Meta(
            description="A separate port for /metrics, which is then served nowhere else; unset, it is served on PORT."
        ),
    ] = None
    metrics_host: Annotated[
        str, Meta(min_length=1, description="The address to listen on for /metrics, if it has a separate port.")
    ] = "127.0.0.1"
    max_body_bytes: Annotated[
        int, Meta(ge=1024, le=64 * 1024 * 1024, description="The largest request body, in bytes.")
    ] = 2 * 1024 * 1024
    redis_url: Annotated[
        Annotated[str, Meta(pattern=r"^rediss?(\+sentinel|\+cluster)?://.+\Z")] | None,
        Meta(
            description="The Redis that stores live games; unset, each process keeps its own in memory.",
            examples=["redis://host:6379/0"],
        ),
    ] = None
    store_timeout: Annotated[float, Meta(gt=0, le=60, description="Seconds that a call to the store may take.")] = 1.0
    store_replicas: Annotated[
        int,
        Meta(
            ge=0,
            le=10,
            description="Redis replicas that must have a change before it is acknowledged: all that a primary has, or "
            "a failover may lose it.",
        ),
    ] = 0
    max_ttl: Annotated[
        int,
        Meta(
            ge=60,
            le=30 * 24 * 3600,
            description="Seconds without a change after which a live game expires, even if its `ttl` is longer.",
        ),
    ] = 24 * 3600
    feed_seconds: Annotated[
        int,
        Meta(ge=60, le=90 * 24 * 3600, description="Seconds for which a finished game stays in the feed of its app."),
    ] = 7 * 24 * 3600
    max_streams: Annotated[
        int, Meta(ge=0, description="Event streams open at once in a process; one app or address has half, at most.")
    ] = 10_000
    stream_heartbeat: Annotated[
        float, Meta(gt=0, le=3600, description="Seconds without an event after which a stream sends a heartbeat.")
    ] = 15.0
    stream_timeout: Annotated[
        float, Meta(gt=0, le=3600, description="Seconds after which a stream is closed if its client does not read.")
    ] = 10.0
    max_suggestions: Annotated[
        int,
        Meta(
            ge=0,
            le=64,
            description="0 turns suggestions off. Any other number leaves them on.",
        ),
    ] = 4
    keep_alive_seconds: Annotated[
        int,
        Meta(
            ge=1,
            le=3600,
            description="Seconds after which an idle connection is closed. It must exceed the load balancer's own "
            "limit, usually 60.",
        ),
    ] = 75
    drain_seconds: Annotated[
        float,
        Meta(
            ge=0,
            le=3600,
            description="Seconds that the process goes on serving, though not ready, after a signal to stop.",
        ),
    ] = 0.0
    shutdown_seconds: Annotated[
        int, Meta(ge=1, le=3600, description="Seconds that requests still running after that have to finish, at most.")
    ] = 10
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        Meta(
            description="The lowest level that is logged: requests are info, or warning if they fail with 5xx; health "
            "checks debug."
        ),
    ] = "info"
    log_format: Annotated[
        Literal["auto", "json", "text"],
        Meta(description="The format of the log; auto is text on a terminal and json elsewhere."),
    ] = "auto"
    log_addresses: Annotated[
        Literal["on", "off"],
        Meta(description="If the line of a request names the address of the client."),
    ] = "on"
    api_keys: Annotated[
        str | None,
        Meta(
            description="Accepted API keys as name:sha256, comma-separated; without these or a file, no key is needed."
        ),
    ] = None
    api_keys_file: Annotated[
        str | None,
        Meta(description="A file of accepted API keys, one name:sha256 a line; it is read again when it changes."),
    ] = None
    rate_limit: Annotated[
        Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,5}/(second|minute|hour|day)\Z")] | None,
        Meta(
            description="Requests that each app, or without keys each address, may make; unset, there is no limit.",
            examples=["600/minute", "10/second"],
        ),
    ] = None
    cors_origins: Annotated[
        Annotated[str, Meta(pattern=rf"^(\*|{_ORIGIN}(, *{_ORIGIN})*)\Z")] | None,
        Meta(
            description="Origins whose pages may call the API, also of apps, comma-separated, or *; unset, none.",
            examples=["https://cards.example", "capacitor://localhost"],
        ),
    ] = None
    trusted_proxies: Annotated[
        str | None,
        Meta(
            description="Addresses and networks of trusted proxies, whose X-Forwarded-For counts, comma-separated.",
            examples=["10.0.0.1,10.1.0.0/16"],
        ),
    ] = None

    @property
    def asks_keys(self) -> bool:
        """Return True if questions need an API key."""
        return self.api_keys is not None or self.api_keys_file is not None


class BadSettings(Exception):
    """Unusable settings, each with its fault."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


def parse_networks(text: str) -> list[str]:
    """Parse addresses and networks, separated by commas.

    Errors: ValueError, for one that is neither.
    """
    return [str(ip_network(part.strip())) for part in text.split(",")]


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Read the settings from the environment; a variable that is unset or blank leaves the default.

    Blank keys without others are refused: an operator who sets them wants keys to be required. Blanks and line ends
    around a value are stripped: a value from a file often ends with one.

    Errors: BadSettings, with every fault.
    """
    values: dict[str, object] = {}
    faults: list[str] = []
    for name, kind in get_type_hints(Settings, include_extras=True).items():
        text = environment.get(name.upper(), "").strip()
        if not text:
            continue
        try:
            values[name] = msgspec.convert(text, kind, strict=False)
        except msgspec.ValidationError:
            shown = "" if name in SECRET else f"={text[:100]!r}"
            faults.append(f"{name.upper()}{shown}: must be {_describe_values(name)}")
    settings = msgspec.convert(values, Settings)
    try:
        parse_networks(settings.trusted_proxies or "::")
    except ValueError as exc:
        faults.append(f"TRUSTED_PROXIES={settings.trusted_proxies!r}: {exc}")
    if not {"api_keys", "api_keys_file"} & values.keys():
        faults += [f"{name}: {_NO_KEYS}" for name in ("API_KEYS", "API_KEYS_FILE") if name in environment]
    if sys.flags.optimize > 1:
        faults.append("PYTHONOPTIMIZE=2, or -OO: this takes away the texts from which the API is described; use 1.")
    if faults:
        raise BadSettings(tuple(faults))
    return settings


def write_table() -> str:
    """Return the table of all settings, as Markdown."""
    rows = [("setting", "meaning", "default", "values"), ("---",) * 4]
    rows += [
        (f"`{name.upper()}`", it["description"], _format_default(it), _describe_values(name))
        for name, it in _SCHEMA.items()
    ]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


_SCHEMA: Final[dict[str, dict[str, Any]]] = msgspec.json.schema(Settings)["$defs"]["Settings"]["properties"]


def _format_default(schema: Mapping[str, Any]) -> str:
    default = schema["default"]
    return "unset" if default is None else f"`{default:g}`" if isinstance(default, float) else f"`{default}`"


def _describe_values(name: str) -> str:
    """Return the allowed values of a setting, in words."""
    schema = _SCHEMA[name]
    schema = schema | schema.get("anyOf", [{}])[0]
    if "enum" in schema:
        return f"one of {', '.join(schema['enum'])}"
    if schema["type"] not in {"integer", "number"}:
        examples = " or ".join(f"`{example}`" for example in schema.get("examples", ()))
        return f"text such as {examples}" if examples else "text"
    kind = "a whole number" if schema["type"] == "integer" else "a number"
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is None:
        return f"{kind} above {schema['exclusiveMinimum']:g} and up to {most}"
    return f"{kind} from {least} to {most}" if most is not None else f"{kind} from {least}"
