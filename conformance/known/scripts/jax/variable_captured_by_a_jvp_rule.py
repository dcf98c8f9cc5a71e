import jax


def f(c):
    g = jax.custom_jvp(lambda x: c * x)
    g.defjvp(lambda primals, tangents: (g(*primals), c * tangents[0]))
    return g(2.0)


try:
    got = jax.jit(jax.grad(jax.jit(f)))(3.0)
except Exception:  # as without jit, and as JEP 4008 promises
    pass
else:
    raise AssertionError(got)
