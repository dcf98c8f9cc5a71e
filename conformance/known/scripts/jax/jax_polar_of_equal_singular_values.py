import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)
V = jnp.array([[0.0, 1.0], [0.0, 0.0]])


def turned(t):  # of the polar factor of I + t V, whose derivative at 0 is the antisymmetric part of V
    return jax.scipy.linalg.polar(jnp.eye(2) + t * V, method="svd")[0][0, 1]


print("by differences:", (turned(1e-4) - turned(-1e-4)) / 2e-4, "true:", 0.5)
seen = jax.grad(turned)(0.0), jax.jvp(turned, (0.0,), (1.0,))[1]
print("reverse and forward mode:", seen)
assert not any(jnp.isnan(one) for one in seen), seen
