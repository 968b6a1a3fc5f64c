"""Settings: read from the environment, every bad one named at once."""

from typing import Final

import msgspec
import pytest

from service.platform.settings import BadSettings, Settings, read_settings, write_table


def faults(**environment: str) -> tuple[str, ...]:
    """Return the errors of an environment."""
    with pytest.raises(BadSettings) as raised:
        read_settings(environment)
    assert str(raised.value) == "\n".join(raised.value.faults)
    return raised.value.faults


def test_nothing_set_gives_the_defaults() -> None:
    assert read_settings({}) == Settings()


def test_the_defaults_keep_their_own_bounds() -> None:
    assert msgspec.convert(msgspec.to_builtins(Settings()), Settings) == Settings()


def test_what_is_set_counts() -> None:
    settings = read_settings({"HOST": "::1", "PORT": "0", "MAX_BODY_BYTES": "2048", "REDIS_URL": "redis://h/0"})
    assert settings == Settings(host="::1", port=0, max_body_bytes=2048, redis_url="redis://h/0")


def test_other_variables_do_not_count() -> None:
    assert read_settings({"PATH": "/bin", "port": "1", "Port": "2", "PORTS": "3"}) == Settings()


@pytest.mark.parametrize("name", ["API_KEYS", "API_KEYS_FILE"])
@pytest.mark.parametrize("text", ["", " \n"])
def test_keys_that_are_set_but_empty_are_refused(name: str, text: str) -> None:
    assert faults(**{name: text}) == (f"{name}: is set but empty, so no key would be asked for; set keys, or unset it",)

    other = {"API_KEYS": "API_KEYS_FILE", "API_KEYS_FILE": "API_KEYS"}[name]
    assert read_settings({name: text, other: "x"}).asks_keys


def test_every_bad_setting_is_named_at_once_with_what_is_wrong_with_it() -> None:
    port, body, timeout = faults(PORT="abc", MAX_BODY_BYTES="12", STORE_TIMEOUT="0", HOST="h")
    assert port == "PORT='abc': must be a whole number from 0 to 65535"
    assert body == "MAX_BODY_BYTES='12': must be a whole number from 1024 to 67108864"
    assert timeout == "STORE_TIMEOUT='0': must be a number above 0 and up to 60"


BAD: Final = [
    ("PORT", "-1"),
    ("PORT", "65536"),
    ("PORT", "80.5"),
    ("PORT", "0x50"),
    ("PORT", "true"),
    ("PORT", "9" * 5000),
    ("MAX_BODY_BYTES", "1023"),
    ("MAX_BODY_BYTES", str(64 * 1024 * 1024 + 1)),
    ("MAX_BODY_BYTES", "4M"),
    ("REDIS_URL", "localhost:6379"),
    ("REDIS_URL", "http://localhost"),
    ("STORE_TIMEOUT", "nan"),
    ("STORE_TIMEOUT", "inf"),
    ("STORE_TIMEOUT", "-1"),
    ("STORE_REPLICAS", "11"),
    ("MAX_STREAMS", "-1"),
    ("RATE_LIMIT", "600"),
    ("RATE_LIMIT", "0/minute"),
    ("RATE_LIMIT", "10/fortnight"),
    ("CORS_ORIGINS", "cards.example"),
    ("CORS_ORIGINS", "capacitor:localhost"),
    ("CORS_ORIGINS", "tauri://"),
    ("CORS_ORIGINS", "https://cards.example/"),
    ("CORS_ORIGINS", "*, https://cards.example"),
    ("CORS_ORIGINS", "https://*.cards.example"),
    ("TRUSTED_PROXIES", "proxy.example"),
    ("TRUSTED_PROXIES", "10.0.0.1,"),
    ("TRUSTED_PROXIES", "10.0.0.1/8"),
    ("TRUSTED_PROXIES", "*"),
    ("DRAIN_SECONDS", "-1"),
    ("DRAIN_SECONDS", "3601"),
    ("SHUTDOWN_SECONDS", "0"),
    ("SHUTDOWN_SECONDS", "1.5"),
    ("LOG_LEVEL", "loud"),
    ("LOG_LEVEL", "INFO"),
    ("LOG_FORMAT", "xml"),
]


@pytest.mark.parametrize(("name", "text"), BAD, ids=[f"{name}={text[:12]}" for name, text in BAD])
def test_a_setting_out_of_its_bounds_is_named(name: str, text: str) -> None:
    (fault,) = faults(**{name: text})
    assert fault.startswith(name)


@pytest.mark.parametrize("url", ["http://user:hunter2@host", "redi://:hunter2@host", "hunter2"])
def test_a_bad_address_of_the_store_is_not_repeated_for_it_may_hold_a_password(url: str) -> None:
    (fault,) = faults(REDIS_URL=url)
    assert fault.startswith("REDIS_URL")
    assert "hunter2" not in fault


def test_what_is_set_to_nothing_is_not_set() -> None:
    names = [name.upper() for name in Settings.__struct_fields__ if not name.startswith("api_keys")]
    assert read_settings(dict.fromkeys(names, "")) == Settings()


@pytest.mark.parametrize("around", ["{}\n", " {}", "{}\r\n", "\t{} "])
def test_blanks_and_line_ends_around_a_value_do_not_count(around: str) -> None:
    values = {
        "PORT": "80",
        "HOST": "::1",
        "REDIS_URL": "redis://h/0",
        "RATE_LIMIT": "1/day",
        "CORS_ORIGINS": "https://a.b",
        "LOG_FORMAT": "json",
        "STORE_TIMEOUT": "2",
        "API_KEYS_FILE": "/keys",
    }
    sent = {name: around.format(value) for name, value in values.items()}
    assert read_settings(sent) == read_settings(values)
    assert read_settings(dict.fromkeys(values.keys() - {"API_KEYS_FILE"}, around.format(""))) == Settings()


@pytest.mark.parametrize("name", ["REDIS_URL", "RATE_LIMIT", "CORS_ORIGINS"])
def test_a_line_end_within_a_value_is_refused(name: str) -> None:
    value = {"REDIS_URL": "redis://h\n/0", "RATE_LIMIT": "1/\nday", "CORS_ORIGINS": "https://a\n.b"}[name]
    (fault,) = faults(**{name: value})
    assert fault.startswith(name)


def test_a_fault_shows_no_more_than_the_beginning_of_what_was_set() -> None:
    (fault,) = faults(PORT="9" * 5000)
    assert len(fault) < 200


def test_the_table_has_a_row_for_every_setting() -> None:
    head, _, *rows = write_table().splitlines()
    assert [row.split("`")[1].lower() for row in rows] == list(Settings.__struct_fields__)
    assert {line.count(" | ") for line in (head, *rows)} == {3}
    assert "| `PORT` | The port to listen on; 0 takes a free one. | `8000` | a whole number from 0 to 65535 |" in rows


def test_every_setting_says_what_it_is() -> None:
    for setting in msgspec.json.schema(Settings)["$defs"]["Settings"]["properties"].values():
        assert setting["description"].endswith(".")
