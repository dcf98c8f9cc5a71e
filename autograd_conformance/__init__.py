"""The command line: it starts worker processes for each engine, records their results, and writes the report.

`check` tries the laws on a person's own function, in this process.
"""

from autograd_conformance.check import LawBroken, Report, check

__all__ = ["INTERRUPTED", "NO_READER", "PROGRAM", "LawBroken", "Report", "check"]

PROGRAM = "autograd-conformance"
# As a shell reports a program that was ended by SIGINT, or by SIGPIPE: nothing reads its pipe any more.
INTERRUPTED, NO_READER = 130, 141
