import jax
import jax.numpy as jnp

first, second = jax.grad(jax.nn.log1mexp), jax.grad(jax.grad(jax.nn.log1mexp))
x = jnp.float32(120.0)  # exp(-120) is zero in single precision
print("first", first(x), "second", second(x), "true", 0.0, 0.0)
assert second(x) == 0.0
