"""Program writes:60 on torch: orders_of_modes: NaN: np.cumprod

Written by `autograd-conformance program writes:60 --engine torch --as-test`.
"""

from conformance.expect import close

# Engines on which it fails, each with the cause.
FAILS = {"torch": "cumprod_backward_of_jvp_at_zeros", "torch_func": "cumprod_backward_of_jvp_at_zeros"}


def check(ad):
    """The second derivative along the directions is the same by each composition of the modes."""
    t0 = ad.array([[0.64, 1.41, 1.31], [1.39, 1.48, 0.52]])
    x0 = ad.array([[0.0, 2.0, -2.0], [-2.0, 0.0, 0.0]])
    c = ad.array([[1.0, 1.2, 1.3], [1.3, 1.2, 1.0]])

    def program(v0):
        v1 = ad.np.cumprod(v0, 1)
        return v1

    def f(v0):
        return ad.np.sum(program(v0) * c) + ad.np.sum(v0 * v0)

    def by_reverse(v0):
        g0 = ad.grad(f)(v0)
        return ad.np.sum(g0 * t0)

    def by_forward(v0):
        return ad.jvp(f, (v0,), (t0,))[1]

    h0 = ad.grad(by_reverse)(x0)
    k0 = ad.grad(by_forward)(x0)
    close(
        ad.jvp(by_reverse, (x0,), (t0,))[1], ad.np.sum(h0 * t0), within=2e-06, because="rounding in a long computation"
    )
    close(ad.np.sum(k0 * t0), ad.np.sum(h0 * t0), within=2e-06, because="rounding in a long computation")
