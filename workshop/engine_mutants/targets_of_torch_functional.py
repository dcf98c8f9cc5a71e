"""PyTorch's functional interface, torch.autograd.functional."""

from __future__ import annotations

from typing import Any

from workshop.engine_mutants.fault_forms import attempt
from workshop.engine_mutants.target import target

Torch = Any


def _points(torch: Torch, dtype: str = "float64") -> tuple[Any, Any]:
    kind = getattr(torch, dtype)
    return torch.tensor([1.0, 2.0], dtype=kind), torch.tensor([3.0, 5.0], dtype=kind)


def _cubic(x: Any, y: Any) -> Any:
    return (x**3 * y**2).sum()


def _functional(torch: Torch, name: str, options: dict[str, Any], outputs: bool) -> Any:
    """One of its functions: on two inputs, in float32, its second derivative, and where an input is unused."""
    function = getattr(torch.autograd.functional, name)
    x, y = _points(torch)
    x.requires_grad_(), y.requires_grad_()
    several = (lambda x, y: (x**3 * y, y**2 * x)) if outputs else _cubic
    named = dict(options)
    if named.pop("v", outputs and name == "vjp") or name in ("hvp", "vhp", "jvp"):
        named["v"] = (torch.tensor([1.0, 2.0]).double(), torch.tensor([5.0, 3.0]).double())
    results = function(several, (x, y), **named)
    from torch.utils._pytree import tree_leaves

    leaves = [leaf for leaf in tree_leaves(results) if leaf.requires_grad]
    second = attempt(lambda: torch.autograd.grad(sum((n + 1) * leaf.sum() for n, leaf in enumerate(leaves)), [x, y]))
    first = {**named, "v": named["v"][0].float()} if "v" in named else named
    single = attempt(lambda: function((lambda x: x**3) if outputs else (lambda x: (x**3).sum()), x.float(), **first))
    unused = attempt(lambda: function(lambda x, y: (x * x) if outputs else (x**3).sum(), (x, y), **named))
    nothing = attempt(
        lambda: function(lambda x, y: torch.ones(2).double() if outputs else (0 * x).sum().detach(), (x, y), **named)
    )
    return results, second, single, unused, nothing


_COMMON = {"create_graph": True, "strict": True}


@target("torch.autograd.functional.vjp", settings=_COMMON, items=["inputs", "v"])
def functional_vjp(torch: Torch, **options: Any) -> Any:
    return _functional(torch, "vjp", options, True)


@target("torch.autograd.functional.jvp", settings=_COMMON, items=["inputs", "v"])
def functional_jvp(torch: Torch, **options: Any) -> Any:
    return _functional(torch, "jvp", options, True)


_VECTORS = {**_COMMON, "vectorize": True}


@target("torch.autograd.functional.jacobian", settings=_VECTORS, items=["inputs"])
def functional_jacobian(torch: Torch, **options: Any) -> Any:
    return _functional(torch, "jacobian", options, True)


@target("torch.autograd.functional.hessian", settings=_VECTORS, items=["inputs"])
def functional_hessian(torch: Torch, **options: Any) -> Any:
    return _functional(torch, "hessian", options, False)


@target("torch.autograd.functional.hvp", settings=_COMMON, items=["inputs", "v"])
def functional_hvp(torch: Torch, **options: Any) -> Any:
    return _functional(torch, "hvp", options, False)


@target("torch.autograd.functional.vhp", settings=_COMMON, items=["inputs", "v"])
def functional_vhp(torch: Torch, **options: Any) -> Any:
    return _functional(torch, "vhp", options, False)
