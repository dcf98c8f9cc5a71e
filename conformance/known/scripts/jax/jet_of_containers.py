from jax.experimental.jet import jet

value, series = jet(lambda p: p["a"] * p["a"], ({"a": 2.0},), ({"a": (3.0, 1.0)},))
assert (value, tuple(series)) == (4.0, (12.0, 22.0)), (value, series)
