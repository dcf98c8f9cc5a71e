import jax
import jax.numpy as jnp


def gelu(x):
    return jax.nn.gelu(x, approximate=False)


seen = [float(jax.grad(jax.grad(jax.grad(gelu)))(x)) for x in (jnp.float32(1e10), jnp.float32(1e20))]
print("seen", seen, "true", [0.0, 0.0])
assert seen == [0.0, 0.0]
