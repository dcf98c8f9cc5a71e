"""PyTorch's leaves, detached tensors, and attributes of tensors."""

from __future__ import annotations

from typing import Any

from workshop.engine_mutants.fault_forms import always, doing, second_time, wrong
from workshop.engine_mutants.target import NOTHING, target
from workshop.engine_mutants.torch_probes import leaves

Torch = Any


@target(
    "torch.Tensor.requires_grad_",
    faults=[
        wrong(
            "ignores a False",
            1,
            "option ignored",
            lambda c: c.args[1:] == (False,),
            change_arguments=lambda c: (c.args[:1], {}),
        ),
        wrong(
            "returns another tensor",
            0,
            "result",
            change_result=lambda c: c.result.detach().requires_grad_(c.result.requires_grad),
        ),
        wrong(
            "does nothing to a parameter",
            1,
            "forgotten",
            lambda c: type(c.args[0]).__name__ == "Parameter",
            instead=lambda c: c.args[0],
        ),
        wrong(
            "does nothing where it is set again", 2, "second call", lambda c: c.number == 2, instead=lambda c: c.args[0]
        ),
        wrong(
            "makes a copy of a non-leaf",
            1,
            "result",
            lambda c: not c.args[0].is_leaf,
            change_result=lambda c: c.result.clone(),
        ),
    ],
    skips=True,
    what=NOTHING,
)
def required(torch: Torch) -> Any:
    x = torch.ones(2)
    same = x.requires_grad_() is x
    results = [x.requires_grad, x.requires_grad_(False).requires_grad, x.requires_grad_(True).requires_grad]
    p = torch.nn.Parameter(torch.ones(1))
    y = (x * p).sum()
    return same, results, p.requires_grad_(False).requires_grad, y.requires_grad_() is y, y.requires_grad


_COPIES = [
    wrong("copies", 0, "result", change_result=lambda c: c.result.clone()),
    wrong("keeps history", 0, "history", instead=lambda c: c.args[0].view_as(c.args[0])),
    wrong(
        "keeps history of a non-leaf",
        1,
        "history",
        lambda c: not c.args[0].is_leaf,
        instead=lambda c: c.args[0].view_as(c.args[0]),
    ),
    wrong(
        "keeps history in the second call",
        2,
        "second call",
        lambda c: c.number == 2,
        instead=lambda c: c.args[0].view_as(c.args[0]),
    ),
    wrong(
        "keeps the tangent",
        1,
        "one mode",
        lambda c: _has_tangent(c.args[0]),
        instead=lambda c: c.args[0].view_as(c.args[0]),
    ),
    wrong(
        "returns its argument where that needs no gradient",
        1,
        "result",
        lambda c: not c.args[0].requires_grad,
        instead=lambda c: c.args[0],
    ),
    wrong("gives a result that requires grad", 0, "history", change_result=lambda c: c.result.requires_grad_()),
    wrong(
        "keeps history inside of vmap",
        2,
        "nested",
        lambda c: _batched(c.args[0]),
        instead=lambda c: c.args[0].view_as(c.args[0]),
    ),
]


def _has_tangent(x: Any) -> bool:
    import torch

    return torch.autograd.forward_ad._current_level >= 0 and torch._VF._unpack_dual(x, level=0)[1] is not None


def _batched(x: Any) -> bool:
    import torch

    return bool(torch._C._functorch.is_batchedtensor(x))


def _detaching(torch: Torch, detach: Any) -> Any:
    x, _ = leaves(torch)
    y = x * 2
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(torch.ones(2), torch.ones(2))
        tangent = forward_ad.unpack_dual(detach(dual)).tangent
    c = torch.ones(2)
    results = [detach(x).requires_grad, detach(y).requires_grad, detach(y).requires_grad, tangent is None]
    nested = torch.func.vmap(torch.func.grad(lambda v: v * detach(v)))(torch.tensor([2.0, 3.0]))
    mapped = torch.func.grad(lambda v: (v * torch.func.vmap(detach)(v)).sum())(torch.tensor([2.0, 3.0]))
    return results, detach(c) is c, detach(x).data_ptr() == x.data_ptr(), nested, mapped


@target("torch.Tensor.detach", what="value", faults=_COPIES)
def detached_by_method(torch: Torch) -> Any:
    return _detaching(torch, lambda x: x.detach())


@target("torch.detach", what="value", faults=_COPIES)
def detached_by_function(torch: Torch) -> Any:
    return _detaching(torch, lambda x: torch.detach(x))


@target(
    "torch.Tensor.detach_",
    what=NOTHING,
    skips=True,
    faults=[
        wrong(
            "does nothing to a non-leaf", 1, "forgotten", lambda c: not c.args[0].is_leaf, instead=lambda c: c.args[0]
        ),
        wrong("returns another tensor", 0, "result", change_result=lambda c: c.result.view_as(c.result)),
        wrong("returns a copy, and leaves the tensor", 0, "forgotten", instead=lambda c: c.args[0].detach()),
        wrong("leaves it requiring grad", 0, "history", change_result=lambda c: c.result.requires_grad_()),
    ],
)
def detached_in_place(torch: Torch) -> Any:
    x, y = leaves(torch)
    z = x * y
    same = z.detach_() is z
    return same, z.requires_grad, z.is_leaf, z.grad_fn is None, x.detach_().requires_grad, z.detach_() is z


@target(
    "torch.Tensor.grad",
    what="property",
    faults=[
        always("is a copy", "result", lambda g: None if g is None else g.clone()),
        always("is doubled", "result", lambda g: None if g is None else 2 * g),
        always("has no history", "history", lambda g: None if g is None else g.detach()),
        always("is zeros instead of None", "result", lambda g: __import__("torch").zeros(()) if g is None else g),
        second_time("is None", "second call", lambda g: None),
    ],
)
def gradients_read(torch: Torch) -> Any:
    x, y = leaves(torch)
    before = x.grad
    (x**3).sum().backward(create_graph=True)
    results = x.grad
    return before, results, x.grad is results, torch.autograd.grad(results.sum(), [x]), y.grad


@target(
    "torch.Tensor.requires_grad",
    what="property",
    faults=[
        doing("is False", "result", lambda c: False),
        doing("is True", "result", lambda c: True),
        wrong("is False for a non-leaf", 1, "result", lambda c: not c.args[0].is_leaf, instead=lambda c: False),
        wrong("is False for a view", 1, "result", lambda c: c.args[0]._is_view(), instead=lambda c: False),
    ],
)
def requiring(torch: Torch) -> Any:
    x, _ = leaves(torch)
    return x.requires_grad, (x * 2).requires_grad, torch.ones(1).requires_grad, x[:1].requires_grad


@target(
    "torch.Tensor.is_leaf",
    what="property",
    faults=[
        doing("is False", "result", lambda c: False),
        doing("is True", "result", lambda c: True),
        wrong(
            "is False where no gradient is needed",
            1,
            "result",
            lambda c: not c.args[0].requires_grad,
            instead=lambda c: False,
        ),
        wrong("is True for a view", 1, "result", lambda c: c.args[0]._is_view(), instead=lambda c: True),
    ],
)
def being_leaves(torch: Torch) -> Any:
    x, _ = leaves(torch)
    return x.is_leaf, (x * 2).is_leaf, torch.ones(1).is_leaf, (torch.ones(1) * 2).is_leaf, x[:1].is_leaf


@target(
    "torch.Tensor.retains_grad",
    what="property",
    faults=[
        doing("is False", "result", lambda c: False),
        doing("is True", "result", lambda c: True),
        wrong("is True for a leaf", 1, "result", lambda c: c.args[0].is_leaf, instead=lambda c: True),
    ],
)
def retaining(torch: Torch) -> Any:
    x, _ = leaves(torch)
    y, z = x * 2, x * 3
    y.retain_grad()
    return x.retains_grad, y.retains_grad, z.retains_grad


@target(
    "torch.Tensor.grad_fn",
    what="property",
    faults=[
        doing("is None", "result", lambda c: None),
        wrong("is None for a view", 1, "result", lambda c: c.args[0]._is_view(), instead=lambda c: None),
    ],
)
def nodes(torch: Torch) -> Any:
    x, _ = leaves(torch)
    return [None if y.grad_fn is None else y.grad_fn.name() for y in (x, x * 2, x[:1], torch.ones(1))]
