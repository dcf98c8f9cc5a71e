import jax


def f(ref):
    ref[...] = ref[...] ** 2
    return 5 * ref[...]


total = jax.new_ref(100.0)
# Before 0.11, jax.vjp of such a function raised a ValueError.
if jax.__version_info__ >= (0, 11):
    output, pullback = jax.vjp(f, jax.new_ref(3.0))
    pullback.with_refs(total)(2.0)
    assert (output, total[...]) == (45.0, 160.0), (output, total[...])
