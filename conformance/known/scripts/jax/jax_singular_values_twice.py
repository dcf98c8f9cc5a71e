import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)
V = jnp.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 0.5, 0.0]])
h, seen = 1e-3, []
for order, point in (("nuc", jnp.eye(3)), (2, jnp.diag(jnp.array([1.0, 1.0, 3.0])))):

    def norm(t, order=order, point=point):
        return jnp.linalg.norm(point + t * V, order)

    seen.append(jax.grad(jax.grad(norm))(0.0))
    print("norm", order, "second derivative:", seen[-1], "by differences:", (norm(h) - 2 * norm(0.0) + norm(-h)) / h**2)
assert not any(jnp.isnan(one) for one in seen), seen
