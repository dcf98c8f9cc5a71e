"""torch.autograd.profiler: present by name. The reference engine measures nothing, so the profiler refuses to start."""

from __future__ import annotations

from typing import Any


class profile:
    """Refused with NotImplementedError when entered: use a Python profiler (torch.autograd.profiler.profile)."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self.enabled = options.get("enabled", True)

    def __enter__(self) -> profile:
        if self.enabled:
            raise NotImplementedError("the reference engine has no profiler: use Python's cProfile")
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing to stop."""
