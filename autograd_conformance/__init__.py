"""The command line: it starts one pytest per engine, follows their results, and has the report written."""

__all__ = ["INTERRUPTED", "NO_READER", "PROGRAM"]

PROGRAM = "autograd-conformance"
# As a shell reports a program that was ended by SIGINT, or by SIGPIPE: nothing reads its pipe any more.
INTERRUPTED, NO_READER = 130, 141
