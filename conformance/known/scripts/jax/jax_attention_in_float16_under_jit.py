import jax
import jax.numpy as jnp

x = jnp.ones((3, 2, 2), jnp.float16)
print("eager", jax.nn.dot_product_attention(x, x, x).sum())
print("jit", jax.jit(jax.nn.dot_product_attention)(x, x, x).sum())
