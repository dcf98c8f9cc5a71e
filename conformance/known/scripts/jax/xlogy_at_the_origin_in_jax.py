import jax
import jax.numpy as jnp

for f, y in ((jax.scipy.special.xlogy, 0.0), (jax.scipy.special.xlog1py, -1.0)):
    gradients = jax.grad(f, argnums=(0, 1))(0.0, jnp.asarray(y))
    assert not any(jnp.isnan(gradient) for gradient in gradients), (f.__name__, gradients)
