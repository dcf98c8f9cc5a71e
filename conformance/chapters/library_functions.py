"""Library functions: derivatives of spence, digamma, xlogy, tanh and sign at points where implementations differ."""

from conformance.behaviour import MAY, MUST, behaviour, jax, torch
from conformance.expect import close


@behaviour(
    MUST,
    jax("jax.grad"),
    jax("jax.jvp"),
    jax("jax.scipy.special.spence"),
    cases={
        "forward": (lambda ad, x: ad.jvp(ad.np.spence, (x,), (ad.array(1.0),))[1],),
        "reverse": (lambda ad, x: ad.grad(ad.np.spence)(x),),
    },
    aliases=("dilogarithm nan gradient",),
)
def spence_has_the_same_derivative_in_both_modes(ad, derivative):
    """The derivative of spence (the dilogarithm) at 1.2 is log(1.2) / (1 - 1.2), about -0.91, in both modes."""
    close(derivative(ad, ad.array(1.2)), -0.9116077839697731)


@behaviour(
    MUST,
    torch("notes/autograd", "Gradients for non-differentiable functions"),
    jax("jax.grad"),
    jax("jax.scipy.special.digamma"),
    aliases=("psi polygamma gradient",),
)
def digamma_of_a_negative_number(ad):
    """The gradient of digamma between its poles at the negative integers is exact: at -9.5 it is about 9.77."""
    close(ad.grad(ad.np.digamma)(ad.array(-9.5)), 9.769687445030232)


@behaviour(
    MUST,
    torch("torch.sgn"),
    torch("torch.autograd.forward_ad.make_dual"),
    jax("jax.numpy.sign"),
    jax("jax.jvp"),
    aliases=("complex sgn gradient",),
)
def the_sign_of_a_complex_number(ad):
    """The JVP of complex sign (torch.sgn), z/|z|, at 3 + 4i with tangent i is (-12 + 9i)/125."""
    sign, tangent = ad.jvp(ad.np.sign, (ad.array(3 + 4j),), (ad.array(1j),))
    close((sign, tangent), (0.6 + 0.8j, -0.096 + 0.072j))


@behaviour(MAY, jax("jax.numpy.tanh", since="0.11.2"))
def the_gradient_of_tanh_is_zero_where_it_rounds_to_one(ad):
    """In double precision the gradient of tanh is 0 at 20 and at -20, where tanh rounds to 1 and -1; the derivative is
    about 1.7e-17, seen here 1e17 times as large. At 0 it is 1."""
    weights = ad.array([1e17, 1e17, 3.0])
    gradient = ad.grad(lambda x: ad.np.sum(weights * ad.np.tanh(x)))(ad.array([20.0, -20.0, 0.0]))
    close(gradient, [0.0, 0.0, 3.0])


@behaviour(
    MUST,
    jax("jax.scipy.special.xlogy"),
    jax("jax.scipy.special.xlog1py"),
    cases={
        "xlogy": (lambda ad, x, y: ad.np.xlogy(x, y), 0.0),
        "xlog1py": (lambda ad, x, y: ad.np.xlog1py(x, y), -1.0),
    },
    aliases=("xlogy nan gradient",),
)
def xlogy_has_no_nan_gradient_where_its_logarithm_is_infinite(ad, function, y):
    """The gradients of x log(y) at (0, 0) and of x log(1 + y) at (0, -1), where the logarithm is infinite, are not
    NaN."""
    gradients = ad.grad(lambda x, y: function(ad, x, y), argnums=(0, 1))(ad.array(0.0), ad.array(y))
    found = ad.np.isnan(ad.np.stack([gradients[0], gradients[1]]))
    close(ad.np.where(found, ad.array([1.0, 1.0]), ad.array([0.0, 0.0])), [0.0, 0.0])
