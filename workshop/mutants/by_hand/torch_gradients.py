"""PyTorch, with stored gradients changed so that its users would call it a bug."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from workshop.mutants.mutant import mutant, patched


@mutant("torch")
def torch_drops_gradients_that_do_not_fit() -> Iterator[None]:
    """Assigning a gradient of another shape, dtype or device changes nothing, and nothing is said.

    Models: a setter that swallows what it cannot store.
    """
    import torch

    def forgiving(old: Any) -> property:
        def assign(x: Any, gradient: Any) -> None:
            with suppress(RuntimeError, TypeError):
                old.__set__(x, gradient)

        return property(old.__get__, assign, old.__delete__)

    with patched(torch.Tensor, "grad", forgiving):
        yield
