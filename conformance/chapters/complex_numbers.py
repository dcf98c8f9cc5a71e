"""Complex numbers: what a gradient means where the variables are complex.

There are two conventions. The plain one multiplies cotangents by derivatives. The conjugated one multiplies them by the
conjugates of derivatives, so that the gradient of a real output points uphill.
"""

from conformance.behaviour import MUST, behaviour, document, hips, jax, torch, torch_func
from conformance.expect import close, equal, one_of, raises

TORCH = "Autograd for Complex Numbers"
CROSS = "What about cross-domain functions?"
JAX = "Complex numbers and differentiation"
HIPS = "Complex numbers"


@behaviour(
    MUST,
    conjugated=(torch("notes/autograd", CROSS), torch_func("torch.func.grad")),
    plain=(jax("autodiff_cookbook", JAX), hips("tutorial", HIPS)),
)
def a_real_loss_of_a_complex_input(ad):
    """The gradient of |z|^2 is 2z, which points uphill, or the conjugate of 2z."""
    gradient = ad.grad(lambda z: ad.np.abs(z) ** 2)
    return one_of(gradient(ad.array(3 + 4j)), conjugated=6 + 8j, plain=6 - 8j)


@behaviour(
    MUST,
    conjugated=(torch("notes/autograd", TORCH), torch_func("torch.func.vjp")),
    plain=jax("autodiff_cookbook", JAX),
    cases={"first": (0, 5 - 6j, 5 + 6j), "second": (1, 3 - 4j, 3 + 4j)},
)
def a_factor_pulls_back_by_the_other(ad, place, conjugated, plain):
    """The pullback of a complex product gives each factor the other one, or its conjugate: of (3 + 4i)(5 + 6i)."""
    _, pullback = ad.vjp(lambda x, y: x * y, ad.array(3 + 4j), ad.array(5 + 6j))
    return one_of(pullback(ad.array(1 + 0j))[place], conjugated=conjugated, plain=plain)


@behaviour(
    MUST,
    conjugated=(torch("notes/autograd", TORCH), torch_func("torch.func.vjp")),
    plain=jax("autodiff_cookbook", JAX),
    cases={
        "first": (0, [[1 - 2j, 3 + 1j]], [[1 + 2j, 3 - 1j]]),
        "second": (1, [[1 - 1j], [2 + 1j]], [[1 + 1j], [2 - 1j]]),
    },
)
def a_matrix_factor_pulls_back_by_the_other(ad, place, conjugated, plain):
    """The pullback of a product of complex matrices transposes the other factor, and conjugates it or does not."""
    x, y = ad.array([[1 + 1j, 2 - 1j]]), ad.array([[1 + 2j], [3 - 1j]])
    _, pullback = ad.vjp(ad.np.matmul, x, y)
    return one_of(pullback(ad.array([[1 + 0j]]))[place], conjugated=conjugated, plain=plain)


@behaviour(
    MUST,
    conjugated=(torch("notes/autograd", TORCH), torch_func("torch.func.vjp")),
    plain=(jax("autodiff_cookbook", JAX), hips("tutorial", HIPS)),
)
def a_holomorphic_function_pulls_back(ad):
    """The pullback of exp at i pi / 2 multiplies by its derivative there, which is i, or by the conjugate of that."""
    _, pullback = ad.vjp(ad.np.exp, ad.array(1.5707963267948966j))
    return one_of(pullback(ad.array(1 + 0j))[0], conjugated=-1j, plain=1j)


@behaviour(
    MUST,
    torch("notes/autograd", TORCH),
    jax("autodiff_cookbook", JAX),
    torch_func("torch.func.grad"),
    hips("tutorial", HIPS),
)
def a_real_input_has_a_real_gradient(ad):
    """From real to real through complex values the convention plays no part: |(3 + 4i) x|^2 has 50 x."""
    gradient = ad.grad(lambda x: ad.np.abs(x * ad.array(3 + 4j)) ** 2)
    close(gradient(ad.array(3.0)), 150.0)


@behaviour(MUST, torch("notes/autograd", CROSS), jax("autodiff_cookbook", JAX), torch_func("torch.func.grad"))
def the_real_part_has_the_gradient_one(ad):
    """The gradient of the real part of z is one, whatever z is, and in either convention."""
    close(ad.grad(lambda z: ad.np.real(z))(ad.array(3 + 4j)), 1.0 + 0.0j)


@behaviour(
    MUST,
    torch("notes/autograd", TORCH, raises=RuntimeError, says="real scalar outputs"),
    jax("jax.grad", raises=TypeError, says="real-valued outputs"),
    torch_func("torch.func.grad", raises=RuntimeError, says="real scalar outputs"),
)
def a_complex_output_has_no_gradient_by_itself(ad):
    """The gradient of a complex output is refused without a cotangent and without declaring holomorphy."""
    gradient = ad.grad(lambda z: z * z)
    raises(lambda: gradient(ad.array(3 + 4j)))


@behaviour(
    MUST,
    torch("torch.autograd.backward", raises=RuntimeError, says="both grad_output and output"),
    document("004"),
    cases={"real_output": ([1.0], [1j]), "complex_output": ([1j], [1.0])},
)
def gradient_and_output_are_both_complex_or_both_real(ad, value, gradient):
    """A complex gradient for a real output is refused, and a real one for a complex output."""
    x = ad.leaf(value)
    raises(lambda: ad.backward(x * 2, ad.array(gradient)))


@behaviour(
    MUST,
    conjugated=(torch("notes/autograd", TORCH), torch_func("torch.func.grad")),
    plain=(jax("autodiff_cookbook", JAX), hips("tutorial", HIPS)),
)
def a_real_part_of_a_square_points_uphill(ad):
    """The gradient of the real part of z^2 is the conjugate of 2z, which points uphill, or 2z."""
    gradient = ad.grad(lambda z: ad.np.real(z * z))
    return one_of(gradient(ad.array(1 + 2j)), conjugated=2 - 4j, plain=2 + 4j)


@behaviour(
    MUST,
    conjugated=torch("notes/autograd", TORCH),
    plain=jax("autodiff_cookbook", JAX),
    cases={"one": (1 + 0j, 2 - 4j, 2 + 4j), "imaginary": (1j, 4 + 2j, -4 + 2j)},
)
def a_holomorphic_pullback(ad, weight, conjugated, plain):
    """The pullback of a holomorphic function multiplies by the conjugate of its derivative, or by the derivative."""
    _, pullback = ad.vjp(lambda z: z * z, ad.array(1 + 2j))
    return one_of(pullback(ad.array(weight))[0], conjugated=conjugated, plain=plain)


@behaviour(MUST, torch("notes/autograd", TORCH), jax("autodiff_cookbook", JAX))
def a_pullback_of_a_conjugate(ad):
    """The pullback of the conjugate gives the conjugate of the weight, in either convention."""
    _, pullback = ad.vjp(ad.np.conj, ad.array(3 + 4j))
    close(pullback(ad.array(1 + 2j)), (1 - 2j,))


@behaviour(
    MUST,
    conjugated=torch("notes/autograd", CROSS),
    plain=jax("autodiff_cookbook", JAX),
    cases={
        "absolute_value": (lambda ad, z: ad.np.abs(z), 3 + 4j, 0.6 + 0.8j, 0.6 - 0.8j),
        "imaginary_part": (lambda ad, z: ad.np.imag(z), 3 + 4j, 1j, -1j),
        "angle": (lambda ad, z: ad.np.angle(z), 1 + 2j, -0.4 + 0.2j, -0.4 - 0.2j),
        "one_norm": (lambda ad, z: ad.np.norm(ad.np.stack([z]), 1), 3 + 4j, 0.6 + 0.8j, 0.6 - 0.8j),
        "two_norm": (lambda ad, z: ad.np.norm(ad.np.stack([z]), 2), 3 + 4j, 0.6 + 0.8j, 0.6 - 0.8j),
        "three_norm": (lambda ad, z: ad.np.norm(ad.np.stack([z]), 3), 3 + 4j, 0.6 + 0.8j, 0.6 - 0.8j),
        "infinity_norm": (lambda ad, z: ad.np.norm(ad.np.stack([z]), float("inf")), 3 + 4j, 0.6 + 0.8j, 0.6 - 0.8j),
        "deviation": (lambda ad, z: ad.np.std(ad.np.stack([z, z, z, -z])), 3 + 4j, 0.6 + 0.8j, 0.6 - 0.8j),
    },
)
def a_pullback_from_complex_to_real(ad, function, at, conjugated, plain):
    """The gradient of a real output is its slope along Re z, plus or minus i times its slope along Im z."""
    _, pullback = ad.vjp(lambda z: function(ad, z), ad.array(at))
    return one_of(pullback(ad.array(1.0))[0], conjugated=conjugated, plain=plain)


@behaviour(
    MUST,
    conjugated=torch("notes/autograd", CROSS),
    plain=jax("autodiff_cookbook", JAX),
)
def a_real_input_of_a_complex_output_has_a_real_gradient(ad):
    """The pullback of a complex output to a real input is real: of (3 + 4i) x, with the cotangent i, 4 or -4."""
    _, pullback = ad.vjp(lambda x: (3 + 4j) * x, ad.array(2.0))
    (gradient,) = pullback(ad.array(1j))
    equal(ad.dtype_of(gradient), "float64")
    return one_of(gradient, conjugated=4.0, plain=-4.0)


@behaviour(MUST, torch("notes/autograd", TORCH), jax("autodiff_cookbook", JAX))
def a_real_factor_scales_a_complex_gradient(ad):
    """A real factor scales the weight, in either convention."""
    _, pullback = ad.vjp(lambda z: 3 * z, ad.array(1 + 2j))
    close(pullback(ad.array(5 - 1j)), (15 - 3j,))


@behaviour(
    MUST,
    conjugated=torch("notes/autograd", TORCH),
    plain=jax("autodiff_cookbook", JAX),
    cases={
        "operator": (lambda ad, z, w: z * w,),
        "function": (lambda ad, z, w: ad.np.prod(ad.np.stack([z, w])),),
    },
)
def a_complex_product_pulls_back_the_conjugate(ad, product):
    """Each factor of a product receives the weight times the conjugate of the other, or times the other."""
    _, pullback = ad.vjp(lambda z, w: product(ad, z, w), ad.array(1 + 2j), ad.array(3 + 1j))
    return one_of(pullback(ad.array(2 + 0j)), conjugated=(6 - 2j, 2 - 4j), plain=(6 + 2j, 2 + 4j))


@behaviour(MUST, torch("complex_numbers", "Transition from the old representation"))
def real_pairs_carry_complex_gradients(ad):
    """A complex number seen as two real ones receives their two weights as one complex gradient."""
    _, pullback = ad.vjp(ad.np.view_as_real, ad.array(1 + 2j))
    close(pullback(ad.array([3.0, 4.0])), (3 + 4j,))


@behaviour(
    MUST,
    conjugated=(torch("notes/autograd", TORCH), torch_func("torch.func.grad")),
    plain=jax("autodiff_cookbook", JAX),
)
def a_gradient_times_a_direction(ad):
    """Re(gradient * direction) is the slope of |z|^2, 22, if the gradient is 6 - 8i; if it is 6 + 8i, it is -10."""
    gradient = ad.grad(lambda z: ad.np.abs(z) ** 2)(ad.array(3 + 4j))
    return one_of(ad.np.real(gradient * (1 + 2j)), plain=22.0, conjugated=-10.0)


@behaviour(
    MUST,
    torch("notes/gradcheck", "Notations and background information"),
    jax("autodiff_cookbook", JAX),
    cases={
        "square": (lambda ad, z: z * z, -8 + 6j),
        "conjugate": (lambda ad, z: ad.np.conj(z), -1j),
        "absolute_value": (lambda ad, z: ad.np.abs(z), 0.8),
    },
)
def a_complex_tangent_is_a_directional_derivative(ad, function, tangent):
    """The jvp of a complex function is its derivative along the tangent, in both conventions: here i, at 3 + 4i."""
    close(ad.jvp(lambda z: function(ad, z), (ad.array(3 + 4j),), (ad.array(1j),))[1], tangent)


def _rotating(ad, x, *rest):
    """The vector of x (3 + 4i) and the rest: of length 5 x in its first place."""
    return ad.np.stack([x * ad.array(3 + 4j), *(ad.array(z) for z in rest)])


def _two_factors(ad, x):
    """Two complex multiples of x, whose product is x^2 (-5 + 10i)."""
    return ad.np.stack([x * ad.array(3 + 4j), x * ad.array(1 + 2j)])


def _squared_determinant(ad, x):
    rows = [[x + 1j, x * 0 + 2.0], [x * 0 + 3j, x + 0j]]
    return ad.np.abs(ad.np.det(ad.np.stack([ad.np.stack([z + 0j for z in row]) for row in rows]))) ** 2


@behaviour(
    MUST,
    torch("notes/autograd", CROSS),
    jax("autodiff_cookbook", JAX),
    torch_func("torch.func.grad"),
    cases={
        "sum_of_lengths": (lambda ad, x: ad.np.norm(_rotating(ad, x, 1j), 1), 2.0, 5.0),
        "length": (lambda ad, x: ad.np.norm(_rotating(ad, x, 4j), 2), 0.6, 3.0),
        "norm_of_order_three": (lambda ad, x: ad.np.norm(_rotating(ad, x, 4j, 3 - 4j), 3), 0.6, 1.25),
        "greatest_length": (lambda ad, x: ad.np.norm(_rotating(ad, x, 1j), float("inf")), 2.0, 5.0),
        "product": (lambda ad, x: ad.np.real(ad.np.prod(_rotating(ad, x, 1j, 2 + 1j))), 0.0, -11.0),
        "determinant": (_squared_determinant, 2.0, 24.0),
        "norm_of_order_one_and_a_half": (lambda ad, x: ad.np.norm(_rotating(ad, x), 1.5), 2.0, 5.0),
        "running_product": (lambda ad, x: ad.np.real(ad.np.cumprod(_two_factors(ad, x))[1]), 1.0, -10.0),
    },
)
def a_real_program_through_complex_numbers(ad, program, at, slope):
    """A real function of a real number has its derivative where complex numbers stand between, too."""
    close(ad.grad(lambda x: program(ad, x))(ad.array(at)), slope)


@behaviour(MUST, torch("torch.linalg.slogdet"), jax("jax.grad"))
def the_sign_of_a_complex_determinant_turns(ad):
    """The sign of the determinant x + i has the real part x / sqrt(x^2 + 1), with the slope 0.512 at 0.75."""
    gradient = ad.grad(lambda x: ad.np.real(ad.np.slogdet(ad.np.stack([ad.np.stack([x + 1j])]))[0]))
    close(gradient(ad.array(0.75)), 0.512)
