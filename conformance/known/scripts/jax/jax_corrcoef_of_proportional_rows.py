import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)
rows = jnp.array([[1.0, 2.0, 4.0, -1.0], [2.0, 4.0, 8.0, -2.0]])
turn = jnp.array([[0.3, -0.5, 0.2, 0.7], [0.1, 0.9, -0.4, 0.6]])
second = jax.grad(jax.grad(lambda t: jnp.corrcoef(rows + t * turn)[0, 1]))
true = (second(1e-4) + second(-1e-4)) / 2  # beside the rows that are proportional
print("second derivative of a correlation of 1:", second(0.0), "beside it:", true)
assert abs(second(0.0) - true) < 1e-3, second(0.0)
