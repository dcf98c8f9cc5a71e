from autograd import make_vjp

pullback, _ = make_vjp(lambda x: (x, 2 * x))(3.0)
got = pullback((5.0, 7.0))
assert got == 19.0, got
