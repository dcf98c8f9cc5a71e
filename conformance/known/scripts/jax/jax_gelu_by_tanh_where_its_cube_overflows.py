import jax
import jax.numpy as jnp

gradient = jax.grad(jax.nn.gelu)  # approximate=True is the default
seen = [float(gradient(x)) for x in (jnp.float16(30.0), jnp.float16(300.0), jnp.float32(1e20))]
print("seen", seen, "true", [1.0, 1.0, 1.0])
assert seen == [1.0, 1.0, 1.0]
