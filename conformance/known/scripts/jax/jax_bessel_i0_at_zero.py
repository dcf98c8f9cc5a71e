import jax
from jax.scipy.special import i0, i1

first, second = jax.grad(i0)(0.0), jax.grad(jax.grad(i1))(0.0)
print("derivative of i0 at 0:", first, "true: 0; second derivative of i1 at 0:", second, "true: 0")
assert first == 0, first
assert second == 0, second
