"""JAX's transforms of functions."""

from __future__ import annotations

from typing import Any

from workshop.mutants.of_engines.simple import always, attempt, wrong
from workshop.mutants.of_engines.target import NOTHING, PAIR, PROGRAM, PROGRAMS, VALUE, target

Jax = Any


def _points(jax: Jax, dtype: str = "float64") -> tuple[Any, Any]:
    return jax.numpy.array([1.0, 2.0], dtype), jax.numpy.array([3.0, 5.0], dtype)


def _cubic(x: Any, y: Any) -> Any:
    return (x**3 * y**2).sum()


def _with_aux(options: dict[str, Any], program: Any) -> Any:
    """The program, with an output beside it if there is to be one."""
    return (lambda *args: (program(*args), 7 * args[0])) if options.get("has_aux") else program


def _derivative(jax: Jax, make: Any, options: dict[str, Any], scalar: bool = True) -> Any:
    """A transform's function: called twice, in float32, inside of others, on unequal dtypes and complex numbers."""
    x, y = _points(jax)
    program = _cubic if scalar else (lambda x, y: x**3 * y**2)
    derive = make(_with_aux(options, program), **options)

    def inner(x: Any, y: Any) -> Any:
        return sum((n + 1) * leaf.sum() for n, leaf in enumerate(jax.tree.leaves(derive(x, y))))

    z = jax.numpy.array([1 + 2j, 3 - 1j])
    tried = [
        lambda: (derive(x, y), derive(x, y)),
        lambda: derive(*_points(jax, "float32")),
        lambda: jax.grad(inner, (0, 1))(x, y),
        lambda: derive(x.astype("float32"), y),
        lambda: jax.vmap(lambda k: derive(k * x, y))(jax.numpy.array([2.0, 3.0])),
        lambda: derive(z, 2 * z),
        lambda: derive(jax.numpy.array([1, 2]), jax.numpy.array([3, 5])),
    ]
    return [attempt(one) for one in tried]


_FLAGS = {"argnums": (1, 0), "has_aux": True, "holomorphic": True}


@target("jax.grad", what=PROGRAM, settings={**_FLAGS, "allow_int": True})
def a_gradient(jax: Jax, **options: Any) -> Any:
    return _derivative(jax, jax.grad, options)


@target("jax.value_and_grad", what=PROGRAM, settings={**_FLAGS, "allow_int": True})
def a_value_and_gradient(jax: Jax, **options: Any) -> Any:
    return _derivative(jax, jax.value_and_grad, options)


@target("jax.jacrev", what=PROGRAM, settings={**_FLAGS, "allow_int": True})
def a_jacobian_by_rows(jax: Jax, **options: Any) -> Any:
    return _derivative(jax, jax.jacrev, options, scalar=False)


@target("jax.jacfwd", what=PROGRAM, settings=_FLAGS)
def a_jacobian_by_columns(jax: Jax, **options: Any) -> Any:
    return _derivative(jax, jax.jacfwd, options, scalar=False)


@target("jax.hessian", what=PROGRAM, settings=_FLAGS)
def a_hessian(jax: Jax, **options: Any) -> Any:
    return _derivative(jax, jax.hessian, options)


@target("jax.vjp", what=PAIR, settings={"has_aux": True}, items=["primals"])
def a_pullback(jax: Jax, **options: Any) -> Any:
    x, y = _points(jax)
    program = _with_aux(options, lambda x, y: (x**3 * y, y**2))
    output, pullback, *aux = jax.vjp(program, x, y, **options)
    given = jax.numpy.array([1.0, 2.0]), jax.numpy.array([5.0, 3.0])
    found = [output, aux, pullback(given), pullback(given)]

    def inner(x: Any, y: Any) -> Any:
        output, pull, *_ = jax.vjp(program, x, y, **options)
        first, second = pull(given)
        return (first * x + 3 * second + 7 * output[0] + output[1]).sum()

    single, pull, *_ = jax.vjp(program, *_points(jax, "float32"), **options)
    narrow = pull(_points(jax, "float32"))
    mixed = jax.vjp(lambda x, y: (x * x, y * y), x.astype("float32"), y)
    z = jax.numpy.array([1 + 2j])
    numbers = jax.vjp(lambda z: z * z, z)[1](z)
    return found, jax.grad(inner, (0, 1))(x, y), single, narrow, mixed[1]((x.astype("float32"), y)), numbers


@target("jax.jvp", what=VALUE, settings={"has_aux": True}, items=["primals", "tangents"])
def a_pushforward(jax: Jax, **options: Any) -> Any:
    x, y = _points(jax)
    program = _with_aux(options, lambda x, y: (x**3 * y, y**2))
    push = lambda x, y: jax.jvp(program, (x, y), (y, x), **options)

    def inner(x: Any, y: Any) -> Any:
        (output, other), (tangent, last), *_ = push(x, y)
        return (tangent * x + 3 * last + 7 * output + other).sum()

    narrow = x.astype("float32")
    mixed = jax.jvp(lambda x, y: (x * x, y * y), (narrow, y), (narrow, y))
    return push(x, y), push(*_points(jax, "float32")), jax.grad(inner, (0, 1))(x, y), mixed


@target("jax.linearize", what=PAIR, settings={"has_aux": True}, items=["primals"])
def a_linear_map(jax: Jax, **options: Any) -> Any:
    x, y = _points(jax)
    program = _with_aux(options, lambda x, y: (x**3 * y, y**2))
    output, push, *aux = jax.linearize(program, x, y, **options)
    single, narrow, *_ = jax.linearize(_with_aux(options, lambda x: x * x), x.astype("float32"), **options)

    def inner(x: Any) -> Any:
        output, push, *_ = jax.linearize(program, x, y, **options)
        tangent, other = push(y, x)
        return (tangent + 3 * other + output[0]).sum()

    return output, aux, push(y, x), push(y, x), single, narrow(y.astype("float32")), jax.grad(inner)(x)


@target("jax.linear_transpose", what=PROGRAM, items=["primals"])
def a_transpose(jax: Jax) -> Any:
    x, y = _points(jax)
    transpose = jax.linear_transpose(lambda x, y: (2 * x + 3 * y, 5 * y), x, y)
    narrow = jax.linear_transpose(lambda x: 3 * x, x.astype("float32"))
    inside = jax.grad(lambda x: sum((t * t).sum() for t in transpose((x, y))))(x)
    mixed = jax.linear_transpose(lambda x, y: (2 * x, 3 * y), x.astype("float32"), y)
    return transpose((x, y)), transpose((x, y)), narrow(x.astype("float32")), inside, mixed((x.astype("float32"), y))


@target("jax.fwd_and_bwd", what=PROGRAMS, settings={"has_aux": True, "jitted": False})
def forward_and_backward(jax: Jax, **options: Any) -> Any:
    x, y = _points(jax)
    forward, backward = jax.fwd_and_bwd(_with_aux(options, lambda x, y: x**3 * y), argnums=(0, 1), **options)
    output, residuals, *aux = forward(x, y)
    first = jax.fwd_and_bwd(lambda x, y: x**3 * y, argnums=1)
    inside = jax.grad(lambda x: first[0](x, y)[0].sum())(x)
    narrow = attempt(lambda: first[1](first[0](*_points(jax, "float32"))[1], x.astype("float32")))
    return output, aux, backward(residuals, x), backward(residuals, y), inside, narrow, first[1](first[0](x, y)[1], y)


_AXES = {"in_axes": (1, 0), "out_axes": (1, 0)}


@target("jax.vmap", what=PROGRAM, settings=_AXES, items=["in_axes", "out_axes"])
def a_batch(jax: Jax, **options: Any) -> Any:
    x = jax.numpy.array([[1.0, 2.0, 3.0], [5.0, 7.0, 11.0], [13.0, 17.0, 19.0]])
    mapped = jax.vmap(lambda a, b: (a * b.sum(), b - a), **options)
    derived = jax.grad(lambda x: (mapped(x, x[::-1])[0] * x + 3 * mapped(x, x)[1]).sum())(x)
    narrow = x.astype("float32")
    return mapped(x, x[::-1]), mapped(x, x[::-1]), mapped(narrow, narrow), derived, mapped(narrow, x)


@target("jax.vmap")
def other_axes(jax: Jax) -> Any:
    x = jax.numpy.array([[1.0, 2.0], [3.0, 4.0]])
    some = jax.vmap(lambda a, b: a - b, in_axes=(-1, None), out_axes=-1)(x, x[0])
    summed = jax.vmap(lambda a: jax.lax.psum(a, "i"), axis_name="i")(x)
    nested = jax.vmap(lambda row: jax.vmap(lambda a: a * row.sum())(row))(x)
    trees = jax.vmap(lambda t: t["a"] * t["b"], in_axes=({"a": 0, "b": None},))({"a": x, "b": x[1]})
    return some, summed, nested, trees, jax.vmap(lambda a: (a, 2.0), out_axes=(0, None))(x)


@target("jax.lax.stop_gradient", what=VALUE, faults=[
    wrong("lets the gradient through", 0, "history", instead=lambda c: c.args[0]),
    wrong("lets the gradient through in forward mode", 1, "one mode", lambda c: _mode(c) == "JVPTracer", instead=lambda c: c.args[0]),
    wrong("lets the gradient through in reverse mode", 1, "one mode", lambda c: _mode(c) == "LinearizeTracer", instead=lambda c: c.args[0]),
    wrong("lets the gradient through under jit", 1, "one mode", lambda c: _mode(c) == "DynamicJaxprTracer", instead=lambda c: c.args[0]),
    wrong("lets the gradient through under vmap", 1, "one mode", lambda c: _mode(c) == "BatchTracer", instead=lambda c: c.args[0]),
    wrong("stops the first of a container only", 1, "first only", lambda c: isinstance(c.args[0], (tuple, list)),
          found=lambda c: type(c.found)([c.found[0], *c.args[0][1:]])),
    wrong("leaves dicts alone", 1, "first only", lambda c: isinstance(c.args[0], dict), instead=lambda c: c.args[0]),
    wrong("lets complex gradients through", 1, "complex numbers", lambda c: getattr(c.args[0], "dtype", "") == "complex128",
          instead=lambda c: c.args[0]),
    wrong("lets the gradient through in float32", 2, "dtype", lambda c: getattr(c.args[0], "dtype", "") == "float32",
          instead=lambda c: c.args[0]),
])  # fmt: skip
def stopped(jax: Jax) -> Any:
    stop = lambda x: jax.lax.stop_gradient(x)
    x, y = _points(jax)
    z = jax.numpy.array([1 + 2j])
    program = lambda x: (stop(x) * x).sum()
    pair = lambda x, y: sum((a * b).sum() for a, b in zip(stop((x, y)), (x, y), strict=True))
    table = lambda x: (stop({"a": x})["a"] * x).sum()
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


@target("jax.checkpoint", what=PROGRAM, settings={"policy": lambda jax: jax.checkpoint_policies.everything_saveable,
        "static_argnums": (1,)}, hands=["fun"], faults=[
    wrong("keeps everything", 0, "forgotten", instead=lambda c: c.args[0]),
])  # fmt: skip
def recomputed(jax: Jax, **options: Any) -> Any:
    x, _ = _points(jax)
    calls: list[Any] = []

    def program(x: Any, n: Any) -> Any:
        jax.debug.callback(lambda x: calls.append(1), x)
        return (jax.numpy.sin(jax.numpy.sin(x)) * n, 2.0 * x) if not options.get("static_argnums") or n > 1 else (x, x)

    run = jax.checkpoint(program, **options)
    total = lambda x: run(x, 2)[0].sum() + 3 * run(x, 2)[1].sum()
    found = jax.grad(total)(x), jax.grad(lambda x: jax.grad(total)(x).sum())(x), jax.jvp(total, (x,), (x,))
    jax.effects_barrier()
    saved = jax.make_jaxpr(jax.grad(total))(x)
    again = jax.checkpoint(lambda x, n: jax.numpy.sin(x) * n, **options)(x.astype("float32"), 2)
    return run(x, 2), found, len(calls), str(saved).count("sin"), again


@target(
    "jax.custom_vjp.defvjp",
    hands=["fwd", "bwd"],
    settings={"symbolic_zeros": True},
    what=NOTHING,
    cites=["jax.custom_vjp"],
)
def a_rule(jax: Jax, **options: Any) -> Any:
    x, y = _points(jax)

    def made() -> Any:
        f = jax.custom_vjp(lambda x, y: (x * y, x + y))
        if options.get("symbolic_zeros"):
            forward = lambda x, y: ((x.value * y.value, x.value + y.value), (x.value, y.value))
            backward = lambda res, g: (
                (3 * res[1], 5 * res[0]) if type(g[1]).__name__ == "SymbolicZero" else (res[0], res[1])
            )
        else:
            forward = lambda x, y: ((x * y, x + y), (x, y))
            backward = lambda res, g: (3 * g[0] * res[1] + g[1], 5 * g[0] * res[0] + 7 * g[1])
        f.defvjp(forward, backward, **options)
        return f

    f = made()
    total = lambda x, y: (f(x, y)[0] ** 2).sum() + (2.0 * f(x, y)[1]).sum() * (not options)
    first = jax.grad(total, (0, 1))
    return first(x, y), first(x, y), jax.grad(lambda x, y: (first(x, y)[0] * first(x, y)[1]).sum(), (0, 1))(x, y)


@target(
    "jax.custom_jvp.defjvp", hands=["jvp"], settings={"symbolic_zeros": True}, what=NOTHING, cites=["jax.custom_jvp"]
)
def a_forward_rule(jax: Jax, **options: Any) -> Any:
    x, y = _points(jax)
    f = jax.custom_jvp(lambda x, y: x * y)

    @f.defjvp if not options else lambda rule: f.defjvp(rule, **options)
    def rule(primals: Any, tangents: Any) -> Any:
        (x, y), (s, t) = primals, tangents
        if options:
            t = 0 * y if type(t).__name__ == "SymbolicZero" else 7 * t
            s = 0 * x if type(s).__name__ == "SymbolicZero" else s
        return f(x, y), 3 * s * y + 5 * x * t

    total = lambda x, y: f(x, y).sum()
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
    return [(jax.jvp(h, (x, y), (y, x)), jax.grad(lambda x, y: h(x, y).sum(), (0, 1))(x, y)) for h in (f, g)]


@target("jax.custom_gradient", what=PROGRAM, hands=["fun"])
def a_gradient_in_a_program(jax: Jax) -> Any:
    x, y = _points(jax)
    f = jax.custom_gradient(lambda x, y: (x * y, lambda g: (3 * g * y, 5 * g * x)))
    first = jax.grad(lambda x, y: f(x, y).sum(), (0, 1))
    second = jax.grad(lambda x, y: (first(x, y)[0] * first(x, y)[1]).sum(), (0, 1))(x, y)
    return f(x, y), first(x, y), second, f(*_points(jax, "float32"))


@target("jax.closure_convert", items=["example_args"], what=NOTHING, faults=[
    wrong("finds no closed-over values", 0, "forgotten", instead=lambda c: (c.args[0], [])),
    wrong("gives closed-over values without history", 2, "second order", lambda c: bool(c.found[1]), found=lambda c: (
        c.found[0], [__import__("jax").lax.stop_gradient(x) for x in c.found[1]])),
    wrong("exchanges two closed-over values", 1, "exchanged results", lambda c: len(c.found[1]) > 1,
          found=lambda c: (c.found[0], [c.found[1][1], c.found[1][0], *c.found[1][2:]])),
    always("doubles closed-over values", "result", lambda found: (found[0], [2 * x for x in found[1]])),
])  # fmt: skip
def converted(jax: Jax) -> Any:
    x, y = _points(jax)

    def program(x: Any, y: Any) -> Any:
        pure, closed = jax.closure_convert(lambda t: t * x * y**2, x)
        return (pure(y, *closed)).sum() + 3 * sum((n + 1) * c.sum() for n, c in enumerate(closed))

    return jax.grad(program, (0, 1))(x, y)
