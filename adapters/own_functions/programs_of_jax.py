"""Broken laws on a person's function as programs of JAX alone: what each computes as `got` and `expected`.

`xs` are the arguments, `us` and `vs` directions, `ws` cotangents of the outputs; `call` gives the list of outputs.
"""

from __future__ import annotations

__all__ = ["HEAD", "LAWS", "TAIL"]

HEAD = """\
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)
D = dict(dtype=jnp.{dtype})
xs = [jnp.array(x, **D) for x in {values}]
us = [jnp.array(u, **D) for u in {first}]
vs = [jnp.array(v, **D) for v in {second}]
ws = [jnp.array(w, **D) for w in {cotangents}]


{functions}

def slope(f, h={step}):
    at = lambda t: f(*[x + t * v for x, v in zip(xs, vs)])
    return [(at(h) - at(-h)) / (2 * h)]


def tangent(f, xs, vs):
    return jax.jvp(f, tuple(xs), tuple(vs))[1]


gradient = lambda f: jax.grad(f, tuple(range(len(xs))))


"""
TAIL = """
for a, b in zip(got, expected):
    print("got     ", a.tolist())
    print("expected", b.tolist())
    assert jnp.allclose(a.astype(float), b.astype(float), {rtol}, {atol}, equal_nan=True), "they differ"
"""

_SECOND = """\
first = lambda *xs: dot(gradient(total)(*xs), us)
"""
_BATCH = "batch = [jnp.stack([x, 0.9 * x]) for x in xs]\n"
LAWS: dict[str, str] = {
    "derivatives.reverse_mode_gives": "got, expected = [dot(gradient(total)(*xs), vs)], slope(total)\n",
    "derivatives.forward_mode_gives": "got, expected = [tangent(total, xs, vs)], slope(total)\n",
    "own.reverse_mode_gives": "got, expected = [dot(gradient(total)(*xs), vs)], slope(total)\n",
    "own.the_modes_agree": "got, expected = [tangent(total, xs, vs)], [dot(gradient(total)(*xs), vs)]\n",
    "derivatives.reverse_over_reverse": _SECOND + "got, expected = [dot(gradient(first)(*xs), vs)], slope(first)\n",
    "derivatives.forward_over_reverse": _SECOND + "got, expected = [tangent(first, xs, vs)], slope(first)\n",
    "derivatives.reverse_over_forward": _SECOND
    + "got, expected = [dot(gradient(lambda *xs: tangent(total, xs, us))(*xs), vs)], slope(first)\n",
    "derivatives.forward_over_forward": _SECOND
    + "got, expected = [tangent(lambda *xs: tangent(total, xs, us), xs, vs)], slope(first)\n",
    "cotangents.the_derivative_of_the_pullback": """\
pulled = lambda *ws: dot(jax.vjp(lambda *xs: call(*xs), *xs)[1](list(ws)), vs)
got, expected = [dot(jax.grad(pulled, tuple(range(len(ws))))(*ws), ws)], slope(total)
""",
    "cotangents.the_pullback_is_linear": """\
pull = jax.vjp(lambda *xs: call(*xs), *xs)[1]
got, expected = pull([-3.0 * w for w in ws]), [-3.0 * x for x in pull(ws)]
""",
    "precision.single": """\
low = [x.astype("float32") for x in xs]
got = jax.grad(lambda *xs: dot(call(*xs), [w.astype("float32") for w in ws]), tuple(range(len(xs))))(*low)
expected = gradient(total)(*[x.astype(float) for x in low])
""",
    "transforms.jit": "got, expected = jax.jit(gradient(total))(*xs), gradient(total)(*xs)\n",
    "transforms.checkpoint": "got, expected = gradient(jax.checkpoint(total))(*xs), gradient(total)(*xs)\n",
    "transforms.vmap_of_a_gradient": _BATCH
    + "got = jax.vmap(gradient(total))(*batch)\n"
    + "expected = [jnp.stack(x) for x in zip(*[gradient(total)(*x) for x in zip(*batch)])]\n",
    "transforms.vmap_of_a_jvp": _BATCH
    + "f = lambda *xs: tangent(total, xs, vs)\n"
    + "got, expected = [jax.vmap(f)(*batch)], [jnp.stack([f(*x) for x in zip(*batch)])]\n",
    "transforms.the_gradient_of_vmap": _BATCH
    + "got = gradient(lambda *batch: jax.vmap(total)(*batch).sum())(*batch)\n"
    + "expected = gradient(lambda *batch: sum(total(*x) for x in zip(*batch)))(*batch)\n",
    "own.one_array": """\
for n, x in enumerate(xs[1:], 1):
    if x.shape == xs[0].shape:
        same = [xs[0] if m == n else y for m, y in enumerate(xs)]
        parts = gradient(total)(*same)
        got = [jax.grad(lambda x: total(*[x if m in (0, n) else y for m, y in enumerate(xs)]))(xs[0])]
        expected = [parts[0] + parts[n]]
        break
""",
    "kinks.a_gradient": """\
got = [dot(gradient(total)(*xs), vs)]
low, high = sorted((total(*[x + h * v for x, v in zip(xs, vs)]) - total(*xs)) / h for h in (1e-6, -1e-6))
expected = [jnp.nan_to_num(jnp.clip(got[0], low, high), nan=low)]
""",
}
