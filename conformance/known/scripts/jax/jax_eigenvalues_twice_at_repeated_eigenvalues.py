import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)
V = jnp.array([[1.0, 0.5], [0.5, -1.0]])


def total(t):  # the trace of (I + t V)^2
    return jnp.sum(jnp.linalg.eigvalsh(jnp.eye(2) + t * V) ** 2)


seen, true = jax.grad(jax.grad(total))(0.0), 2 * jnp.sum(V * V)
print("second derivative:", seen, "true:", true)
assert abs(seen - true) < 1e-9, seen
