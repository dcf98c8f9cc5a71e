"""Every line of the table of rules: both modes and second order by differences, a batch by its examples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import reference_engine as torch
from reference_engine import primitives as o
from reference_engine.core.primitive import Primitive
from reference_engine.core.tensor import Tensor
from reference_engine.func import vmap

from .samples import PREPARED, SAMPLES, SEEN

RULES = {p.name: p for p in vars(o).values() if isinstance(p, Primitive) and p.rule is not None}
CASES = [
    pytest.param(p, args, options, id=f"{p.name}-{i}")
    for p, samples in SAMPLES.items()
    for i, (args, options) in enumerate(samples)
]


def _program(primitive: Primitive, args: Any, options: Any) -> tuple[Any, list[torch.Tensor]]:
    """The primitive as a function of its differentiable arguments, and these as leaves."""
    wanted = [i for i, a in enumerate(args) if isinstance(a, np.ndarray) and a.dtype.kind in "fc"]

    def program(*leaves: Any) -> Any:
        given = list(args)
        for i, leaf in zip(wanted, leaves, strict=True):
            given[i] = PREPARED.get(primitive, torch.clone)(leaf)
        return SEEN.get(primitive, torch.clone)(primitive(*given, **options))

    return program, [torch.tensor(np.array(args[i]), requires_grad=True) for i in wanted]


@pytest.mark.parametrize("name", sorted(RULES))
def test_every_rule_has_a_sample(name: str) -> None:
    """A new line of the table needs an input that it can be checked on."""
    assert RULES[name] in SAMPLES


@pytest.mark.parametrize(("primitive", "args", "options"), CASES)
def test_both_modes_agree_with_differences(primitive: Primitive, args: Any, options: Any) -> None:
    """One line of the table gives reverse and forward mode, and differences confirm both."""
    program, leaves = _program(primitive, args, options)
    assert torch.autograd.gradcheck(program, tuple(leaves), check_forward_ad=True)


@pytest.mark.parametrize(("primitive", "args", "options"), CASES)
def test_second_order_agrees_with_differences(primitive: Primitive, args: Any, options: Any) -> None:
    """Rules are written in primitives, so the gradient of the gradient needs nothing more."""
    program, leaves = _program(primitive, args, options)
    # gradgradcheck draws the gradients of the outputs.
    torch.manual_seed(0)
    assert torch.autograd.gradgradcheck(program, tuple(leaves), atol=1e-4)


@pytest.mark.parametrize(("primitive", "args", "options"), CASES)
def test_rules_run_alike_on_arrays_and_tensors(primitive: Primitive, args: Any, options: Any) -> None:
    """First order runs on plain arrays; with create_graph the same rules run on Tensors."""
    program, leaves = _program(primitive, args, options)
    out = program(*leaves)
    weight = torch.ones_like(out)
    plain = torch.autograd.grad(out, leaves, weight, retain_graph=True)
    recorded = torch.autograd.grad(out, leaves, weight, create_graph=True)
    for a, b in zip(plain, recorded, strict=True):
        np.testing.assert_allclose(a.numpy(), b.detach().numpy())


BATCHED = [(p, i) for p, samples in SAMPLES.items() for i in range(len(samples))]


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


@pytest.mark.parametrize("case", BATCHED, ids=named)
def test_a_batch_is_its_examples(case: tuple[Primitive, int]) -> None:
    """Values of the batched primitive are the stacked values of its examples, whichever arguments are batched."""
    args, options = SAMPLES[case[0]][case[1]]
    for chosen in which(args):
        function = applied(case[0], args, options, chosen)
        batches = [Tensor.of(examples(args[i])) for i in chosen]
        loop = np.stack([function(*[b[k] for b in batches]).array for k in range(3)])
        np.testing.assert_allclose(vmap(function)(*batches).array, loop, rtol=1e-10, atol=1e-12)
        # With the batch behind all other axes, a rule that counts axes from the front would be wrong.
        behind = vmap(function, in_dims=-1)(*[b.movedim(0, -1) for b in batches])
        np.testing.assert_allclose(behind.array, loop, rtol=1e-10, atol=1e-12)
