"""A process: how it starts, logs, is traced and stops."""
