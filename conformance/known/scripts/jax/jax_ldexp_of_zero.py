import jax
import jax.numpy as jnp

seen = jax.grad(jnp.ldexp)(0.0, 3)
print("derivative of x * 2**3 at 0 as ldexp(x, 3):", seen, "at 0.1:", jax.grad(jnp.ldexp)(0.1, 3), "true: 8")
assert seen == 8, seen
