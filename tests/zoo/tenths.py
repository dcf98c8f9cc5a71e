"""An adapter of which every tenth step crashes, every tenth hangs, and every tenth damages the harness."""

from __future__ import annotations

import builtins
import itertools
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.zoo.adapters import Healthy


def _segfault() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def _loop() -> None:
    while True:
        time.sleep(0.001)


def _loop_in_native_code() -> None:
    0 in itertools.repeat(1)  # noqa: B015


def _stop() -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def _replace_open() -> None:
    builtins.open = None  # type: ignore[assignment]


def _replace_comparison() -> None:
    np.allclose = lambda *_, **__: True


def _remove_the_folder() -> None:
    shutil.rmtree(tempfile.gettempdir())


# By the last digit of a step. The digit before it chooses one of them.
DEEDS: dict[int, tuple[Callable[[], None], ...]] = {
    3: (os.abort, _segfault, lambda: os._exit(0)),
    5: (_loop, _loop_in_native_code, _stop),
    7: (_replace_open, _replace_comparison, _remove_the_folder),
}
# The verdict, and what its message says, by the last digit and the digit before it.
STATED = {
    3: ("crash", ("ended by SIGABRT", "ended by SIGSEGV", "exited with status 0")),
    5: ("timeout", ("took longer than 0.5 s",) * 3),
    7: ("error", ("builtins.open", "numpy.allclose", "the temporary folder")),
}


class Tenths(Healthy):
    """Does in `detach` what the number tells it."""

    def detach(self, x: Any) -> Any:
        tens, ones = divmod(int(x[0]), 10)
        if deeds := DEEDS.get(ones):
            deeds[tens % len(deeds)]()
        return x
