"""The base of a process: settings, build, metrics, the ledger of limited resources, and time slices."""
