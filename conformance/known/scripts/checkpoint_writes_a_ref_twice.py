import jax


@jax.checkpoint
def f(y, ref):
    out = y * ref[...]
    ref[...] += 1
    return out


ref = jax.new_ref(1.0)
jax.grad(f)(1.0, ref)
assert ref[...] == 2.0, ref[...]
