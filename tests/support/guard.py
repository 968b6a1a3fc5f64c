"""Processes started by tests end with them, even if the test process is killed."""

import atexit
import subprocess
from functools import cache

_GUARD = "trap '' HUP INT TERM; read line; kill -KILL 0"
"""Waits for the end of its input, then kills its group.

It ignores SIGHUP: the system sends it to a group whose parent is gone, if one of the group is paused.
"""


@cache
def guarded_group() -> int:
    """Return the group for every process that this process starts. The group is killed when this process is gone."""
    # Only this process holds the other end of the pipe, so the system closes it with the process.
    guard = subprocess.Popen(["sh", "-c", _GUARD], stdin=subprocess.PIPE, process_group=0)
    atexit.register(guard.communicate)
    return guard.pid
