"""An adapter that does harm when a script is derived: what MISBEHAVE names, where the file FLAG is not there yet."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from tests.scripting.adapter import NumpyAdapter

# Importing it takes a few readings; then come the scripts.
READINGS = 8


class Misbehaving(NumpyAdapter):
    """Does harm when it is asked what it is held to."""

    readings = 0

    @property
    def held_to(self) -> Mapping[str, str]:
        Misbehaving.readings += 1
        harm, flag = os.environ.get("MISBEHAVE", ""), Path(os.environ.get("FLAG", ""))
        if harm and self.readings > READINGS and not flag.is_file():
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
            flag.with_suffix(".pid").write_text(str(child.pid))
            # With the flag the next process behaves; without it each does harm.
            if harm != "exits always":
                flag.touch()
            self._do(harm)
        return super().held_to

    def _do(self, harm: str) -> None:
        if harm == "hangs":
            time.sleep(300)
        elif harm == "crashes":
            os.kill(os.getpid(), signal.SIGABRT)
        elif harm == "raises":
            raise KeyboardInterrupt("of an engine")
        os._exit(0)
