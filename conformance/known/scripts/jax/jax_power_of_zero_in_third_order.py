import jax


def square(x):
    return x**2.0  # by an integer exponent it is right


seen = [f(0.0) for f in (jax.grad(square), jax.grad(jax.grad(square)), jax.grad(jax.grad(jax.grad(square))))]
print("seen", [float(x) for x in seen], "true", [0.0, 2.0, 0.0])
assert seen == [0.0, 2.0, 0.0]
