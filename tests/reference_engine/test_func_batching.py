"""Every primitive done for a batch at once gives what it gives for each example alone, histories included."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import reference_engine as torch
from reference_engine import primitives as o
from reference_engine.autograd import forward_ad
from reference_engine.core.primitive import Primitive
from reference_engine.core.tensor import Tensor
from reference_engine.func import vmap

from .samples import SAMPLES

CASES = [(p, i) for p, samples in SAMPLES.items() for i in range(len(samples))]
# Eigenvectors turn by a sign or a phase, so their derivatives are only asked for through functions that do not notice.
_FREE = {o.eig_vectors, o.eigh_vectors, o.svd_u, o.svd_v}


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
    """The primitive as a function of the chosen arguments alone, as a real scalar with weights that differ."""

    def function(*values: Any) -> Any:
        given = [Tensor.of(a) if isinstance(a, np.ndarray) else a for a in args]
        for i, value in zip(chosen, values, strict=True):
            given[i] = value
        return primitive(*given, **options)

    return function


def weighed(function: Callable[..., Any]) -> Callable[..., Any]:
    """A real scalar that depends on every element of the result, differently."""

    def scalar(*values: Any) -> Any:
        out = function(*values)
        weights = Tensor.of(np.linspace(0.5, 1.5, out.numel()).reshape(tuple(out.shape)))
        out = out * weights
        return (out.abs() ** 2 + (out.real if out.is_complex() else out)).sum()

    return scalar


def gradients(function: Callable[..., Any], values: list[Tensor]) -> tuple[Any, ...]:
    """The gradients of a scalar function with respect to each of its arguments."""
    leaves = [v.detach().requires_grad_() for v in values]
    return torch.autograd.grad(function(*leaves), leaves)


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


@pytest.mark.parametrize("case", [c for c in CASES if c[0] not in _FREE], ids=named)
def test_derivatives_of_a_batch_are_those_of_its_examples(case: tuple[Primitive, int]) -> None:
    """Gradients of the map, and tangents through it: both are the stacked ones of the examples."""
    args, options = SAMPLES[case[0]][case[1]]
    for chosen in which(args):
        plain = applied(case[0], args, options, chosen)
        batches = [Tensor.of(examples(args[i])) for i in chosen]
        if not plain(*[b[0] for b in batches]).dtype.differentiable:
            continue
        function = weighed(plain)
        loop = [gradients(function, [b[k] for b in batches]) for k in range(3)]
        outside = gradients(lambda *bs, f=function: vmap(f)(*bs).sum(), batches)
        with forward_ad.dual_level():
            duals = [forward_ad.make_dual(b, torch.ones_like(b)) for b in batches]
            pushed = forward_ad.unpack_dual(vmap(function)(*duals)).tangent
        slopes = [sum(g.real.sum().item() for g in row) for row in loop]
        for column, whole in zip(zip(*loop, strict=True), outside, strict=True):
            stacked = np.stack([g.array for g in column])
            np.testing.assert_allclose(whole.array, stacked, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(pushed.array, slopes, rtol=1e-8, atol=1e-10)
