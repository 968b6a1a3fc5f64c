"""The unit for machines without containers: a replica for each port, whose settings and times fit the service."""

import re
import subprocess
from configparser import ConfigParser, SectionProxy
from pathlib import Path
from shutil import which
from typing import Final

import pytest

from service.platform.settings import Settings, read_settings
from tests.deploy.files import DEPLOY, HAPROXY, ROOT
from tests.programs.binaries import find_or_get
from tests.support.patience import WAIT

PAGE: Final = (DEPLOY / "systemd" / "README.md").read_text(encoding="utf-8")
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
    assert read_settings(given).metrics_port == 18001


def test_it_waits_for_the_end_for_longer_than_the_service_takes(service: SectionProxy) -> None:
    settings = read_settings(environment(service))
    assert int(service["TimeoutStopSec"]) > settings.drain_seconds + settings.shutdown_seconds


def test_a_bad_setting_is_not_tried_again(service: SectionProxy) -> None:
    assert (service["Restart"], service["RestartPreventExitStatus"]) == ("always", "2")


def test_it_starts_the_command_of_the_package(service: SectionProxy) -> None:
    assert service["ExecStart"].split()[0].endswith("/bin/catch-the-ten")
    assert service["ExecStart"].split()[1:] == ["serve"]


def test_it_does_not_start_without_its_settings_which_the_page_writes_before(service: SectionProxy) -> None:
    assert not service["EnvironmentFile"].startswith("-")
    assert PAGE.index(f"cat > {service['EnvironmentFile']}") < PAGE.index("systemctl enable")


def test_the_page_makes_a_configuration_of_haproxy_without_root_docker_and_public_metrics(tmp_path: Path) -> None:
    found = re.search(r"^sed -e (?:.*\\\n)*.* > (\S+)$", PAGE, re.MULTILINE)
    assert found is not None
    made = tmp_path / "haproxy.cfg"
    command = found[0].replace(found[1], str(made))
    subprocess.run(command, shell=True, cwd=ROOT, check=True, timeout=WAIT)  # the page's own command
    text = made.read_text(encoding="utf-8")
    assert text.startswith(HAPROXY.read_text(encoding="utf-8").partition("global\n")[0])
    assert "global\n    user haproxy\n    group haproxy\n" in text
    assert "docker" not in text.partition("global\n")[2].replace("Docker", "")
    assert text.count("    server one 127.0.0.1:8001\n    server two 127.0.0.1:8002\n") == 5
    assert re.findall(r"^    bind (\S+)", text, re.MULTILINE) == [":8080", "127.0.0.1:8404", "127.0.0.1:8405"]
    checked = subprocess.run(
        [find_or_get("haproxy"), "-c", "-f", made], capture_output=True, text=True, timeout=WAIT, check=False
    )
    assert "cannot find user" in checked.stderr or checked.returncode == 0, checked.stderr
    assert "WARNING" not in checked.stderr


def test_systemd_finds_no_fault_in_it(tmp_path: Path) -> None:
    """Without systemd, its own check is skipped."""
    verify = which("systemd-analyze")
    if verify is None:
        return
    text = UNIT.read_text(encoding="utf-8").replace("/opt/catch-the-ten/bin/catch-the-ten", "/bin/true")
    unit = tmp_path / "catch-the-ten@8001.service"
    unit.write_text(text.replace("User=catchten\n", ""), encoding="utf-8")
    found = subprocess.run([verify, "verify", unit], capture_output=True, text=True, timeout=WAIT, check=False)
    assert unit.name not in found.stderr, found.stderr
