"""Implicit differentiation: solvers that are differentiated by the equation that their result satisfies."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, jax
from conformance.expect import close, raises

ROOT = "jax.lax.custom_root"
LINEAR = "jax.lax.custom_linear_solve"


def _root_of_a_quotient(ad, a, b):
    """The y with a y² = b near 3. The solver returns three times the guess, through which no derivative flows."""
    return ad.custom_root(
        lambda y: a * y * y - b, ad.array(1.0), lambda f, guess: 3 * guess, lambda g, y: y / g(ad.array(1.0))
    )


@behaviour(MUST, jax(ROOT), aliases=("implicit function theorem",))
def a_root_is_differentiated_implicitly(ad):
    """The result of custom_root has the derivatives of the implicit function theorem by the variables that the function
    captures: a y² = b at a = 2, b = 18, y = 3 gives -3/4 by a and 1/12 by b."""
    a, b = ad.array(2.0), ad.array(18.0)
    output, pullback = ad.vjp(lambda a, b: _root_of_a_quotient(ad, a, b), a, b)
    close((output, pullback(ad.array(12.0))), (3.0, (-9.0, 1.0)))
    along = ad.array(4.0), ad.array(24.0)
    close(ad.jvp(lambda a, b: _root_of_a_quotient(ad, a, b), (a, b), along), (3.0, -1.0))


@behaviour(MUST, jax(ROOT))
def a_root_of_a_system_is_differentiated_implicitly(ad):
    """The root of a system of equations by custom_root, given a solver of the linearized system, has the derivatives
    of the implicit function theorem: y₀y₁ = a, y₀ + y₁ = b at (2, 3) has the Jacobian ((1, -2), (-1, 3)) by (a, b)."""

    def root(a, b):
        return ad.custom_root(
            lambda y: ad.np.stack((y[0] * y[1] - a, y[0] + y[1] - b)),
            ad.array([1.0, 1.0]),
            lambda f, guess: ad.array([2.0, 3.0]),
            lambda g, y: ad.np.solve(ad.jacobian(g)(y), y),
        )

    output, pullback = ad.vjp(root, ad.array(6.0), ad.array(5.0))
    close((output, pullback(ad.array([1.0, 10.0]))), ([2.0, 3.0], (-9.0, 28.0)))


@behaviour(MAY, jax(ROOT))
def the_guess_of_a_root_has_gradient_zero(ad):
    """The initial guess of custom_root gets the gradient 0, also if the solver returns it unchanged."""

    def root(a, guess):
        return ad.custom_root(lambda y: y * y - a, guess, lambda f, guess: guess, lambda g, y: y / g(ad.array(1.0)))

    close(ad.grad(root, (0, 1))(ad.array(4.0), ad.array(2.0)), (0.25, 0.0))


def _solved(ad, a, b, **options):
    """The x with A x = b. No derivative flows through the solver, only through the map."""
    return ad.custom_linear_solve(lambda x: ad.np.matmul(a, x), b, lambda f, b: ad.detach(ad.np.solve(a, b)), **options)


@behaviour(MUST, jax(LINEAR))
def a_linear_solve_is_differentiated_implicitly(ad):
    """The gradients of custom_linear_solve are those of the solution x of A x = b: λ for b and -λ xᵀ for A, where λ
    solves the transposed system."""

    transposed = ad.array([[2.0, 0.0], [1.0, 4.0]])

    def program(a, b):
        return _solved(ad, a, b, transpose_solve=lambda f, g: ad.np.solve(transposed, g))

    output, pullback = ad.vjp(program, ad.array([[2.0, 1.0], [0.0, 4.0]]), ad.array([5.0, 8.0]))
    close(output, [1.5, 2.0])
    close(pullback(ad.array([1.0, 10.0])), ([[-0.75, -1.0], [-3.5625, -4.75]], [0.5, 2.375]))


@behaviour(SHOULD, jax(LINEAR, raises=Exception, says="transpose_solve"))
def reverse_mode_of_a_linear_solve_needs_a_transpose_solve(ad):
    """Reverse mode through custom_linear_solve raises an error with neither transpose_solve nor symmetric=True; forward
    mode needs none."""
    a, b = ad.array([[2.0, 1.0], [0.0, 4.0]]), ad.array([5.0, 8.0])
    close(ad.jvp(lambda b: _solved(ad, a, b), (b,), (ad.array([1.0, 4.0]),)), ([1.5, 2.0], [0.0, 1.0]))
    raises(lambda: ad.grad(lambda b: ad.np.sum(_solved(ad, a, b)))(b))


@behaviour(MUST, jax(LINEAR))
def a_symmetric_linear_solve_transposes_by_its_own_solver(ad):
    """With symmetric=True and no transpose_solve, reverse mode through custom_linear_solve uses `solve` for the
    transposed system."""
    a = ad.array([[2.0, 1.0], [1.0, 3.0]])
    output, pullback = ad.vjp(lambda b: _solved(ad, a, b, symmetric=True), ad.array([5.0, 10.0]))
    close(output, [1.0, 3.0])
    close(pullback(ad.array([1.0, 10.0])), ([-1.4, 3.8],))


@behaviour(MAY, jax("jax.scipy.sparse.linalg.cg"), aliases=("conjugate gradient", "jax.scipy.sparse.linalg.cg"))
def conjugate_gradients_are_differentiated_implicitly(ad):
    """The solution x of A x = b, A real, by the method of conjugate gradients (cg) is differentiated implicitly: the
    gradient by b solves the same system with the cotangent as right-hand side."""
    # This b is an eigenvector, for which one step of cg is enough; the gradient through that step would be (1/6, 5/3).
    a = ad.array([[2.0, 2.0], [2.0, 5.0]])
    output, pullback = ad.vjp(lambda b: ad.conjugate_gradient(lambda x: ad.np.matmul(a, x), b), ad.array([6.0, 12.0]))
    close(output, [1.0, 2.0], within=1e-4, because="cg stops at a relative residual of 1e-5")
    close(
        pullback(ad.array([1.0, 10.0])), ([-2.5, 3.0],), within=1e-4, because="cg stops at a relative residual of 1e-5"
    )
