"""The base of a process: settings, build, metrics, the limited resources, and time slices."""
