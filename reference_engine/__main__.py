"""``python -m reference_engine FILE [ARGUMENTS]``: run a program written for PyTorch on this engine."""

import sys

from .program import run

if __name__ == "__main__":
    if len(sys.argv) < 2:
        print("usage: python -m reference_engine FILE [ARGUMENTS]", file=sys.stderr)
        sys.exit(2)
    sys.exit(run(sys.argv[1], sys.argv[2:]))
