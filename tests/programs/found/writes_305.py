"""Program writes:305 on torch: raises RuntimeError: ZeroTensors are immutable. Please materialize the tensor
using `.clone()`, if yo

Written by `autograd-conformance program writes:305 --engine torch --as-test`.
"""

from conformance.expect import close

# Engines on which it fails, each with the cause.
FAILS = {"torch": "zero_tensor_written_in_forward_mode", "torch_func": "zero_tensor_written_in_forward_mode"}


def check(ad):
    """The derivative along a direction is the same in forward and in reverse mode."""
    t0 = ad.array(0.83)
    x0 = ad.array(1.0)

    def program(v0):
        v1 = ad.np.sign(v0)
        v2 = ad.operate_(v1, "leaky_relu")
        return v0

    def f(v0):
        return ad.np.sum(program(v0)) + ad.np.sum(v0 * v0)

    g0 = ad.grad(f)(x0)
    close(ad.jvp(f, (x0,), (t0,))[1], ad.np.sum(g0 * t0), within=3e-07, because="rounding in a long computation")
