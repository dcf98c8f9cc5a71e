"""Every primitive done for a batch at once gives what it gives for each example; laws prove its derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from reference_engine.core.primitive import Primitive
from reference_engine.core.tensor import Tensor
from reference_engine.func import vmap

from .samples import SAMPLES

CASES = [(p, i) for p, samples in SAMPLES.items() for i in range(len(samples))]


def named(case: Any) -> str:
    """The name of a case."""
    return f"{case[0].name}-{case[1]}"


def examples(x: Any, count: int = 3) -> Any:
    """Some arrays like x, stacked: multiples close to one, which stay within the domain of any sample."""
    scales = np.array([1.0, 0.9, 1.1])[:count].reshape(-1, *(1,) * np.ndim(x))
    return x if x.dtype.kind not in "fc" else (np.asarray(x) * scales).astype(x.dtype)


def which(args: tuple[Any, ...]) -> list[tuple[int, ...]]:
    """The choices of arguments to batch: each alone, and all."""
    floating = [i for i, a in enumerate(args) if isinstance(a, np.ndarray) and a.dtype.kind in "fc"]
    return list(dict.fromkeys([*((i,) for i in floating), tuple(floating)]))


def applied(primitive: Primitive, args: Any, options: Any, chosen: tuple[int, ...]) -> Callable[..., Any]:
    """The primitive as a function of the chosen arguments alone."""

    def function(*values: Any) -> Any:
        given = [Tensor.of(a) if isinstance(a, np.ndarray) else a for a in args]
        for i, value in zip(chosen, values, strict=True):
            given[i] = value
        return primitive(*given, **options)

    return function


@pytest.mark.parametrize("case", CASES, ids=named)
def test_a_batch_is_its_examples(case: tuple[Primitive, int]) -> None:
    """Values of the batched primitive are the stacked values of its examples, whichever arguments are batched."""
    args, options = SAMPLES[case[0]][case[1]]
    for chosen in which(args):
        function = applied(case[0], args, options, chosen)
        batches = [Tensor.of(examples(args[i])) for i in chosen]
        loop = np.stack([function(*[b[k] for b in batches]).array for k in range(3)])
        np.testing.assert_allclose(vmap(function)(*batches).array, loop, rtol=1e-10, atol=1e-12)
        behind = vmap(function, in_dims=-1)(*[b.movedim(0, -1) for b in batches])
        np.testing.assert_allclose(behind.array, loop, rtol=1e-10, atol=1e-12)
