"""The unit for machines without containers: a replica for each port, whose settings and times fit the service."""

import subprocess
from configparser import ConfigParser, SectionProxy
from pathlib import Path
from shutil import which
from typing import Final

import pytest

from service.platform.settings import Settings, read_settings
from tests.deploy.files import DEPLOY
from tests.support.patience import WAIT

UNIT: Final = DEPLOY / "systemd" / "catch-the-ten@.service"


@pytest.fixture
def service() -> SectionProxy:
    """Return the section of the unit about the service; a key that stands twice is a fault."""
    parser = ConfigParser(interpolation=None)
    parser.read_string(UNIT.read_text(encoding="utf-8"))
    return parser["Service"]


def environment(service: SectionProxy) -> dict[str, str]:
    return dict(each.split("=", 1) for each in service["Environment"].replace("%i", "8001").split())


def test_its_settings_are_settings_of_the_service(service: SectionProxy) -> None:
    given = environment(service)
    assert {name.lower() for name in given} <= set(Settings.__struct_fields__)
    assert read_settings(given).port == 8001


def test_it_waits_for_the_end_for_longer_than_the_service_takes(service: SectionProxy) -> None:
    settings = read_settings(environment(service))
    assert int(service["TimeoutStopSec"]) > settings.drain_seconds + settings.shutdown_seconds


def test_a_bad_setting_is_not_tried_again(service: SectionProxy) -> None:
    assert (service["Restart"], service["RestartPreventExitStatus"]) == ("always", "2")


def test_it_starts_the_command_of_the_package(service: SectionProxy) -> None:
    assert service["ExecStart"].split()[0].endswith("/bin/catch-the-ten")
    assert service["ExecStart"].split()[1:] == ["serve"]


def test_systemd_finds_no_fault_in_it(tmp_path: Path) -> None:
    """Where systemd is not installed, its own check is left to those who have it."""
    verify = which("systemd-analyze")
    if verify is None:
        return
    text = UNIT.read_text(encoding="utf-8").replace("/opt/catch-the-ten/bin/catch-the-ten", "/bin/true")
    unit = tmp_path / "catch-the-ten@8001.service"
    unit.write_text(text.replace("User=catchten\n", ""), encoding="utf-8")
    found = subprocess.run([verify, "verify", unit], capture_output=True, text=True, timeout=WAIT, check=False)
    assert unit.name not in found.stderr, found.stderr
