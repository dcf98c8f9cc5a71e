"""Every line of the table of rules, against central differences: both modes, and second order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import reference_engine as torch
from reference_engine import primitives as o
from reference_engine.core.primitive import Primitive

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
