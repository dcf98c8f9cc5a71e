import jax
import jax.numpy as jnp


def gradient(dtype):
    x = jnp.array([[1.0, 1.0, 1.0], [0.5, -1.0, 2.0]], dtype)
    return jax.grad(lambda z: (jnp.arange(6.0).reshape(2, 3).astype(dtype) * jax.nn.standardize(z)).sum())(x)


seen, true = gradient(jnp.float16), gradient(jnp.float32)
print("seen", seen, "true", true)
assert jnp.isfinite(seen).all()
