"""The service as operators meet it: its stop, its processes, its log."""
