"""JAX's transforms of functions."""

from __future__ import annotations

from typing import Any

from workshop.engine_mutants.fault_forms import attempt
from workshop.engine_mutants.target import PAIR, PROGRAM, PROGRAMS, VALUE, target

Jax = Any


def _points(jax: Jax, dtype: str = "float64") -> tuple[Any, Any]:
    return jax.numpy.array([1.0, 2.0], dtype), jax.numpy.array([3.0, 5.0], dtype)


def _cubic(x: Any, y: Any) -> Any:
    return (x**3 * y**2).sum()


def _with_aux(options: dict[str, Any], program: Any) -> Any:
    """The program, with an auxiliary output if the options ask for it."""
    return (lambda *args: (program(*args), 7 * args[0])) if options.get("has_aux") else program


def _derivative(jax: Jax, make: Any, options: dict[str, Any], scalar: bool = True) -> Any:
    """A transform's function: called twice, in float32, inside of others, on unequal dtypes and complex numbers."""
    x, y = _points(jax)
    program = _cubic if scalar else (lambda x, y: x**3 * y**2)
    derive = make(_with_aux(options, program), **options)

    def inner(x: Any, y: Any) -> Any:
        return sum((n + 1) * leaf.sum() for n, leaf in enumerate(jax.tree.leaves(derive(x, y))))

    z = jax.numpy.array([1 + 2j, 3 - 1j])
    actions = [
        lambda: (derive(x, y), derive(x, y)),
        lambda: derive(*_points(jax, "float32")),
        lambda: jax.grad(inner, (0, 1))(x, y),
        lambda: derive(x.astype("float32"), y),
        lambda: jax.vmap(lambda k: derive(k * x, y))(jax.numpy.array([2.0, 3.0])),
        lambda: derive(z, 2 * z),
        lambda: derive(jax.numpy.array([1, 2]), jax.numpy.array([3, 5])),
    ]
    return [attempt(action) for action in actions]


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
    cotangents = jax.numpy.array([1.0, 2.0]), jax.numpy.array([5.0, 3.0])
    results = [output, aux, pullback(cotangents), pullback(cotangents)]

    def inner(x: Any, y: Any) -> Any:
        output, pull, *_ = jax.vjp(program, x, y, **options)
        first, second = pull(cotangents)
        return (first * x + 3 * second + 7 * output[0] + output[1]).sum()

    single, pull, *_ = jax.vjp(program, *_points(jax, "float32"), **options)
    narrow = pull(_points(jax, "float32"))
    mixed = jax.vjp(lambda x, y: (x * x, y * y), x.astype("float32"), y)
    z = jax.numpy.array([1 + 2j])
    numbers = jax.vjp(lambda z: z * z, z)[1](z)
    return results, jax.grad(inner, (0, 1))(x, y), single, narrow, mixed[1]((x.astype("float32"), y)), numbers


@target("jax.jvp", what=VALUE, settings={"has_aux": True}, items=["primals", "tangents"])
def a_pushforward(jax: Jax, **options: Any) -> Any:
    x, y = _points(jax)
    program = _with_aux(options, lambda x, y: (x**3 * y, y**2))

    def push(x: Any, y: Any) -> Any:
        return jax.jvp(program, (x, y), (y, x), **options)

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
