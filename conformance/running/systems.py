"""Differences between operating systems, each with what is done where a system has no such call.

Nothing here is imported at the top that Linux, macOS or Windows lacks. `fallbacks` lists what this system cannot
do; it is in the header of the results.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import psutil

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LINUX, WINDOWS = sys.platform == "linux", sys.platform == "win32"
# Options that make a process the head of a group: a Ctrl-C in the terminal does not reach it, and its children can be
# listed.
OWN_GROUP: Mapping[str, Any] = (
    {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)} if WINDOWS else {"start_new_session": True}
)


def fallbacks() -> list[str]:
    """Sentences about what this system cannot do for a run, and what is done instead."""
    sentences = []
    if not LINUX:
        sentences.append("a worker that hangs in native code may outlive a killed run: it ends with its standard input")
    if WINDOWS:
        sentences.append("processes have no groups: what a check started is found as children of its worker")
    if resource is None:
        sentences.append("limits of processes are not watched: this system has none")
    return sentences


def cores() -> int:
    """The number of processor cores that this process may use."""
    # Fewer than there are in a container, or below `taskset`.
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def end_with_parent() -> None:
    """Let the system end this process when its parent ends, even while native code holds the interpreter lock."""
    if LINUX:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def adopt_orphans() -> None:
    """Let the processes that descend from this process stay its children, also where their own parents have ended."""
    if LINUX:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def has_children() -> bool:
    """Whether this process has a child, running or not yet waited for. False where the system does not say."""
    if not hasattr(os, "waitid"):
        return False
    with contextlib.suppress(ChildProcessError):
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        return True
    return False


def threads() -> int:
    """A number that grows with each thread of this process, native ones included. Always 0 where counting is slow."""
    return os.stat("/proc/self/task").st_nlink if LINUX else 0


def exhausted(process: psutil.Process) -> bool:
    """Whether this process uses more than half of its file descriptors, so that later behaviours might lack some."""
    if resource is None:
        return False
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    try:
        return allowed != resource.RLIM_INFINITY and process.num_fds() > allowed / 2
    except OSError:  # counting takes a descriptor, too
        return True


def end_children(number: int) -> None:
    """Kill the processes that descend from this one."""
    with contextlib.suppress(psutil.Error):
        for child in psutil.Process(number).children(recursive=True):
            with contextlib.suppress(psutil.Error):
                child.kill()


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that was started with OWN_GROUP, and the processes that it started."""
    # By parents, too: a child may have left the group, and its environment. Not once the process has been waited for:
    # it has no children then, and its number may be another's.
    if process.poll() is None:
        end_children(process.pid)
    if not WINDOWS:
        # The group outlives its head; its number is not used again as long as a process is in it.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def end_tagged(name: str, value: str) -> None:
    """Kill every process with this variable in its environment: those that left their group, too."""
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.pid != os.getpid() and process.environ().get(name) == value:
                process.kill()


def how_it_ended(status: int | None) -> str:
    """The exit status of a process in words, as the end of a sentence; None if it did not exit."""
    if status is None:
        return "closed its pipe to the recorder"
    if status >= 0:
        return f"exited with status {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"was ended by signal {-status}"
