"""PyTorch's hooks, edges, versions and retained gradients."""

from __future__ import annotations

from typing import Any

from workshop.engine_mutants.fault_forms import wrong
from workshop.engine_mutants.target import NOTHING, target
from workshop.engine_mutants.torch_probes import leaves

Torch = Any


_HOOKED = [
    wrong("the handle's remove() does nothing", 1, "option ignored", change_result=lambda c: _kept(c.result)),
    wrong("a second hook is forgotten", 2, "second call", lambda c: c.number == 2, instead=lambda c: _no_handle()),
]


def _kept(handle: Any) -> Any:
    handle.remove = lambda: None
    return handle


def _no_handle() -> Any:
    from torch.utils.hooks import RemovableHandle

    return RemovableHandle({})


def _shown(seen: list[Any]) -> Any:
    def hook(*args: Any) -> Any:
        seen.append([g.clone() if hasattr(g, "clone") else [None if x is None else x.clone() for x in g] for g in args])

    return hook


@target("torch.Tensor.register_hook", callbacks=["hook"], faults=_HOOKED, what=NOTHING)
def hooks_of_a_tensor(torch: Torch) -> Any:
    x, y = leaves(torch)
    seen: list[Any] = []
    square = x * x
    square.register_hook(lambda g: 3 * g * g)
    square.register_hook(lambda g: g + 1)
    handle = y.register_hook(_shown(seen))
    output = (square * y).sum()
    gradients = [*torch.autograd.grad(output, [x, y], create_graph=True)]
    gradients += torch.autograd.grad(gradients[0].sum(), [x, y], retain_graph=True)
    handle.remove()
    return gradients, torch.autograd.grad(output, [x, y]), seen


@target("torch.Tensor.register_post_accumulate_grad_hook", callbacks=["hook"], faults=_HOOKED, what=NOTHING)
def hooks_after_accumulation(torch: Torch) -> Any:
    x, _ = leaves(torch)
    seen: list[Any] = []
    x.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad.clone()))
    handle = x.register_post_accumulate_grad_hook(lambda p: seen.append(-p.grad))
    for _ in range(2):
        (x * x).sum().backward()
    handle.remove()
    (x * x).sum().backward()
    return seen


@target(
    "torch.autograd.graph.register_multi_grad_hook",
    callbacks=["fn"],
    faults=_HOOKED[:1],
    what=NOTHING,
    settings={"mode": "any"},
    items=["tensors"],
)
def hooks_of_several(torch: Torch, **options: Any) -> Any:
    x, y = leaves(torch)
    seen: list[Any] = []
    record = (lambda g: seen.append(g.clone())) if options else _shown(seen)
    handle = torch.autograd.graph.register_multi_grad_hook([x, y], record, **options)
    for _ in range(2):
        (x * x * y * y).sum().backward()
    handle.remove()
    (x * x * y).sum().backward()
    torch.autograd.graph.register_multi_grad_hook([x, y], record, **options)
    (x * y).sum().backward()
    return seen, x.grad


@target("torch.autograd.graph.get_gradient_edge", what=NOTHING)
def edges(torch: Torch) -> Any:
    x, y = leaves(torch)
    product = x * y
    edge = torch.autograd.graph.get_gradient_edge(product)
    return torch.autograd.grad((product * 3).sum(), [edge]), edge.output_nr, edge.node is product.grad_fn


@target("torch.autograd.graph.increment_version", what=NOTHING, skips=True, items=["tensor"])
def versions_counted(torch: Torch) -> Any:
    x, y = torch.ones(2), torch.ones(2)
    torch.autograd.graph.increment_version([x, y])
    torch.autograd.graph.increment_version(x)
    torch.autograd.graph.increment_version(x)
    return x._version, y._version


@target("torch.Tensor.retain_grad", what=NOTHING, skips=True)
def retained(torch: Torch) -> Any:
    x, y = leaves(torch)
    z = x * y
    z.retain_grad()
    z.retain_grad()
    results = z.retains_grad, x.retains_grad
    for _ in range(2):
        (z * z).sum().backward(retain_graph=True)
    return results, z.grad
