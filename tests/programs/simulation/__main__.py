"""The service by seeds: python -m tests.programs.simulation --seeds 50 --first 1.

The exit code is 1 when a seed finds something; its line says how to run it again. With `--bugs` it is 1 when no seed
finds a planted bug.
"""

import os
import sys

COMMAND = [sys.executable, "-m", "tests.programs.simulation"]


def main() -> int:
    """Run the seeds of the command line."""
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order of sets is to follow from the seed, too
        os.execve(sys.executable, [*COMMAND, *sys.argv[1:]], {**os.environ, "PYTHONHASHSEED": "0"})
    from tests.programs.simulation.border import BORDER  # noqa: PLC0415 – before the service binds the names of the clocks

    BORDER.replace()
    from tests.programs.simulation.seeds import run_seeds  # noqa: PLC0415

    return run_seeds(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
