"""Program writes:52 on torch: forward_is_differences: numbers: clone write.multiply:itself

Written by `autograd-conformance program writes:52 --engine torch --as-test`.
"""

from conformance.expect import close

# Engines on which it fails, each with the cause.
FAILS = {"torch": "inplace_square_tangent", "torch_func": "inplace_square_tangent"}


def check(ad):
    """The derivative along a direction in forward mode is that of central differences."""
    t0 = ad.array([[0.64, 1.41, 1.31], [1.39, 1.48, 0.52]])
    x0 = ad.array([[2.0, 0.07, 0.0], [0.0, 0.0, -1.0]])
    c = ad.array([[1.0, 1.2, 1.3], [1.3, 1.2, 1.0]])

    def program(v0):
        v1 = ad.clone(v0)
        v2 = ad.operate_(v1, "multiply", v1)
        return v1

    def f(v0):
        return ad.np.sum(program(v0) * c) + ad.np.sum(v0 * v0)

    close(ad.jvp(f, (x0,), (t0,))[1], 3.474279999997, within=0.0002, because="by central differences")
