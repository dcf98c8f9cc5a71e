import jax
import jax.numpy as jnp

jacobian = jax.jacrev(lambda i: 1.5 * i, allow_int=True)(jnp.array([3, 4]))
assert jacobian.dtype == jax.float0, jacobian.dtype
