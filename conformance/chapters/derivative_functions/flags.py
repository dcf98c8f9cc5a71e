"""Derivative functions, flags: holomorphic and allow_int beside argnums and has_aux, and linearize with auxiliary
output."""

from conformance.behaviour import MAY, MUST, behaviour, jax
from conformance.expect import close, equal

COMPLEX = "Complex numbers and differentiation"


@behaviour(
    MUST,
    jax("jax.grad"),
    jax("jax.value_and_grad"),
    jax("jax.jacrev"),
    jax("jax.jacfwd"),
    jax("autodiff_cookbook", COMPLEX),
    cases={
        "grad": (lambda ad, f: ad.grad(f, (1, 0), True, True), ((-3 + 4j, 10 + 10j), 7 + 14j)),
        "value_and_grad": (
            lambda ad, f: ad.value_and_grad(f, (1, 0), True, True),
            ((-5 + 15j, 7 + 14j), (-3 + 4j, 10 + 10j)),
        ),
        "jacobian": (
            lambda ad, f: ad.jacobian(f, argnums=(1, 0), has_aux=True, holomorphic=True),
            ((-3 + 4j, 10 + 10j), 7 + 14j),
        ),
        "forward_jacobian": (
            lambda ad, f: ad.jacfwd(f, argnums=(1, 0), has_aux=True, holomorphic=True),
            ((-3 + 4j, 10 + 10j), 7 + 14j),
        ),
    },
)
def holomorphic_goes_with_argnums_and_has_aux(ad, transform, expected):
    """With `holomorphic`, `argnums` and `has_aux`, grad, value_and_grad, jacrev and jacfwd give the complex derivatives
    by the chosen arguments, and the auxiliary output, value_and_grad the value too: of z²w at (1 + 2i, 3 - i)."""
    derivative = transform(ad, lambda z, w: (z * z * w, 7 * z))
    close(derivative(ad.array(1 + 2j), ad.array(3 - 1j)), expected)


@behaviour(MUST, jax("jax.hessian"), jax("autodiff_cookbook", COMPLEX))
def a_holomorphic_hessian_is_by_the_chosen_arguments(ad):
    """With `holomorphic` and `argnums`, a Hessian has the complex second derivatives by the chosen arguments: of z²wv
    at (1 + 2i, 3 - i, 1), by w and z."""
    hessian = ad.hessian(lambda z, w, v: z * z * w * v, argnums=(1, 0), holomorphic=True)
    found = hessian(ad.array(1 + 2j), ad.array(3 - 1j), ad.array(1 + 0j))
    close(found, ((0j, 2 + 4j), (2 + 4j, 6 - 2j)))


@behaviour(MAY, jax("jax.hessian"))
def a_holomorphic_hessian_has_argnums(ad):
    """With `holomorphic`, `argnums` and `has_aux`, jax.hessian returns the pair of the complex second derivatives of
    the first output by the chosen arguments and the auxiliary data: for z²w at (1 + 2i, 3 - i)."""
    hessian = ad.hessian(lambda z, w: (z * z * w, 7 * z), argnums=(1, 0), has_aux=True, holomorphic=True)
    found = hessian(ad.array(1 + 2j), ad.array(3 - 1j))
    close(found, (((0j, 2 + 4j), (2 + 4j, 6 - 2j)), 7 + 14j))


@behaviour(MUST, jax("jax.grad"))
def allow_int_goes_with_argnums_and_has_aux(ad):
    """With `allow_int`, `argnums` and `has_aux`, grad returns the gradients by the chosen arguments, of which that by
    an integer has the dtype float0, and the auxiliary output: of x²n at (3, 2)."""
    (by_count, by_x), auxiliary = ad.grad(lambda x, n: (x * x * n, 7 * x), (1, 0), True, False, True)(
        ad.array(3.0), ad.array(2)
    )
    equal(ad.dtype_of(by_count), "float0")
    close((by_x, auxiliary), (12.0, 21.0))


@behaviour(MUST, jax("jax.linearize"))
def linearize_with_auxiliary_output_has_each_output_and_tangent(ad):
    """With `has_aux`, linearize returns every output, a function that returns a tangent for every output, and the
    auxiliary output."""

    def program(x, y):
        return ((x**3 * y, y**2), 7 * x)

    outputs, pushforward, auxiliary = ad.linearize(program, ad.array(1.0), ad.array(3.0), has_aux=True)
    close((outputs, auxiliary), ((3.0, 9.0), 7.0))
    close(pushforward(ad.array(2.0), ad.array(5.0)), (23.0, 30.0))


@behaviour(MUST, jax("jax.value_and_grad"))
def a_value_goes_with_allow_int_argnums_and_has_aux(ad):
    """With `allow_int`, `argnums` and `has_aux`, value_and_grad returns the pair of value and auxiliary output, and the
    gradients by the chosen arguments, of which that by an integer has the dtype float0: of x²n at (3, 2)."""
    both = ad.value_and_grad(lambda x, n: (x * x * n, 7 * x), (1, 0), True, False, True)
    value_and_auxiliary, (by_count, by_x) = both(ad.array(3.0), ad.array(2))
    close((value_and_auxiliary, by_x), ((18.0, 21.0), 12.0))
    equal(ad.dtype_of(by_count), "float0")


@behaviour(MUST, jax("jax.linear_transpose"))
def each_transposed_output_has_the_dtype_of_its_primal(ad):
    """Each output of a function that linear_transpose returns has the dtype of its primal: float32 for a float64
    cotangent, and float64 for a float32 one, where the function casts 2x to float64 and 3y to float32."""
    x, y = ad.array(1.0, "float32"), ad.array(1.0, "float64")
    transpose = ad.linear_transpose(lambda x, y: (ad.cast(2 * x, "float64"), ad.cast(3 * y, "float32")), x, y)
    single, double = transpose((ad.array(5.0, "float64"), ad.array(7.0, "float32")))
    close(single, 10.0, dtype="float32")
    close(double, 21.0)


@behaviour(MUST, jax("jax.lax.stop_gradient"))
def a_stopped_complex_factor_is_a_constant(ad):
    """In a complex derivative stop_gradient(z) is a constant: the derivative of stop_gradient(z) times z is z."""
    derivative = ad.grad(lambda z: ad.detach(z) * z, 0, False, True)
    close(derivative(ad.array(1 + 2j)), 1 + 2j)
