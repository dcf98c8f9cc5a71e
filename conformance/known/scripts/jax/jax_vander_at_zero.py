import jax
import jax.numpy as jnp


def powers(x):  # 1, x, x^2 and x^3
    return jnp.vander(jnp.stack([x]), 4, increasing=True)[0]


seen = jax.jacrev(powers)(0.0)
print("derivatives of the powers at 0:", seen, "true:", [0.0, 1.0, 0.0, 0.0])
print("of the sum of all but the first:", jax.grad(lambda x: jnp.sum(powers(x)[1:]))(0.0), "true:", 1.0)
assert not jnp.isnan(seen).any(), seen
