"""JAX's stop_gradient, checkpoints and custom rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workshop.engine_mutants.engine_fault import Call
from workshop.engine_mutants.fault_forms import always, wrong
from workshop.engine_mutants.target import NOTHING, PROGRAM, VALUE, target

Jax = Any


def _points(jax: Jax, dtype: str = "float64") -> tuple[Any, Any]:
    return jax.numpy.array([1.0, 2.0], dtype), jax.numpy.array([3.0, 5.0], dtype)


# What JAX hands a function in a mode.
TRACERS = {
    "in forward mode": "JVPTracer",
    "in reverse mode": "LinearizeTracer",
    "under jit": "DynamicJaxprTracer",
    "under vmap": "BatchTracer",
}


def _traced_by(tracer: str) -> Callable[[Call], bool]:
    return lambda c: _mode(c) == tracer


@target(
    "jax.lax.stop_gradient",
    what=VALUE,
    faults=[
        wrong("lets the gradient through", 0, "history", instead=lambda c: c.args[0]),
        *(
            wrong(
                f"lets the gradient through {where}",
                1,
                "one mode",
                _traced_by(tracer),
                instead=lambda c: c.args[0],
            )
            for where, tracer in TRACERS.items()
        ),
        wrong(
            "stops the first of a container only",
            1,
            "first only",
            lambda c: isinstance(c.args[0], (tuple, list)),
            change_result=lambda c: type(c.result)([c.result[0], *c.args[0][1:]]),
        ),
        wrong(
            "leaves dicts alone", 1, "first only", lambda c: isinstance(c.args[0], dict), instead=lambda c: c.args[0]
        ),
        wrong(
            "lets complex gradients through",
            1,
            "complex numbers",
            lambda c: getattr(c.args[0], "dtype", "") == "complex128",
            instead=lambda c: c.args[0],
        ),
        wrong(
            "lets the gradient through in float32",
            2,
            "dtype",
            lambda c: getattr(c.args[0], "dtype", "") == "float32",
            instead=lambda c: c.args[0],
        ),
    ],
)
def stopped(jax: Jax) -> Any:
    def stop(x: Any) -> Any:
        return jax.lax.stop_gradient(x)

    x, y = _points(jax)
    z = jax.numpy.array([1 + 2j])

    def program(x: Any) -> Any:
        return (stop(x) * x).sum()

    def pair(x: Any, y: Any) -> Any:
        return sum((a * b).sum() for a, b in zip(stop((x, y)), (x, y), strict=True))

    def table(x: Any) -> Any:
        return (stop({"a": x})["a"] * x).sum()

    return (
        jax.grad(program)(x),
        jax.jvp(program, (x,), (y,)),
        jax.grad(jax.jit(program))(x),
        jax.vmap(jax.grad(lambda x: stop(x) * x))(x),
        jax.grad(lambda x: jax.vmap(lambda v: stop(v) * v)(x).sum())(x),
        jax.grad(pair, (0, 1))(x, y),
        jax.grad(table)(x),
        jax.grad(lambda z: (stop(z) * z).sum().real)(z),
        jax.grad(program)(x.astype("float32")),
    )


def _mode(call: Any) -> str:
    return type(call.args[0]).__name__


@target(
    "jax.checkpoint",
    what=PROGRAM,
    settings={"policy": lambda jax: jax.checkpoint_policies.everything_saveable, "static_argnums": (1,)},
    callbacks=["fun"],
    faults=[
        wrong("keeps everything", 0, "forgotten", instead=lambda c: c.args[0]),
    ],
)
def recomputed(jax: Jax, **options: Any) -> Any:
    x, _ = _points(jax)
    calls: list[Any] = []

    def program(x: Any, n: Any) -> Any:
        jax.debug.callback(lambda x: calls.append(1), x)
        return (jax.numpy.sin(jax.numpy.sin(x)) * n, 2.0 * x) if not options.get("static_argnums") or n > 1 else (x, x)

    run = jax.checkpoint(program, **options)

    def total(x: Any) -> Any:
        return run(x, 2)[0].sum() + 3 * run(x, 2)[1].sum()

    results = jax.grad(total)(x), jax.grad(lambda x: jax.grad(total)(x).sum())(x), jax.jvp(total, (x,), (x,))
    jax.effects_barrier()
    saved = jax.make_jaxpr(jax.grad(total))(x)
    again = jax.checkpoint(lambda x, n: jax.numpy.sin(x) * n, **options)(x.astype("float32"), 2)
    return run(x, 2), results, len(calls), str(saved).count("sin"), again


@target(
    "jax.custom_vjp.defvjp",
    callbacks=["fwd", "bwd"],
    settings={"symbolic_zeros": True},
    what=NOTHING,
    cites=["jax.custom_vjp"],
)
def a_rule(jax: Jax, **options: Any) -> Any:
    x, y = _points(jax)

    def made() -> Any:
        f = jax.custom_vjp(lambda x, y: (x * y, x + y))
        if options.get("symbolic_zeros"):

            def forward(x: Any, y: Any) -> Any:
                return ((x.value * y.value, x.value + y.value), (x.value, y.value))

            def backward(res: Any, g: Any) -> Any:
                return (3 * res[1], 5 * res[0]) if type(g[1]).__name__ == "SymbolicZero" else (res[0], res[1])
        else:

            def forward(x: Any, y: Any) -> Any:
                return ((x * y, x + y), (x, y))

            def backward(res: Any, g: Any) -> Any:
                return (3 * g[0] * res[1] + g[1], 5 * g[0] * res[0] + 7 * g[1])

        f.defvjp(forward, backward, **options)
        return f

    f = made()

    def total(x: Any, y: Any) -> Any:
        return (f(x, y)[0] ** 2).sum() + (2.0 * f(x, y)[1]).sum() * (not options)

    first = jax.grad(total, (0, 1))
    return first(x, y), first(x, y), jax.grad(lambda x, y: (first(x, y)[0] * first(x, y)[1]).sum(), (0, 1))(x, y)


@target(
    "jax.custom_jvp.defjvp",
    callbacks=["jvp"],
    settings={"symbolic_zeros": True},
    what=NOTHING,
    cites=["jax.custom_jvp"],
)
def a_forward_rule(jax: Jax, **options: Any) -> Any:
    x, y = _points(jax)
    f = jax.custom_jvp(lambda x, y: x * y)

    @f.defjvp if not options else lambda rule: f.defjvp(rule, **options)  # type: ignore[untyped-decorator]
    def rule(primals: Any, tangents: Any) -> Any:
        (x, y), (s, t) = primals, tangents
        if options:
            t = 0 * y if type(t).__name__ == "SymbolicZero" else 7 * t
            s = 0 * x if type(s).__name__ == "SymbolicZero" else s
        return f(x, y), 3 * s * y + 5 * x * t

    def total(x: Any, y: Any) -> Any:
        return f(x, y).sum()

    first = jax.grad(total, (0, 1))
    second = jax.grad(lambda x, y: (first(x, y)[0] * first(x, y)[1]).sum(), (0, 1))(x, y)
    return first(x, y), jax.jvp(f, (x, y), (y, x)), second, jax.grad(total)(x, y), f(x, y)


@target("jax.custom_jvp.defjvps", what=NOTHING, items=["jvps"], cites=["jax.custom_jvp"])
def forward_rules(jax: Jax) -> Any:
    x, y = _points(jax)
    f = jax.custom_jvp(lambda x, y: x * y)
    f.defjvps(lambda t, out, x, y: 3 * t * y, lambda t, out, x, y: 5 * x * t)
    g = jax.custom_jvp(lambda x, y: x * y)
    g.defjvps(None, lambda t, out, x, y: 5 * x * t)
    return [(jax.jvp(h, (x, y), (y, x)), jax.grad(lambda x, y, h=h: h(x, y).sum(), (0, 1))(x, y)) for h in (f, g)]


@target("jax.custom_gradient", what=PROGRAM, callbacks=["fun"])
def a_gradient_in_a_program(jax: Jax) -> Any:
    x, y = _points(jax)
    f = jax.custom_gradient(lambda x, y: (x * y, lambda g: (3 * g * y, 5 * g * x)))
    first = jax.grad(lambda x, y: f(x, y).sum(), (0, 1))
    second = jax.grad(lambda x, y: (first(x, y)[0] * first(x, y)[1]).sum(), (0, 1))(x, y)
    return f(x, y), first(x, y), second, f(*_points(jax, "float32"))


@target(
    "jax.closure_convert",
    items=["example_args"],
    what=NOTHING,
    faults=[
        wrong("finds no closed-over values", 0, "forgotten", instead=lambda c: (c.args[0], [])),
        wrong(
            "gives closed-over values without history",
            2,
            "second order",
            lambda c: bool(c.result[1]),
            change_result=lambda c: (c.result[0], [__import__("jax").lax.stop_gradient(x) for x in c.result[1]]),
        ),
        wrong(
            "exchanges two closed-over values",
            1,
            "exchanged results",
            lambda c: len(c.result[1]) > 1,
            change_result=lambda c: (c.result[0], [c.result[1][1], c.result[1][0], *c.result[1][2:]]),
        ),
        always("doubles closed-over values", "result", lambda result: (result[0], [2 * x for x in result[1]])),
    ],
)
def converted(jax: Jax) -> Any:
    x, y = _points(jax)

    def program(x: Any, y: Any) -> Any:
        pure, closed = jax.closure_convert(lambda t: t * x * y**2, x)
        return (pure(y, *closed)).sum() + 3 * sum((n + 1) * c.sum() for n, c in enumerate(closed))

    return jax.grad(program, (0, 1))(x, y)
