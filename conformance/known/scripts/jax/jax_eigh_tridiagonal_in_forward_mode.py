import jax
import jax.numpy as jnp
from jax.scipy.linalg import eigh_tridiagonal

jax.config.update("jax_enable_x64", True)


def trace(t):  # the sum of the eigenvalues: 7 t
    return eigh_tridiagonal(jnp.array([1.0, 2.0, 4.0]) * t, jnp.array([0.3, 0.5]), eigvals_only=True).sum()


seen = jax.jvp(trace, (1.0,), (1.0,))[1]
print("derivative of the sum of the eigenvalues:", seen, "by differences:", (trace(1.01) - trace(0.99)) / 0.02)
assert abs(seen - 7) < 1e-6, seen
