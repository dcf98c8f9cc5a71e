import jax
import jax.numpy as jnp

jacobian = jax.jacfwd(lambda x: jax.new_ref(x)[...])(jnp.ones(2))
assert jacobian.tolist() == [[1.0, 0.0], [0.0, 1.0]], jacobian
