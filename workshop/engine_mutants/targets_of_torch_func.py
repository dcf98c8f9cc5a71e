"""PyTorch's function transforms, and the functional interface of autograd."""

from __future__ import annotations

from typing import Any

from workshop.engine_mutants.fault_forms import attempt, wrong
from workshop.engine_mutants.target import PAIR, PROGRAM, VALUE, target

Torch = Any


def _points(torch: Torch, dtype: str = "float64") -> tuple[Any, Any]:
    kind = getattr(torch, dtype)
    return torch.tensor([1.0, 2.0], dtype=kind), torch.tensor([3.0, 5.0], dtype=kind)


def _cubic(x: Any, y: Any) -> Any:
    return (x**3 * y**2).sum()


def _with_aux(options: dict[str, Any], program: Any) -> Any:
    """The program, with an auxiliary output if the options ask for it."""
    return (lambda *args: (program(*args), 7 * args[0])) if options.get("has_aux") else program


def _derivative(torch: Torch, make: Any, options: dict[str, Any], scalar: bool = True) -> Any:
    """A transform's function: called twice, in float32, inside of others, on unequal dtypes and complex numbers."""
    x, y = _points(torch)
    program = _cubic if scalar else (lambda x, y: x**3 * y**2)
    derive = make(_with_aux(options, program), **options)

    def inner(x: Any, y: Any) -> Any:
        from torch.utils._pytree import tree_leaves

        leaves = tree_leaves(derive(x, y))
        return sum((n + 1) * leaf.sum() for n, leaf in enumerate(leaves))

    second = torch.autograd.functional.jacobian(inner, (x, y))
    return (
        derive(x, y),
        derive(x, y),
        derive(*_points(torch, "float32")),
        second,
        attempt(lambda: derive(x.float(), y)),
        attempt(lambda: torch.vmap(lambda k: derive(k * x, y))(torch.tensor([2.0, 3.0], dtype=x.dtype))),
    )


_ARGNUMS = {"argnums": (1, 0), "has_aux": True}


@target("torch.func.grad", what=PROGRAM, settings=_ARGNUMS)
def a_gradient(torch: Torch, **options: Any) -> Any:
    return _derivative(torch, torch.func.grad, options)


@target("torch.func.grad_and_value", what=PROGRAM, settings=_ARGNUMS)
def a_gradient_and_value(torch: Torch, **options: Any) -> Any:
    return _derivative(torch, torch.func.grad_and_value, options)


@target("torch.func.jacrev", what=PROGRAM, settings={**_ARGNUMS, "chunk_size": 1})
def a_jacobian_by_rows(torch: Torch, **options: Any) -> Any:
    sizes: list[int] = []

    class Noting(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(x: Any) -> Any:
            return x.clone()

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            pass

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g

        @staticmethod
        def vmap(info: Any, in_dims: Any, x: Any) -> Any:
            sizes.append(info.batch_size)
            return x.clone(), in_dims[0]

    torch.func.jacrev(lambda x: torch.stack([x, x, x]), chunk_size=options.get("chunk_size"))(torch.ones(()))
    return _derivative(torch, torch.func.jacrev, options, scalar=False), sizes


@target("torch.func.jacfwd", what=PROGRAM, settings={**_ARGNUMS, "randomness": "different"})
def a_jacobian_by_columns(torch: Torch, **options: Any) -> Any:
    torch.manual_seed(0)
    draw = torch.func.jacfwd(lambda x: x * torch.rand(2), randomness=options.get("randomness", "error"))
    return _derivative(torch, torch.func.jacfwd, options, scalar=False), attempt(lambda: draw(torch.ones(2)).shape)


@target("torch.func.hessian", what=PROGRAM, settings={"argnums": (1, 0)})
def a_hessian(torch: Torch, **options: Any) -> Any:
    return _derivative(torch, torch.func.hessian, options)


@target("torch.func.vjp", what=PAIR, settings={"has_aux": True}, items=["primals"])
def a_pullback(torch: Torch, **options: Any) -> Any:
    x, y = _points(torch)
    program = _with_aux(options, lambda x, y: (x**3 * y, y**2))
    output, pullback, *aux = torch.func.vjp(program, x, y, **options)
    cotangents = torch.tensor([1.0, 2.0]).double(), torch.tensor([5.0, 3.0]).double()
    results = [output, aux, pullback(cotangents), attempt(lambda: pullback(cotangents))]

    def inner(x: Any, y: Any) -> Any:
        output, pull, *_ = torch.func.vjp(program, x, y, **options)
        first, second = pull(cotangents)
        return (first * x + 3 * second + 7 * output[0] + output[1]).sum()

    single, pull, *_ = torch.func.vjp(program, x.float(), y.float(), **options)
    mixed = attempt(lambda: torch.func.vjp(lambda x, y: x.double() * y, x.float(), y)[1](cotangents[0]))
    z = torch.tensor([1 + 2j])
    numbers = torch.func.vjp(lambda z: z * z, z)[1](z)
    return (
        results,
        torch.func.grad(inner, (0, 1))(x, y),
        single,
        pull((cotangents[0].float(), cotangents[1].float())),
        mixed,
        numbers,
    )


@target("torch.func.jvp", what=VALUE, settings={"has_aux": True, "strict": True}, items=["primals", "tangents"])
def a_pushforward(torch: Torch, **options: Any) -> Any:
    x, y = _points(torch)
    program = _with_aux(options, lambda x, y: (x**3 * y, y**2))
    constant = _with_aux(options, lambda x: torch.ones(2).double())

    def push(x: Any, y: Any) -> Any:
        return torch.func.jvp(program, (x, y), (y, x), **options)

    def inner(x: Any, y: Any) -> Any:
        (output, other), (tangent, last), *_ = push(x, y)
        return (tangent * x + 3 * last + 7 * output + other).sum()

    mixed = torch.func.jvp(lambda x, y: (x * x, y * y), (x.float(), y), (x.float(), y))
    return (
        push(x, y),
        push(x, y),
        push(*_points(torch, "float32")),
        torch.func.grad(inner, (0, 1))(x, y),
        attempt(lambda: torch.func.jvp(constant, (x,), (y,), **options)),
        mixed,
    )


@target("torch.func.linearize", what=PAIR, items=["primals"])
def a_linear_map(torch: Torch) -> Any:
    x, y = _points(torch)
    output, push = torch.func.linearize(lambda x, y: (x**3 * y, y**2), x, y)
    single, narrow = torch.func.linearize(lambda x: x * x, x.float())
    return output, push(y, x), push(y, x), single, narrow(y.float())


def _batches(torch: Torch, options: dict[str, Any]) -> Any:
    x = torch.tensor([[1.0, 2.0, 3.0], [5.0, 7.0, 11.0], [13.0, 17.0, 19.0]]).double()

    def program(a: Any, b: Any) -> Any:
        return (a * b.sum(), b - a)

    mapped = torch.func.vmap(program, **options)
    torch.manual_seed(0)
    sizes: list[int] = []

    def drawing(a: Any) -> Any:
        return a + torch.rand(3)

    draws = attempt(lambda: torch.func.vmap(drawing, **{"randomness": "error", **_draws(options)})(x))
    if isinstance(draws, torch.Tensor):
        noise = draws - x
        draws = [bool((noise[0] - noise[1]).abs().max() < 1e-6), list(draws.shape)]
    derived = torch.func.grad(lambda x: (mapped(x, x.flip(0))[0] * x + 3 * mapped(x, x)[1]).sum())(x)
    twice = torch.func.vmap(lambda y: torch.func.vmap(program, **options)(x * y, x))(torch.tensor([1.0, 2.0]).double())
    return (
        mapped(x, x.flip(0)),
        mapped(x, x.flip(0)),
        mapped(x.float(), x.flip(0).float()),
        draws,
        sizes,
        derived,
        twice,
    )


def _draws(options: dict[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in ("randomness", "chunk_size") if name in options}


_MAPS = {"in_dims": (1, 0), "out_dims": (1, 0), "randomness": "different", "chunk_size": 1}


@target("torch.func.vmap", what=PROGRAM, settings=_MAPS, items=["in_dims", "out_dims"])
def a_batch(torch: Torch, **options: Any) -> Any:
    return _batches(torch, options)


@target("torch.func.vmap")
def the_same_draw(torch: Torch, **options: Any) -> Any:
    torch.manual_seed(0)
    draws = torch.func.vmap(
        lambda a: a + torch.rand(3), randomness="same", **{k: v for k, v in options.items() if k == "chunk_size"}
    )(torch.zeros(3))
    return bool((draws[0] - draws[1]).abs().max() < 1e-6)


@target("torch.func.vmap")
def negative_dimensions(torch: Torch, **options: Any) -> Any:
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    return torch.func.vmap(lambda a, b: a - b, in_dims=(-1, None), out_dims=-1)(x, x[0])


@target(
    "torch.func.functional_call",
    settings={"tie_weights": False, "strict": True, "kwargs": lambda torch: {"scale": 3.0}},
)
def a_call_of_a_module(torch: Torch, **options: Any) -> Any:
    class Twice(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.a = torch.nn.Parameter(torch.tensor([1.0, 2.0]).double())
            self.b = self.a
            self.c = torch.nn.Parameter(torch.tensor([5.0, 7.0]).double())

        def forward(self, x: Any, scale: float = 1.0) -> Any:
            return self.a * x * scale + self.b * self.c

    module, x = Twice(), torch.tensor([2.0, 3.0]).double()

    def call(cotangents: Any) -> Any:
        return torch.func.functional_call(module, cotangents, (x,), **options)

    a = torch.tensor([11.0, 13.0]).double().requires_grad_()
    slope = torch.func.grad(lambda a: torch.func.functional_call(module, {"a": a, "c": a}, (x,), **options).sum())
    return (
        call({"a": a}) if "strict" not in options else attempt(lambda: call({"a": a})),
        attempt(lambda: call({"a": a, "c": a})),
        attempt(lambda: call({"a": a, "b": 2 * a, "c": a})),
        attempt(lambda: call({"d": a})),
        attempt(lambda: call({"a": a, "c": a, "d": a})),
        attempt(lambda: torch.autograd.grad(call({"a": a, "c": a}).sum(), [a])),
        attempt(lambda: slope(a.detach())),
        module.a is module.b,
        module.a,
    )


@target(
    "torch.func.stack_module_state",
    items=["models"],
    what="nothing",
    faults=[
        wrong(
            "shares memory with the first module",
            0,
            "result",
            change_result=lambda c: (
                {k: c.bound["models"][0].get_parameter(k).detach()[None] for k in c.result[0]},
                c.result[1],
            ),
        ),
        wrong(
            "forgets buffers", 1, "first only", lambda c: bool(c.result[1]), change_result=lambda c: (c.result[0], {})
        ),
        wrong(
            "gives parameters that need no gradient",
            0,
            "history",
            change_result=lambda c: ({k: p.detach() for k, p in c.result[0].items()}, c.result[1]),
        ),
    ],
)
def stacked_modules(torch: Torch) -> Any:
    torch.manual_seed(0)
    layers = [torch.nn.BatchNorm1d(2).double() for _ in range(2)]
    with torch.no_grad():
        layers[1].weight.mul_(3)
    parameters, buffers = torch.func.stack_module_state(layers)
    return {k: (p, p.is_leaf) for k, p in parameters.items()}, buffers
