import jax
import jax.numpy as jnp

a = jnp.float32(2**26) * jnp.array([[2.0, 1.0], [1.0, 3.0]], "float32")


def vector(a):
    return jnp.abs(jnp.linalg.eigh(a)[1][0, 0])


# An eigenvector does not depend on the scale of the matrix.
seen, true = jax.grad(vector)(a) * 2**26, jax.grad(vector)(a / 2**26)
print("seen", seen.tolist(), "true", true.tolist())
assert jnp.allclose(seen, true, rtol=1e-3)
