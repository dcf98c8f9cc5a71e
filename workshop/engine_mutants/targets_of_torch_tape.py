"""PyTorch's tape: backward and grad."""

from __future__ import annotations

from typing import Any

from workshop.engine_mutants.engine_fault import Call
from workshop.engine_mutants.fault_forms import attempt, wrong
from workshop.engine_mutants.target import NOTHING, target
from workshop.engine_mutants.torch_probes import leaves

Torch = Any


def _accumulated(call: Call) -> Any:
    leaf = call.bound["inputs"]
    for x in leaf if isinstance(leaf, (tuple, list)) else [leaf]:
        x.grad = None
    return call.args, call.options


_BACKWARD = [
    wrong(
        "clears .grad of inputs first",
        1,
        "option ignored",
        lambda c: bool(c.bound.get("inputs")),
        change_arguments=_accumulated,
    )
]
_SETTINGS = {"retain_graph": True, "create_graph": True, "inputs": True}


def _chosen(options: dict[str, Any], *leaves: Any) -> dict[str, Any]:
    """Options, with tensors in place of flags."""
    if options.pop("inputs", False):
        options["inputs"] = list(leaves)
    return options


@target(
    "torch.autograd.grad",
    settings={
        "grad_outputs": True,
        "retain_graph": True,
        "create_graph": True,
        "allow_unused": True,
        "is_grads_batched": True,
        "materialize_grads": True,
    },
    items=["outputs", "inputs", "grad_outputs"],
)
def two_outputs_and_inputs(torch: Torch, **options: Any) -> Any:
    x, y = leaves(torch)
    outputs = [x**3 * y, y**2 + 0 * x]
    cotangents = [torch.tensor([1.0, 2.0], dtype=torch.float64), torch.tensor([5.0, 3.0], dtype=torch.float64)]
    batched = options.get("is_grads_batched")
    if options.pop("grad_outputs", batched):
        options["grad_outputs"] = [torch.stack([g, 2 * g]) for g in cotangents] if batched else cotangents
    else:
        outputs = [o.sum() for o in outputs]
    results = [torch.autograd.grad(outputs, [x, y], **options)]
    if options.get("create_graph"):
        results.append(torch.autograd.grad([g.sum() for g in results[0]], [x, y], retain_graph=True))
    return results, attempt(lambda: torch.autograd.grad(outputs, [x, y], **options))


@target("torch.autograd.grad")
def an_unused_input(torch: Torch, **options: Any) -> Any:
    x, y = leaves(torch)
    z = torch.tensor(1.0, requires_grad=True)
    for name in ("grad_outputs", "is_grads_batched"):
        options.pop(name, None)
    output = (x * x).sum()
    gradients = torch.autograd.grad(output, [y, x, z], **options)
    return gradients, attempt(lambda: torch.autograd.grad(output, [y, x, z], **options))


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
    x, y = leaves(torch)
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
    x, y = leaves(torch)
    z = torch.tensor([7.0, 11.0], requires_grad=True)
    outputs = [x**3 * y, y**2 * z]
    if options.pop("grad_tensors", False):
        options["grad_tensors"] = [torch.tensor([1.0, 2.0]).double(), torch.tensor([5.0, 3.0]).double()]
    else:
        outputs = [o.sum() for o in outputs]
    options = _chosen(options, x, y)
    x.grad = torch.tensor([100.0, 200.0])
    torch.autograd.backward(outputs, **options)
    results = [x.grad.clone(), y.grad, z.grad]
    if options.get("create_graph"):
        results += torch.autograd.grad(y.grad.sum(), [x, y, z], allow_unused=True, retain_graph=True)
    again = attempt(lambda: torch.autograd.backward(outputs, **options))
    return results, again, x.grad, y.grad, z.grad


@target(
    "torch.Tensor.backward",
    what=NOTHING,
    settings={"gradient": True, **_SETTINGS},
    items=["inputs"],
    faults=_BACKWARD,
    skips=True,
)
def one_tensor(torch: Torch, **options: Any) -> Any:
    x, y = leaves(torch)
    z = torch.tensor([7.0, 11.0], requires_grad=True)
    output = x**3 * y + y**2 * z
    if options.pop("gradient", False):
        options["gradient"] = torch.tensor([5.0, 3.0]).double()
    else:
        output = output.sum()
    options = _chosen(options, x, y)
    x.grad = torch.tensor([100.0, 200.0])
    output.backward(**options)
    results = [x.grad.clone(), y.grad, z.grad]
    if options.get("create_graph"):
        results += torch.autograd.grad(y.grad.sum(), [x, y, z], allow_unused=True, retain_graph=True)
    again = attempt(lambda: output.backward(**options))
    return results, again, x.grad, y.grad, z.grad
