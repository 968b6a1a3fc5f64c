"""What a process runs on: its settings, its build, its metrics, the ledger of what can run out, and time slices."""
