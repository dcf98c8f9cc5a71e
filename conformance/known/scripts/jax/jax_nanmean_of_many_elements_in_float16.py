import jax
import jax.numpy as jnp

x = jnp.full(70_000, 0.5, dtype=jnp.float16)
seen, true = jax.grad(jnp.nanmean)(x), jax.grad(jnp.mean)(x)
print("seen", seen[0], "true", true[0])
assert seen[0] == true[0]
