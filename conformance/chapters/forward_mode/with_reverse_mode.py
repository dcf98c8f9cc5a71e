"""Forward mode with reverse mode: JVPs that are differentiated, JVPs of gradients, and both of one function."""

from conformance.behaviour import MUST, behaviour, hips, jax, torch, torch_func
from conformance.expect import close

MAKE = "torch.autograd.forward_ad.make_dual"
COMPOSE = "What are composable function transforms?"
GRAD_IN_JAX = "Taking derivatives with jax.grad"


@behaviour(
    MUST,
    torch(MAKE),
    jax("thinking_in_jax", GRAD_IN_JAX),
    torch_func("func", COMPOSE),
    cases={"primal": (0, 4.0), "tangent": (1, 6.0)},
    aliases=("reverse over forward",),
)
def a_jvp_can_be_differentiated_in_reverse(ad, argument, expected):
    """Reverse over forward: the JVP of x² with tangent t, 2xt, has the gradients 2t for x and 2x for t."""
    tangent = ad.grad(lambda x, t: ad.jvp(lambda x: x * x, (x,), (t,))[1], argnums=argument)
    close(tangent(ad.array(3.0), ad.array(2.0)), expected)


@behaviour(
    MUST,
    torch_func("func", COMPOSE),
    jax("thinking_in_jax", GRAD_IN_JAX),
    hips("README"),
    aliases=("forward over reverse", "hvp forward over reverse"),
)
def a_gradient_has_a_jvp(ad):
    """Forward over reverse: the JVP of grad is a Hessian-vector product, 90 for x³ at 3 with tangent 5."""
    _, tangent = ad.jvp(ad.grad(lambda x: x**3), (ad.array(3.0),), (ad.array(5.0),))
    close(tangent, 90.0)


def _two_of_three(ad):
    return lambda x: ad.np.stack([x[0] * x[1], x[0] + x[2] * x[2]])


@behaviour(
    MUST,
    torch(MAKE),
    torch("torch.autograd.grad"),
    jax("autodiff_cookbook", "Vector-Jacobian products (VJPs, aka reverse-mode autodiff)"),
    torch_func("torch.func.jvp"),
    torch_func("torch.func.vjp"),
    aliases=("adjoint test",),
)
def jvp_and_vjp_are_transposes(ad):
    """JVP and VJP of a real function are transposes: cotangent times JVP equals VJP times tangent (dot products)."""
    x, along, program = ad.array([1.0, 2.0, 3.0]), ad.array([5.0, 1.0, 2.0]), _two_of_three(ad)
    _, tangent = ad.jvp(program, (x,), (along,))
    _, pullback = ad.vjp(program, x)
    (cotangent,) = pullback(ad.array([1.0, 10.0]))
    # 1 * 11 + 10 * 17 = 12 * 5 + 1 * 1 + 60 * 2
    close(ad.np.sum(ad.array([1.0, 10.0]) * tangent), 181.0)
    close(ad.np.sum(cotangent * along), 181.0)
