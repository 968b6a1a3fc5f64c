"""Generate deploy/kubernetes/prometheusrule.yaml from rules.yml: python -m deploy.generate.prometheus_rule."""

from pathlib import Path
from typing import Final

DEPLOY: Final = Path(__file__).parents[1]
RULES: Final = DEPLOY / "prometheus" / "rules.yml"

PATH: Final = DEPLOY / "kubernetes" / "prometheusrule.yaml"
_HEAD: Final = """\
# Made from deploy/prometheus/rules.yml: python -m deploy.generate.prometheus_rule
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: catchten
  labels:
    app.kubernetes.io/name: catchten
    app.kubernetes.io/instance: catchten
    app.kubernetes.io/version: 1.1.0.dev0
    app.kubernetes.io/component: api
    app.kubernetes.io/part-of: catchten
    app.kubernetes.io/managed-by: kustomize
spec:
"""


def as_manifest() -> str:
    """Return a manifest with the groups of rules as they are written."""
    rules = RULES.read_text(encoding="utf-8")
    groups = rules[rules.index("groups:") :]
    return _HEAD + "".join(f"  {line}\n" if line else "\n" for line in groups.splitlines())


if __name__ == "__main__":
    PATH.write_text(as_manifest(), encoding="utf-8")
