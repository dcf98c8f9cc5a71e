import jax
import jax.numpy as jnp

x = jnp.array(1100.0, "bfloat16")
seen = [float(z) for z in jax.grad(jnp.logaddexp2, (0, 1))(x, x)]
print("seen", seen, "true", [0.5, 0.5])
assert abs(sum(seen) - 1) < 0.1
