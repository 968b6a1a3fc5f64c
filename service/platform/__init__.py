"""The base of a process: its settings, build and metrics, the ledger of all that can run out, and time slices."""
