"""A process that has imported the command line, and calls it in a fork for each line of standard input.

Imports take half of a short call. A fork is as a fresh interpreter is after them, and the workers that it starts are
fresh; what imports do is tested by processes of other tests (test_streams, test_no_engine_here, test_completion).
"""

from __future__ import annotations

import atexit
import importlib
import json
import os
import sys
import threading
import traceback
from typing import Any, NoReturn

from autograd_conformance.__main__ import main
from conformance.running import options

# What a run imports late, before it starts a worker and when it reports.
LATE = (
    *("autograd_conformance.engine_runs", "autograd_conformance.run_summary", "conformance.running.pool"),
    *("conformance.collection", "reports.sources", "reports.write", "rich.progress", "rich.table"),
)


def _call(words: list[str], environment: dict[str, str], out: str, err: str, batches: str) -> NoReturn:
    """Be the command line, as a new process would: its streams are files, and it ends with its status."""
    # The call's own environment, with its tag, by which its processes are looked for.
    os.environ.clear()
    os.environ.update(environment)
    for descriptor, path in ((1, out), (2, err)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), descriptor)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.argv = ["autograd-conformance", *words]
    options.BATCHES = batches or options.BATCHES
    status: Any = 0
    try:
        main()
    except SystemExit as ended:
        status = ended.code
    except BaseException:
        traceback.print_exc()
        status = 1
    # As at the end of an interpreter; `os._exit` alone would skip it.
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status or 0)


def serve() -> None:
    """Answer each call with its status, until there are none."""
    for name in LATE:
        importlib.import_module(name)
    for line in sys.stdin:
        process = os.fork()
        if not process:
            _call(*json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)


if __name__ == "__main__":
    serve()
