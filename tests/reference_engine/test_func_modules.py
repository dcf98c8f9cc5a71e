"""Modules as functions of their parameters."""

from __future__ import annotations

from typing import Any

import pytest

import reference_engine as torch
from reference_engine import nn
from reference_engine.func import functional_call, vmap

X = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
V = torch.tensor([2.0, 3.0])


def layer() -> Any:
    """A linear layer with weights that are easy to follow."""
    made = nn.Linear(2, 1)
    with torch.no_grad():
        made.weight.copy_(torch.tensor([[1.0, 2.0]]))
        made.bias.fill_(0.5)
    return made


def test_a_module_called_with_other_parameters() -> None:
    """What is given stands in for the module's own, which is back afterwards; what is not given stays."""
    module = layer()
    weight = module.weight
    out = functional_call(module, {"weight": torch.tensor([[3.0, 0.0]])}, (V,))
    assert out.tolist() == [6.5]
    assert module.weight is weight
    parameters = dict(module.named_parameters())
    per_example = vmap(lambda a: torch.autograd.grad(functional_call(module, parameters, a).sum(), weight)[0])(X)
    assert per_example.tolist() == [[[1, 2]], [[3, 4]], [[5, 6]]]


def test_names_that_do_not_fit_a_module_are_refused() -> None:
    """Unknown names and missing ones if strict, and a name given twice."""
    module, bias = layer(), torch.zeros(1)
    with pytest.raises(RuntimeError, match=r"Unexpected key\(s\): \['wait'\]"):
        functional_call(module, {"wait": bias}, V, strict=True)
    with pytest.raises(RuntimeError, match=r"Missing key\(s\): \['weight'\]"):
        functional_call(module, {"bias": bias}, V, strict=True)
    with pytest.raises(ValueError, match="multiple dictionaries"):
        functional_call(module, [{"bias": bias}, {"bias": bias}], V)
