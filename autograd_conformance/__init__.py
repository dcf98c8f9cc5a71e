"""The command line: it starts worker processes for each engine, records their results, and writes the report."""

__all__ = ["INTERRUPTED", "NO_READER", "PROGRAM"]

PROGRAM = "autograd-conformance"
# As a shell reports a program that was ended by SIGINT, or by SIGPIPE: nothing reads its pipe any more.
INTERRUPTED, NO_READER = 130, 141
