import jax
from jax.scipy.special import dawsn

jax.config.update("jax_enable_x64", True)
third = jax.grad(jax.grad(jax.grad(lambda x: dawsn(x) + x * x * x / 6)))
# Without the cube, it is -3e-24.
got = float(jax.jit(third)(1e6)) - 1.0
print("seen", got, "true", -3e-24)
assert abs(got) < 1e-10, got
