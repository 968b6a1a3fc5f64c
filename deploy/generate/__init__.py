"""The table of settings and the manifest of alerts in deploy/: each made from the one place that says it."""
