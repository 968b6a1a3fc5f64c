"""Run the command line: python -m service."""

import sys

from service.server.cli import main

if __name__ == "__main__":
    sys.exit(main())
