"""PyTorch's checkpoints and hooks on saved tensors."""

from __future__ import annotations

from typing import Any

from workshop.engine_mutants.fault_forms import attempt, doing, wrong
from workshop.engine_mutants.target import NOTHING, target
from workshop.engine_mutants.torch_probes import inputs

Torch = Any


def _checkpointed(torch: Torch, options: dict[str, Any]) -> Any:
    calls: list[bool] = []

    def program(x: Any, y: Any, scale: float = 1.0) -> Any:
        calls.append(torch.is_grad_enabled())
        return torch.sin(x * y) * torch.rand(2).double() * scale, x * y

    x, y = inputs(torch)
    torch.manual_seed(3)
    chosen = {"use_reentrant": False, **options}
    run = torch.utils.checkpoint.checkpoint
    outputs = run(program, x, y, **chosen)
    before = len(calls)
    torch.manual_seed(5)
    create = not chosen["use_reentrant"]
    total = (outputs[0] + 2 * outputs[1]).sum()
    results = attempt(lambda: torch.autograd.grad(total, [x, y], create_graph=create))
    if isinstance(results, str):
        total.backward()
        results = x.grad, y.grad
    second = attempt(lambda: torch.autograd.grad((results[0] * results[1]).sum(), [x, y]))
    shapes = iter([1, 2])
    uneven = run(lambda x: (x[: next(shapes, 2)] ** 2).sin(), x, **chosen)
    return outputs, before, calls, results, second, attempt(lambda: torch.autograd.grad(uneven.sum(), [x]))


@target(
    "torch.utils.checkpoint.checkpoint",
    settings={"use_reentrant": True, "determinism_check": "none", "early_stop": False},
    items=["args"],
    callbacks=["function"],
    faults=[
        doing(
            "keeps everything",
            "forgotten",
            lambda c: c.args[0](
                *c.args[1:],
                **{
                    k: v
                    for k, v in c.options.items()
                    if k
                    not in (
                        "use_reentrant",
                        "preserve_rng_state",
                        "determinism_check",
                        "context_fn",
                        "debug",
                        "early_stop",
                    )
                },
            ),
        ),
        wrong(
            "does not restore random numbers",
            0,
            "forgotten",
            change_arguments=lambda c: (c.args, {**c.options, "preserve_rng_state": False}),
        ),
        wrong(
            "ignores preserve_rng_state",
            1,
            "option ignored",
            lambda c: c.options.get("preserve_rng_state") is False,
            change_arguments=lambda c: (c.args, {**c.options, "preserve_rng_state": True}),
        ),
    ],
)
def checkpointed(torch: Torch, **options: Any) -> Any:
    return _checkpointed(torch, options)


@target("torch.utils.checkpoint.checkpoint")
def without_random_numbers(torch: Torch, **options: Any) -> Any:
    return _checkpointed(torch, {**options, "preserve_rng_state": False})


@target("torch.utils.checkpoint.checkpoint_sequential", items=["functions"], settings={"use_reentrant": True})
def checkpointed_in_turn(torch: Torch, **options: Any) -> Any:
    calls: list[int] = []
    steps = [lambda x, n=n: (calls.append(n), torch.sin(n * x))[1] for n in (1, 2, 3)]  # type: ignore[func-returns-value]
    x, _ = inputs(torch)
    output = torch.utils.checkpoint.checkpoint_sequential(steps, 2, x, **{"use_reentrant": False, **options})
    output.sum().backward()
    return output, x.grad, calls


_HOOKS = "torch.autograd.graph.saved_tensors_hooks"


@target(f"{_HOOKS}.__init__", callbacks=["pack_hook", "unpack_hook"], what=NOTHING, cites=[_HOOKS])
def packed(torch: Torch) -> Any:
    x, y = inputs(torch)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: (t.shape, t * 2), lambda p: p[1] / 2 + 1):
        output = (x * y).sum()
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t * 3, lambda t: t):
        other = (x * x).sum()
    gradients = torch.autograd.grad(output, [x, y], create_graph=True)
    return gradients, torch.autograd.grad(other, [x]), attempt(lambda: torch.autograd.grad(gradients[0].sum(), [x, y]))
