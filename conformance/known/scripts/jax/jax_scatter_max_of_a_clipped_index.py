import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)
x = jnp.array([1.0, 2.0])


def written(y):  # index 5 is clipped to 1: max(2, y)
    return x.at[jnp.array([5])].max(y, mode="clip")[1]


seen, tangent = jax.grad(written)(3.0), jax.jvp(written, (3.0,), (1.0,))[1]
print("value:", written(3.0), "gradient:", seen, "JVP:", tangent, "true: 3.0, 1.0, 1.0")
assert (seen, tangent) == (1.0, 1.0), (seen, tangent)
