import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)
query = jnp.array([[[0.3, -1.2]], [[1.1, 0.4]]])  # two positions, one head, two numbers
seen = jax.nn.dot_product_attention(query, query, query)[:, 0]
weights = jax.nn.softmax(query[:, 0] @ query[:, 0].T / jnp.sqrt(2.0), axis=-1)
error = float(abs(seen - weights @ query[:, 0]).max())
print("dtype:", seen.dtype, "error:", error, "true: below 1e-14")
assert error < 1e-14, error
