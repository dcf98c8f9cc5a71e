import jax
import jax.numpy as jnp

points = jnp.array([0.0, 1.0, 2.0], jnp.bfloat16)
seen = jax.grad(lambda x: jnp.interp(x, points, points**2))(jnp.bfloat16(1.5))
print("derivative of x**2 between 1 and 2, interpolated:", seen, "true: 3")
assert seen == 3, seen
