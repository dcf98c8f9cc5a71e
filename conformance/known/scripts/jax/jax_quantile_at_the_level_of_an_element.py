import jax
import jax.numpy as jnp

values = jnp.array([1.0, 2.0, 3.0, 4.0, 5.0])  # so that quantile(values, q) = 1 + 4 q
seen = [jax.grad(lambda q: jnp.quantile(values, q))(q) for q in (0.2, 0.25, 0.3)]
print("derivative by the level at 0.2, 0.25, 0.3:", seen, "true: 4")
assert abs(seen[1] - 4.0) < 1e-4, seen
