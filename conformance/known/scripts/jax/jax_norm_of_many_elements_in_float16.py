import jax
import jax.numpy as jnp

x = jnp.full(70_000, 1.5, dtype=jnp.float16)
value, seen = jax.value_and_grad(jnp.linalg.norm)(x)
true = jax.grad(jnp.linalg.norm)(x.astype(jnp.float32))
print("value", value, "seen", seen[0], "true", true[0])
assert seen[0] > 0
