import jax
import jax.numpy as jnp

a, b = jnp.asarray(-7.3), jnp.asarray(0.5)
_, forward = jax.jvp(lambda a: jax.scipy.special.betaln(a, b), (a,), (jnp.ones(()),))
reverse = jax.grad(jax.scipy.special.betaln)(a, b)
print("derivative of betaln by a at (-7.3, 0.5): forward", forward, "reverse", reverse, "true: 6.6727")
assert abs(reverse - 6.6727) < 1e-3, reverse
