import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)
b = jnp.array([1.0, 2.0])


def squared_solution(a):
    return jnp.sum(jnp.linalg.lstsq(a, b)[0] ** 2)


# The solution is inv(a) b: at the identity its derivative along E is -E b.
gradient = jax.grad(squared_solution)(jnp.eye(2))
print("got     ", gradient.tolist())
print("expected", [[-2.0, -4.0], [-4.0, -8.0]])
assert jnp.allclose(gradient, jnp.array([[-2.0, -4.0], [-4.0, -8.0]])), "NaN at equal singular values"
