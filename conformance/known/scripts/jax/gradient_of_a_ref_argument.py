import jax

total = jax.new_ref(100.0)
_, pullback = jax.vjp(lambda ref: ref[...] ** 2, jax.new_ref(3.0))
pullback.with_refs(total)(2.0)
assert total[...] == 112.0, total
