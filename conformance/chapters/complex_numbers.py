"""Complex numbers: gradients where inputs, outputs or intermediate values are complex.

There are two conventions. Conjugated: a VJP multiplies the cotangent by the conjugate of the derivative, so that the
gradient of a real loss is its direction of steepest ascent. Unconjugated: a VJP multiplies by the derivative itself.
"""

from conformance.behaviour import MUST, SHOULD, behaviour, document, hips, jax, torch
from conformance.expect import close, equal, one_of, raises

TORCH = "Autograd for Complex Numbers"
CROSS = "What about cross-domain functions?"
JAX = "Complex numbers and differentiation"
HIPS = "Complex numbers"
GRADCHECK = "Notations and background information"
EXISTS = "Gradients for non-differentiable functions"


@behaviour(
    MUST,
    conjugated=(torch("notes/autograd", CROSS), torch("notes/gradcheck", GRADCHECK)),
    unconjugated=(jax("autodiff_cookbook", JAX), hips("tutorial", HIPS)),
    cases={
        "squared_modulus": (lambda ad, z: ad.np.abs(z) ** 2, 3 + 4j, 6 + 8j, 6 - 8j),
        "real_part_of_a_square": (lambda ad, z: ad.np.real(z * z), 1 + 2j, 2 - 4j, 2 + 4j),
    },
    aliases=("wirtinger derivative", "conjugate gradient jax pytorch complex"),
)
def the_gradient_of_a_real_loss_is_conjugated_or_not(ad, loss, at, conjugated, unconjugated):
    """The gradient of a real loss L of z = x + iy is ∂L/∂x + i ∂L/∂y (conjugated convention) or ∂L/∂x - i ∂L/∂y
    (unconjugated)."""
    gradient = ad.grad(lambda z: loss(ad, z))
    return one_of(gradient(ad.array(at)), conjugated=conjugated, unconjugated=unconjugated)


@behaviour(
    MUST,
    conjugated=torch("notes/autograd", TORCH),
    unconjugated=jax("autodiff_cookbook", JAX),
    cases={
        "first": (0, [[2 + 1j, -1 + 3j]], [[-2 + 1j, 1 + 3j]]),
        "second": (1, [[1 + 1j], [-1 + 2j]], [[-1 + 1j], [1 + 2j]]),
    },
)
def the_vjp_of_a_matrix_product(ad, index, conjugated, unconjugated):
    """The VJP of a complex matrix product multiplies the cotangent by the conjugate transpose of the other factor
    (conjugated convention) or by its transpose (unconjugated)."""
    x, y = ad.array([[1 + 1j, 2 - 1j]]), ad.array([[1 + 2j], [3 - 1j]])
    _, pullback = ad.vjp(ad.np.matmul, x, y)
    return one_of(pullback(ad.array([[1j]]))[index], conjugated=conjugated, unconjugated=unconjugated)


@behaviour(MUST, torch("notes/autograd", TORCH), jax("autodiff_cookbook", JAX), hips("tutorial", HIPS))
def a_real_to_real_function_has_a_real_gradient(ad):
    """The gradient with respect to a real x is real, also if complex numbers are computed inside: that of |(3 + 4i) x|²
    is 50x."""
    gradient = ad.grad(lambda x: ad.np.abs(x * ad.array(3 + 4j)) ** 2)
    close(gradient(ad.array(3.0)), 150.0)


@behaviour(MUST, torch("notes/autograd", CROSS), jax("autodiff_cookbook", JAX))
def the_real_part_has_the_gradient_one(ad):
    """The gradient of the real part of a complex z is 1, in the conjugated and in the unconjugated convention."""
    close(ad.grad(lambda z: 3 * ad.np.real(z))(ad.array(3 + 4j)), 3.0 + 0.0j)


@behaviour(
    MUST,
    jax("autodiff_cookbook", JAX, raises=Exception, says="real-valued outputs"),
    aliases=("grad can be implicitly created only for real scalar outputs", "grad requires real-valued outputs"),
)
def grad_of_a_complex_output_raises(ad):
    """grad of a function with a complex output raises an error unless `holomorphic=True` is passed."""
    gradient = ad.grad(lambda z: z * z)
    raises(lambda: gradient(ad.array(3 + 4j)))


@behaviour(
    SHOULD,
    torch("torch.Tensor.backward", raises=Exception, says="same dtype"),
    document("004"),
    cases={"real_output": ([1.0], [1j]), "complex_output": ([1j], [1.0])},
    aliases=("both grad_output and output are required to have the same dtype",),
)
def backward_with_a_gradient_of_another_domain_raises(ad, value, gradient):
    """backward() raises an error if its `gradient` is complex and the output real, or the other way round."""
    x = ad.leaf(value)
    raises(lambda: ad.backward(x * 2, ad.array(gradient)))


@behaviour(
    MUST,
    conjugated=torch("notes/autograd", TORCH),
    unconjugated=(jax("autodiff_cookbook", JAX), hips("tutorial", HIPS)),
    cases={
        "one": (lambda ad, z: z * z, 1 + 2j, 1 + 0j, 2 - 4j, 2 + 4j),
        "imaginary": (lambda ad, z: z * z, 1 + 2j, 1j, 4 + 2j, -4 + 2j),
        "exponential": (lambda ad, z: ad.np.exp(z), 1.5707963267948966j, 1 + 2j, 2 - 1j, -2 + 1j),
    },
    aliases=("cauchy riemann",),
)
def the_vjp_of_a_holomorphic_function(ad, function, at, cotangent, conjugated, unconjugated):
    """The VJP of a holomorphic f multiplies the cotangent by the conjugate of f'(z) (conjugated convention) or by f'(z)
    (unconjugated)."""
    _, pullback = ad.vjp(lambda z: function(ad, z), ad.array(at))
    return one_of(pullback(ad.array(cotangent))[0], conjugated=conjugated, unconjugated=unconjugated)


@behaviour(MUST, torch("notes/autograd", TORCH), jax("autodiff_cookbook", JAX))
def the_vjp_of_the_conjugate(ad):
    """The VJP of the complex conjugate conjugates the cotangent, in the conjugated and in the unconjugated
    convention."""
    _, pullback = ad.vjp(ad.np.conj, ad.array(3 + 4j))
    close(pullback(ad.array(1 + 2j)), (1 - 2j,))


@behaviour(
    MUST,
    conjugated=torch("notes/autograd", CROSS),
    unconjugated=jax("autodiff_cookbook", JAX),
    cases={
        "absolute_value": (lambda ad, z: ad.np.abs(z), 3 + 4j, 1.2 + 1.6j, 1.2 - 1.6j),
        "imaginary_part": (lambda ad, z: ad.np.imag(z), 3 + 4j, 2j, -2j),
        "angle": (lambda ad, z: ad.np.angle(z), 1 + 2j, -0.8 + 0.4j, -0.8 - 0.4j),
        "one_norm": (lambda ad, z: ad.np.norm(ad.np.stack([z]), 1), 3 + 4j, 1.2 + 1.6j, 1.2 - 1.6j),
        "two_norm": (lambda ad, z: ad.np.norm(ad.np.stack([z]), 2), 3 + 4j, 1.2 + 1.6j, 1.2 - 1.6j),
        "three_norm": (lambda ad, z: ad.np.norm(ad.np.stack([z]), 3), 3 + 4j, 1.2 + 1.6j, 1.2 - 1.6j),
        "infinity_norm": (lambda ad, z: ad.np.norm(ad.np.stack([z]), float("inf")), 3 + 4j, 1.2 + 1.6j, 1.2 - 1.6j),
        "deviation": (lambda ad, z: ad.np.std(ad.np.stack([z, z, z, -z])), 3 + 4j, 1.2 + 1.6j, 1.2 - 1.6j),
    },
    aliases=("gradient of complex abs",),
)
def the_gradient_of_a_real_function_of_a_complex_input(ad, function, at, conjugated, unconjugated):
    """The VJP of a real function f of z = x + iy multiplies a real cotangent by ∂f/∂x + i ∂f/∂y (conjugated convention)
    or by ∂f/∂x - i ∂f/∂y (unconjugated)."""
    _, pullback = ad.vjp(lambda z: function(ad, z), ad.array(at))
    return one_of(pullback(ad.array(2.0))[0], conjugated=conjugated, unconjugated=unconjugated)


@behaviour(
    MUST,
    conjugated=torch("notes/autograd", CROSS),
    unconjugated=(
        jax("autodiff_cookbook", JAX),
        jax("autodiff_cookbook", "Vector-Jacobian products (VJPs, aka reverse-mode autodiff)"),
    ),
)
def the_vjp_of_a_complex_output_to_a_real_input_is_real(ad):
    """The VJP of (3 + 4i) x for a real x is real: the real part of the cotangent times 3 - 4i (conjugated convention)
    or times 3 + 4i (unconjugated)."""
    _, pullback = ad.vjp(lambda x: (3 + 4j) * x, ad.array(2.0))
    (gradient,) = pullback(ad.array(1j))
    equal(ad.dtype_of(gradient), "float64")
    return one_of(gradient, conjugated=4.0, unconjugated=-4.0)


@behaviour(MUST, torch("notes/autograd", TORCH), jax("autodiff_cookbook", JAX))
def a_real_factor_scales_a_complex_cotangent(ad):
    """The VJP of 3z multiplies a complex cotangent by 3, in the conjugated and in the unconjugated convention."""
    _, pullback = ad.vjp(lambda z: 3 * z, ad.array(1 + 2j))
    close(pullback(ad.array(5 - 1j)), (15 - 3j,))


@behaviour(
    MUST,
    conjugated=torch("notes/autograd", TORCH),
    unconjugated=jax("autodiff_cookbook", JAX),
    cases={
        "operator": (lambda ad, z, w: z * w,),
        "function": (lambda ad, z, w: ad.np.prod(ad.np.stack([z, w])),),
    },
)
def the_vjp_of_a_complex_product(ad, product):
    """The VJP of a complex product z * w for z multiplies the cotangent by the conjugate of w (conjugated convention)
    or by w (unconjugated)."""
    _, pullback = ad.vjp(lambda z, w: product(ad, z, w), ad.array(1 + 2j), ad.array(3 + 1j))
    return one_of(pullback(ad.array(2 + 1j)), conjugated=(7 + 1j, 4 - 3j), unconjugated=(5 + 5j, 5j))


@behaviour(MUST, torch("notes/autograd", CROSS), torch("torch.view_as_real"))
def the_vjp_of_view_as_real(ad):
    """The VJP of view_as_real maps the cotangents (a, b) of the real and the imaginary part to the complex gradient a +
    ib."""
    _, pullback = ad.vjp(ad.np.view_as_real, ad.array(1 + 2j))
    close(pullback(ad.array([3.0, 4.0])), (3 + 4j,))


@behaviour(
    MUST,
    torch("notes/gradcheck", GRADCHECK),
    torch("torch.autograd.forward_ad.make_dual"),
    jax("autodiff_cookbook", JAX),
    cases={
        "square": (lambda ad, z: z * z, -8 + 6j),
        "conjugate": (lambda ad, z: ad.np.conj(z), -1j),
        "absolute_value": (lambda ad, z: ad.np.abs(z), 0.8),
    },
)
def the_jvp_of_a_complex_function(ad, function, tangent):
    """The JVP of a complex function, holomorphic or not, is its directional derivative along the complex tangent."""
    close(ad.jvp(lambda z: function(ad, z), (ad.array(3 + 4j),), (ad.array(1j),))[1], tangent)


def _rotating(ad, x, *rest):
    """The vector of x (3 + 4i), whose modulus is 5 x, and the rest."""
    return ad.np.stack([x * ad.array(3 + 4j), *(ad.array(z) for z in rest)])


def _two_factors(ad, x):
    """Two complex multiples of x, whose product is x^2 (-5 + 10i)."""
    return ad.np.stack([x * ad.array(3 + 4j), x * ad.array(1 + 2j)])


def _squared_determinant(ad, x):
    rows = [[x + 1j, x * 0 + 2.0], [x * 0 + 3j, x + 0j]]
    return ad.np.abs(ad.np.det(ad.np.stack([ad.np.stack([z + 0j for z in row]) for row in rows]))) ** 2


def _determinant_sign(ad, x):
    """The sign of the determinant x + i, whose real part is x / √(x² + 1)."""
    return ad.np.slogdet(ad.np.stack([ad.np.stack([x + 1j])]))[0]


@behaviour(
    MUST,
    torch("notes/autograd", TORCH),
    jax("autodiff_cookbook", JAX),
    cases={
        "sum_of_lengths": (lambda ad, x: ad.np.norm(_rotating(ad, x, 1j), 1), 2.0, 5.0),
        "length": (lambda ad, x: ad.np.norm(_rotating(ad, x, 4j), 2), 0.6, 3.0),
        "norm_of_order_three": (lambda ad, x: ad.np.norm(_rotating(ad, x, 4j, 3 - 4j), 3), 0.6, 1.25),
        "greatest_length": (lambda ad, x: ad.np.norm(_rotating(ad, x, 1j), float("inf")), 2.0, 5.0),
        "product": (lambda ad, x: ad.np.real(ad.np.prod(_rotating(ad, x, 1j, 2 + 1j))), 0.0, -11.0),
        "determinant": (_squared_determinant, 2.0, 24.0),
        "norm_of_order_one_and_a_half": (lambda ad, x: ad.np.norm(_rotating(ad, x), 1.5), 2.0, 5.0),
        "running_product": (lambda ad, x: ad.np.real(ad.np.cumprod(_two_factors(ad, x))[1]), 1.0, -10.0),
        "sign_of_a_determinant": (lambda ad, x: ad.np.real(_determinant_sign(ad, x)), 0.75, 0.512),
    },
    aliases=("fft gradient",),
)
def a_real_function_that_computes_with_complex_numbers(ad, program, at, slope):
    """The gradient of a real function of a real input is its usual derivative, also if the function computes with
    complex numbers inside."""
    close(ad.grad(lambda x: program(ad, x))(ad.array(at)), slope)


@behaviour(MUST, torch("notes/autograd", EXISTS), aliases=("abs gradient nan at zero complex",))
def the_modulus_has_the_gradient_zero_at_zero(ad):
    """The gradient of the modulus |z| at the complex 0 is 0, its subgradient of minimum norm, and 1 at a positive z."""
    gradient = ad.grad(lambda z: ad.np.sum(ad.np.abs(z)))
    close(gradient(ad.array([0j, 3 + 0j])), [0j, 1 + 0j])


@behaviour(
    MUST,
    torch("complex_numbers", "Accessing real and imag"),
    torch("complex_numbers", "Autograd"),
    torch("notes/autograd", CROSS),
    cases={
        "real": ("real", [21 + 4j, 7 - 2j], [7 + 0j, 7 + 0j]),
        "imag": ("imag", [3 + 28j, 1 - 14j], [7j, 7j]),
    },
)
def the_parts_of_a_complex_tensor_are_views(ad, part, updated, expected):
    """An in-place multiplication of z.real or z.imag updates z, and is differentiated: the gradient of the sum of
    7 Re(z) is 7, and that of 7 Im(z) is 7i."""
    z = ad.leaf([3 + 4j, 1 - 2j])
    y = z * 1
    ad.mul_(ad.attribute_of(y, part), 7)
    ad.backward(ad.np.sum(ad.attribute_of(y, part)))
    close((y, ad.gradient_of(z)), (updated, expected))


@behaviour(
    MUST,
    torch("notes/gradcheck", GRADCHECK),
    jax("autodiff_cookbook", JAX),
    cases={
        "conjugate": (lambda ad, z: 2 * ad.np.conj(z), 2.0 + 0j, -2j),
        "shear": (lambda ad, z: 2 * z + 3 * ad.np.real(z) * 1j, 2 + 3j, 2j),
    },
)
def two_tangents_give_the_full_jacobian(ad, function, along_one, along_i):
    """Of a function that is not holomorphic, the JVPs along 1 and along i are the partial derivatives with respect to
    the real and to the imaginary part."""
    _, first = ad.jvp(lambda z: function(ad, z), (ad.array(3 + 4j),), (ad.array(1 + 0j),))
    _, second = ad.jvp(lambda z: function(ad, z), (ad.array(3 + 4j),), (ad.array(1j),))
    close((first, second), (along_one, along_i))


@behaviour(
    MUST,
    conjugated=(torch("notes/autograd", CROSS), torch("notes/gradcheck", GRADCHECK)),
    unconjugated=jax("autodiff_cookbook", JAX),
)
def the_gradient_of_a_complex_gradient(ad):
    """The directional derivative of the gradient of |z|² along t is 2t where the gradient is 2z (conjugated
    convention), and 2 conj(t) where it is 2 conj(z) (unconjugated)."""
    gradient = ad.grad(lambda z: ad.np.real(z * ad.np.conj(z)))
    both = ad.jvp(gradient, (ad.array(3 + 4j),), (ad.array(1 + 2j),))
    return one_of(both, conjugated=(6 + 8j, 2 + 4j), unconjugated=(6 - 8j, 2 - 4j))
