import jax
import jax.numpy as jnp

x = jnp.array([0.1, 0.5, -0.3, 1.2], "float16")


def along(x):
    return jax.jvp(jax.grad(jnp.std), (x,), (jnp.array([1.0, 2.0, 3.0, 4.0], "float16"),))[1]


# The second derivative at a multiple of x is a multiple.
seen, true = along(x / 256) / 256, along(x)
print("seen", seen.tolist(), "true", true.tolist())
assert jnp.allclose(seen, true, rtol=1e-2)
