"""PyTorch's tape: backward, grad, leaves and their gradients, hooks, the graph."""

from __future__ import annotations

from typing import Any

from workshop.mutants.of_engines.fault import Call
from workshop.mutants.of_engines.simple import always, attempt, doing, second_time, wrong
from workshop.mutants.of_engines.target import NOTHING, target

Torch = Any


def _leaves(torch: Torch) -> tuple[Any, Any]:
    return torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor(
        [3.0, 5.0], requires_grad=True, dtype=torch.float64
    )


def _accumulated(call: Call) -> Any:
    leaf = call.bound["inputs"]
    for x in leaf if isinstance(leaf, (tuple, list)) else [leaf]:
        x.grad = None
    return call.args, call.options


_BACKWARD = [
    wrong(
        "clears .grad of inputs first", 1, "option ignored", lambda c: bool(c.bound.get("inputs")), given=_accumulated
    )
]
_SETTINGS = {"retain_graph": True, "create_graph": True, "inputs": True}


def _chosen(options: dict[str, Any], *leaves: Any) -> dict[str, Any]:
    """Options, with tensors in place of flags."""
    if options.pop("inputs", False):
        options["inputs"] = list(leaves)
    return options


@target("torch.autograd.grad", settings={"grad_outputs": True, "retain_graph": True, "create_graph": True,
        "allow_unused": True, "is_grads_batched": True, "materialize_grads": True}, items=["outputs", "inputs", "grad_outputs"])  # fmt: skip
def two_outputs_and_inputs(torch: Torch, **options: Any) -> Any:
    x, y = _leaves(torch)
    outputs = [x**3 * y, y**2 + 0 * x]
    given = [torch.tensor([1.0, 2.0], dtype=torch.float64), torch.tensor([5.0, 3.0], dtype=torch.float64)]
    batched = options.get("is_grads_batched")
    if options.pop("grad_outputs", batched):
        options["grad_outputs"] = [torch.stack([g, 2 * g]) for g in given] if batched else given
    else:
        outputs = [o.sum() for o in outputs]
    found = [torch.autograd.grad(outputs, [x, y], **options)]
    if options.get("create_graph"):
        found.append(torch.autograd.grad([g.sum() for g in found[0]], [x, y], retain_graph=True))
    return found, attempt(lambda: torch.autograd.grad(outputs, [x, y], **options))


@target("torch.autograd.grad")
def an_unused_input(torch: Torch, **options: Any) -> Any:
    x, y = _leaves(torch)
    z = torch.tensor(1.0, requires_grad=True)
    for name in ("grad_outputs", "is_grads_batched"):
        options.pop(name, None)
    output = (x * x).sum()
    found = torch.autograd.grad(output, [y, x, z], **options)
    return found, attempt(lambda: torch.autograd.grad(output, [y, x, z], **options))


@target("torch.autograd.grad")
def complex_leaves(torch: Torch, **options: Any) -> Any:
    x = torch.tensor(1 + 2j, requires_grad=True)
    y = torch.tensor(3 - 1j, requires_grad=True)
    return torch.autograd.grad((x * x * y).real, [x, y])


@target("torch.autograd.grad")
def in_a_transform(torch: Torch, **options: Any) -> Any:
    def program(x: Any, y: Any) -> Any:
        with torch.enable_grad():
            inner = torch.autograd.grad((x**3 * y).sum(), [x, y], create_graph=True)
        return inner[0].sum() + 3 * inner[1].sum()

    return torch.func.vmap(torch.func.grad(program, argnums=(0, 1)))(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 5.0]))


@target("torch.autograd.grad")
def an_allowed_gap(torch: Torch, **options: Any) -> Any:
    x, y = _leaves(torch)
    return torch.autograd.grad(
        (x * x).sum(),
        [x, y],
        allow_unused=True,
        **{k: v for k, v in options.items() if k in ("create_graph", "retain_graph", "materialize_grads")},
    )


@target(
    "torch.autograd.backward",
    what=NOTHING,
    settings={"grad_tensors": True, **_SETTINGS},
    items=["tensors", "grad_tensors", "inputs"],
    faults=_BACKWARD,
    skips=True,
)
def two_tensors(torch: Torch, **options: Any) -> Any:
    x, y = _leaves(torch)
    z = torch.tensor([7.0, 11.0], requires_grad=True)
    outputs = [x**3 * y, y**2 * z]
    if options.pop("grad_tensors", False):
        options["grad_tensors"] = [torch.tensor([1.0, 2.0]).double(), torch.tensor([5.0, 3.0]).double()]
    else:
        outputs = [o.sum() for o in outputs]
    options = _chosen(options, x, y)
    x.grad = torch.tensor([100.0, 200.0])
    torch.autograd.backward(outputs, **options)
    found = [x.grad.clone(), y.grad, z.grad]
    if options.get("create_graph"):
        found += torch.autograd.grad(y.grad.sum(), [x, y, z], allow_unused=True, retain_graph=True)
    again = attempt(lambda: torch.autograd.backward(outputs, **options))
    return found, again, x.grad, y.grad, z.grad


@target("torch.Tensor.backward", what=NOTHING, settings={"gradient": True, **_SETTINGS}, items=["inputs"],
        faults=_BACKWARD, skips=True)  # fmt: skip
def one_tensor(torch: Torch, **options: Any) -> Any:
    x, y = _leaves(torch)
    z = torch.tensor([7.0, 11.0], requires_grad=True)
    output = x**3 * y + y**2 * z
    if options.pop("gradient", False):
        options["gradient"] = torch.tensor([5.0, 3.0]).double()
    else:
        output = output.sum()
    options = _chosen(options, x, y)
    x.grad = torch.tensor([100.0, 200.0])
    output.backward(**options)
    found = [x.grad.clone(), y.grad, z.grad]
    if options.get("create_graph"):
        found += torch.autograd.grad(y.grad.sum(), [x, y, z], allow_unused=True, retain_graph=True)
    again = attempt(lambda: output.backward(**options))
    return found, again, x.grad, y.grad, z.grad


_HOOKED = [
    wrong("the handle's remove() does nothing", 1, "option ignored", found=lambda c: _kept(c.found)),
    wrong("a second hook is forgotten", 2, "second call", lambda c: c.number == 2, instead=lambda c: _no_handle()),
]


def _kept(handle: Any) -> Any:
    handle.remove = lambda: None
    return handle


def _no_handle() -> Any:
    from torch.utils.hooks import RemovableHandle

    return RemovableHandle({})


def _shown(seen: list[Any]) -> Any:
    def hook(*given: Any) -> Any:
        seen.append(
            [g.clone() if hasattr(g, "clone") else [None if x is None else x.clone() for x in g] for g in given]
        )

    return hook


@target("torch.Tensor.register_hook", hands=["hook"], faults=_HOOKED, what=NOTHING)
def hooks_of_a_tensor(torch: Torch) -> Any:
    x, y = _leaves(torch)
    seen: list[Any] = []
    square = x * x
    square.register_hook(lambda g: 3 * g * g)
    square.register_hook(lambda g: g + 1)
    handle = y.register_hook(_shown(seen))
    output = (square * y).sum()
    found = [*torch.autograd.grad(output, [x, y], create_graph=True)]
    found += torch.autograd.grad(found[0].sum(), [x, y], retain_graph=True)
    handle.remove()
    return found, torch.autograd.grad(output, [x, y]), seen


@target("torch.Tensor.register_post_accumulate_grad_hook", hands=["hook"], faults=_HOOKED, what=NOTHING)
def hooks_after_accumulation(torch: Torch) -> Any:
    x, _ = _leaves(torch)
    seen: list[Any] = []
    x.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad.clone()))
    handle = x.register_post_accumulate_grad_hook(lambda p: seen.append(-p.grad))
    for _ in range(2):
        (x * x).sum().backward()
    handle.remove()
    (x * x).sum().backward()
    return seen


@target("torch.autograd.graph.register_multi_grad_hook", hands=["fn"], faults=_HOOKED[:1], what=NOTHING,
        settings={"mode": "any"}, items=["tensors"])  # fmt: skip
def hooks_of_several(torch: Torch, **options: Any) -> Any:
    x, y = _leaves(torch)
    seen: list[Any] = []
    one = (lambda g: seen.append(g.clone())) if options else _shown(seen)
    handle = torch.autograd.graph.register_multi_grad_hook([x, y], one, **options)
    for _ in range(2):
        (x * x * y * y).sum().backward()
    handle.remove()
    (x * x * y).sum().backward()
    torch.autograd.graph.register_multi_grad_hook([x, y], one, **options)
    (x * y).sum().backward()
    return seen, x.grad


@target("torch.autograd.graph.get_gradient_edge", what=NOTHING)
def edges(torch: Torch) -> Any:
    x, y = _leaves(torch)
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
    x, y = _leaves(torch)
    z = x * y
    z.retain_grad()
    z.retain_grad()
    found = z.retains_grad, x.retains_grad
    for _ in range(2):
        (z * z).sum().backward(retain_graph=True)
    return found, z.grad


@target("torch.Tensor.requires_grad_", faults=[
    wrong("ignores a False", 1, "option ignored", lambda c: c.args[1:] == (False,), given=lambda c: (c.args[:1], {})),
    wrong("returns another tensor", 0, "result", found=lambda c: c.found.detach().requires_grad_(c.found.requires_grad)),
    wrong("does nothing to a parameter", 1, "forgotten", lambda c: type(c.args[0]).__name__ == "Parameter", instead=lambda c: c.args[0]),
    wrong("does nothing where it is set again", 2, "second call", lambda c: c.number == 2, instead=lambda c: c.args[0]),
    wrong("makes a copy of a non-leaf", 1, "result", lambda c: not c.args[0].is_leaf, found=lambda c: c.found.clone()),
], skips=True, what=NOTHING)  # fmt: skip
def required(torch: Torch) -> Any:
    x = torch.ones(2)
    same = x.requires_grad_() is x
    found = [x.requires_grad, x.requires_grad_(False).requires_grad, x.requires_grad_(True).requires_grad]
    p = torch.nn.Parameter(torch.ones(1))
    y = (x * p).sum()
    return same, found, p.requires_grad_(False).requires_grad, y.requires_grad_() is y, y.requires_grad


_COPIES = [
    wrong("copies", 0, "result", found=lambda c: c.found.clone()),
    wrong("keeps history", 0, "history", instead=lambda c: c.args[0].view_as(c.args[0])),
    wrong("keeps history of a non-leaf", 1, "history", lambda c: not c.args[0].is_leaf,
          instead=lambda c: c.args[0].view_as(c.args[0])),
    wrong("keeps history in the second call", 2, "second call", lambda c: c.number == 2,
          instead=lambda c: c.args[0].view_as(c.args[0])),
    wrong("keeps the tangent", 1, "one mode", lambda c: _has_tangent(c.args[0]), instead=lambda c: c.args[0].view_as(c.args[0])),
    wrong("returns its argument where that needs no gradient", 1, "result", lambda c: not c.args[0].requires_grad,
          instead=lambda c: c.args[0]),
    wrong("gives a result that requires grad", 0, "history", found=lambda c: c.found.requires_grad_()),
    wrong("keeps history inside of vmap", 2, "nested", lambda c: _batched(c.args[0]), instead=lambda c: c.args[0].view_as(c.args[0])),
]  # fmt: skip


def _has_tangent(x: Any) -> bool:
    import torch

    return torch.autograd.forward_ad._current_level >= 0 and torch._VF._unpack_dual(x, level=0)[1] is not None  # type: ignore[attr-defined]


def _batched(x: Any) -> bool:
    import torch

    return bool(torch._C._functorch.is_batchedtensor(x))


def _detaching(torch: Torch, detach: Any) -> Any:
    x, _ = _leaves(torch)
    y = x * 2
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(torch.ones(2), torch.ones(2))
        tangent = forward_ad.unpack_dual(detach(dual)).tangent
    c = torch.ones(2)
    found = [detach(x).requires_grad, detach(y).requires_grad, detach(y).requires_grad, tangent is None]
    nested = torch.func.vmap(torch.func.grad(lambda v: v * detach(v)))(torch.tensor([2.0, 3.0]))
    mapped = torch.func.grad(lambda v: (v * torch.func.vmap(detach)(v)).sum())(torch.tensor([2.0, 3.0]))
    return found, detach(c) is c, detach(x).data_ptr() == x.data_ptr(), nested, mapped


@target("torch.Tensor.detach", what="value", faults=_COPIES)
def detached_by_method(torch: Torch) -> Any:
    return _detaching(torch, lambda x: x.detach())


@target("torch.detach", what="value", faults=_COPIES)
def detached_by_function(torch: Torch) -> Any:
    return _detaching(torch, lambda x: torch.detach(x))


@target("torch.Tensor.detach_", what=NOTHING, skips=True, faults=[
    wrong("does nothing to a non-leaf", 1, "forgotten", lambda c: not c.args[0].is_leaf, instead=lambda c: c.args[0]),
    wrong("returns another tensor", 0, "result", found=lambda c: c.found.view_as(c.found)),
    wrong("returns a copy, and leaves the tensor", 0, "forgotten", instead=lambda c: c.args[0].detach()),
    wrong("leaves it requiring grad", 0, "history", found=lambda c: c.found.requires_grad_()),
])  # fmt: skip
def detached_in_place(torch: Torch) -> Any:
    x, y = _leaves(torch)
    z = x * y
    same = z.detach_() is z
    return same, z.requires_grad, z.is_leaf, z.grad_fn is None, x.detach_().requires_grad, z.detach_() is z


@target("torch.Tensor.grad", what="property", faults=[
    always("is a copy", "result", lambda g: None if g is None else g.clone()),
    always("is doubled", "result", lambda g: None if g is None else 2 * g),
    always("has no history", "history", lambda g: None if g is None else g.detach()),
    always("is zeros instead of None", "result", lambda g: __import__("torch").zeros(()) if g is None else g),
    second_time("is None", "second call", lambda g: None),
])  # fmt: skip
def gradients_read(torch: Torch) -> Any:
    x, y = _leaves(torch)
    before = x.grad
    (x**3).sum().backward(create_graph=True)
    found = x.grad
    return before, found, x.grad is found, torch.autograd.grad(found.sum(), [x]), y.grad


@target("torch.Tensor.requires_grad", what="property", faults=[
    doing("is False", "result", lambda c: False),
    doing("is True", "result", lambda c: True),
    wrong("is False for a non-leaf", 1, "result", lambda c: not c.args[0].is_leaf, instead=lambda c: False),
    wrong("is False for a view", 1, "result", lambda c: c.args[0]._is_view(), instead=lambda c: False),
])  # fmt: skip
def requiring(torch: Torch) -> Any:
    x, _ = _leaves(torch)
    return x.requires_grad, (x * 2).requires_grad, torch.ones(1).requires_grad, x[:1].requires_grad


@target("torch.Tensor.is_leaf", what="property", faults=[
    doing("is False", "result", lambda c: False),
    doing("is True", "result", lambda c: True),
    wrong("is False where no gradient is needed", 1, "result", lambda c: not c.args[0].requires_grad, instead=lambda c: False),
    wrong("is True for a view", 1, "result", lambda c: c.args[0]._is_view(), instead=lambda c: True),
])  # fmt: skip
def being_leaves(torch: Torch) -> Any:
    x, _ = _leaves(torch)
    return x.is_leaf, (x * 2).is_leaf, torch.ones(1).is_leaf, (torch.ones(1) * 2).is_leaf, x[:1].is_leaf


@target("torch.Tensor.retains_grad", what="property", faults=[
    doing("is False", "result", lambda c: False),
    doing("is True", "result", lambda c: True),
    wrong("is True for a leaf", 1, "result", lambda c: c.args[0].is_leaf, instead=lambda c: True),
])  # fmt: skip
def retaining(torch: Torch) -> Any:
    x, _ = _leaves(torch)
    y, z = x * 2, x * 3
    y.retain_grad()
    return x.retains_grad, y.retains_grad, z.retains_grad


@target("torch.Tensor.grad_fn", what="property", faults=[
    doing("is None", "result", lambda c: None),
    wrong("is None for a view", 1, "result", lambda c: c.args[0]._is_view(), instead=lambda c: None),
])  # fmt: skip
def nodes(torch: Torch) -> Any:
    x, _ = _leaves(torch)
    return [None if y.grad_fn is None else y.grad_fn.name() for y in (x, x * 2, x[:1], torch.ones(1))]
