"""PyTorch, with stored gradients changed so that its users would call it a bug."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from workshop.mutant import mutant


@mutant("torch", "torch.Tensor.grad")
def drops_gradients_that_do_not_fit(old: Any) -> Any:
    """Assigning a gradient of another shape, dtype or device changes nothing, and nothing is said.

    Models: a setter that swallows what it cannot store.
    """

    def assign(x: Any, gradient: Any) -> None:
        with suppress(RuntimeError, TypeError):
            old.__set__(x, gradient)

    return property(old.__get__, assign, old.__delete__)
