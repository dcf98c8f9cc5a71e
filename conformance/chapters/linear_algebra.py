"""Linear algebra: gradients of determinants and matrix decompositions, and which of them raise an error."""

from conformance.behaviour import MUST, SHOULD, behaviour, jax, torch
from conformance.expect import an_error, close, one_of, raises

EXISTS = "Gradients for non-differentiable functions"


"""Linear algebra: gradients of determinants and matrix decompositions, and which of them raise an error."""


EXISTS = "Gradients for non-differentiable functions"


@behaviour(
    MUST,
    torch("torch.linalg.eigh"),
    torch("torch.linalg.svd"),
    cases={
        "eigenvalues": (lambda ad, x: ad.np.eigvalsh(x), [[2.0, 1.0, 1.0], [1.0, 2.0, 1.0], [1.0, 1.0, 2.0]]),
        "singular_values": (lambda ad, x: ad.np.svdvals(x), [[3.0, -4.0], [4.0, 3.0]]),
    },
    aliases=("degenerate eigenvalues nan gradient",),
)
def repeated_eigenvalues_have_a_gradient(ad, values, matrix):
    """The gradients of eigvalsh and svdvals are finite for repeated values, too: the sum of the squared values of A,
    for eigvalsh a symmetric matrix, has the gradient 2A."""
    gradient = ad.grad(lambda x: ad.np.sum(values(ad, x) ** 2))
    close(gradient(ad.array(matrix)) / 2, matrix)


@behaviour(
    MUST,
    torch("torch.linalg.eigh", raises=Exception, says="e^{i phi}"),
    torch("torch.linalg.eig", raises=Exception, says="e^{i phi}"),
    torch("torch.linalg.svd", raises=Exception, says="e^{i phi}"),
    cases={
        "eigh": (lambda ad, x: ad.np.eigh(x)[1],),
        "eig": (lambda ad, x: ad.np.eig(x)[1],),
        "svd": (lambda ad, x: ad.np.svd(x)[0],),
    },
    aliases=("eigenvectors are specified up to multiplication by e^{i phi}", "ill-defined loss gauge"),
)
def a_loss_of_the_phase_raises(ad, vectors):
    """The gradient of a loss that depends on the phase of complex eigenvectors or singular vectors raises an error."""
    gradient = ad.grad(lambda x: ad.np.sum(ad.np.real(vectors(ad, x))))
    raises(lambda: gradient(ad.array([[2.0, 1j], [-1j, 3.0]])))


@behaviour(
    MUST,
    torch("torch.linalg.svd"),
    cases={
        "left": (
            lambda ad, left, right: left[:, 2],
            [[0.0, 2.0], [3.0, 0.0], [0.0, 0.0]],
            [[0.0, 0.0], [7.0, 0.0], [0.0, 0.0]],
        ),
        "right": (
            lambda ad, left, right: right[2],
            [[0.0, 3.0, 0.0], [2.0, 0.0, 0.0]],
            [[0.0, 7.0, 0.0], [0.0, 0.0, 0.0]],
        ),
    },
    aliases=("svd full_matrices gradient",),
)
def surplus_singular_vectors_are_ignored(ad, surplus, matrix, expected):
    """svd with full matrices ignores the gradient of the singular vectors beyond the number of singular values."""

    def loss(x):
        left, values, right = ad.np.svd(x)
        return 7 * values[0] + 5 * ad.np.sum(surplus(ad, left, right))

    close(ad.grad(loss)(ad.array(matrix)), expected)


@behaviour(MUST, torch("torch.linalg.qr"))
def reduced_qr_is_differentiable(ad):
    """The reduced QR decomposition of a tall matrix A with independent columns is differentiable: Q[0, 0]² has the
    gradient of A[0, 0]² / ‖A[:, 0]‖²."""
    gradient = ad.grad(lambda x: ad.np.qr(x, "reduced")[0][0, 0] ** 2)
    close(gradient(ad.array([[3.0, 1.0], [4.0, 2.0], [0.0, 5.0]])), [[0.1536, 0.0], [-0.1152, 0.0], [0.0, 0.0]])


@behaviour(
    MUST,
    torch("torch.linalg.qr", raises=Exception, says="mode='"),
    cases={"complete": ("complete",), "r": ("r",)},
    aliases=("qr backward not implemented",),
)
def qr_in_other_modes_raises(ad, mode):
    """The gradient of the QR decomposition raises an error in mode `r`, and in mode `complete` for a tall matrix."""
    gradient = ad.grad(lambda x: ad.np.sum(ad.np.qr(x, mode)[1]))
    raises(lambda: gradient(ad.array([[3.0, 1.0], [4.0, 2.0], [0.0, 5.0]])))


@behaviour(
    MUST,
    torch("notes/autograd", EXISTS),
    jax("jax.grad"),
    cases={
        # Elimination by powers of two is exact: the last pivot is zero on every machine.
        "rank_one_of_two": ([[4.0, 8.0], [1.0, 2.0]], [[2.0, -1.0], [-8.0, 4.0]]),
        "diagonal": ([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0]], [[0.0] * 3, [0.0] * 3, [0.0, 0.0, 2.0]]),
        "rank_two_of_three": (
            [[1.0, 2.0, 3.0], [0.0, 1.0, 1.0], [2.0, 3.0, 5.0]],
            [[2.0, 2.0, -2.0], [-1.0, -1.0, 1.0], [-1.0, -1.0, 1.0]],
        ),
    },
    aliases=("derivative of det singular matrix",),
)
def the_gradient_of_a_determinant_is_its_cofactors(ad, matrix, cofactors):
    """The gradient of the determinant of a singular real matrix is the matrix of its cofactors."""
    close(ad.grad(ad.np.det)(ad.array(matrix)), cofactors)


@behaviour(MUST, torch("notes/autograd", EXISTS), jax("jax.grad"))
def a_determinant_of_rank_n_minus_two_has_gradient_zero(ad):
    """The gradient of the determinant of a 3 by 3 matrix of rank one is zero, not NaN."""
    matrix = ad.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [4.0, 8.0, 12.0]])
    close(ad.grad(ad.np.det)(matrix), [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])


def _at_once(ad, x):
    return ad.np.det(x)


def _by_its_logarithm(ad, x):
    sign, logarithm = ad.np.slogdet(x)
    return sign * ad.np.exp(logarithm)


@behaviour(
    MUST,
    torch("notes/autograd", EXISTS),
    torch("torch.linalg.slogdet"),
    jax("jax.grad"),
    cases={"at_once": (_at_once,), "by_its_logarithm": (_by_its_logarithm,)},
)
def determinant_and_log_determinant_agree(ad, determinant):
    """The gradient of sign * exp(logabsdet), made from slogdet of an invertible real matrix, is that of det: the matrix
    of cofactors."""
    gradient = ad.grad(lambda x: 3 * determinant(ad, x))
    close(gradient(ad.array([[1.0, 2.0], [3.0, 4.0]])), [[12.0, -9.0], [-6.0, 3.0]])


def _matrix(ad, rows):
    return ad.np.stack([ad.np.stack([entry + ad.array(0.0) for entry in row]) for row in rows])


@behaviour(
    MUST,
    torch("torch.linalg.eigh"),
    torch("torch.linalg.svd"),
    jax("jax.grad"),
    cases={
        "eigenvector": (lambda ad, matrix: ad.np.eigh(matrix)[1][0, 1], [1.0, 2.0], 2.0, 0.25),
        "left_singular_vector": (lambda ad, matrix: ad.np.svd(matrix)[0][0, 0], [0.0, 3.0], 4.0, 0.208),
        "right_singular_vector": (lambda ad, matrix: ad.np.svd(matrix)[2][0, 0], [0.0, 3.0], 4.0, 0.144),
    },
    aliases=("svd backward nan",),
)
def eigenvectors_and_singular_vectors_have_gradients(ad, entry, right_column, at, slope):
    """Eigenvectors of a real symmetric matrix (eigh) and singular vectors of a real square one (svd) have gradients if
    the values are distinct, in a loss that does not depend on the vectors' signs."""
    above, below = right_column
    gradient = ad.grad(lambda x: entry(ad, _matrix(ad, [[x, above], [1.0, below]])) ** 2)
    close(gradient(ad.array(at)), slope)


@behaviour(
    SHOULD,
    torch("torch.linalg.eig"),
    cases={
        "real": (lambda ad, x: _matrix(ad, [[1.0, x], [0.0, 2.0]]), 0.5),
        "complex": (lambda ad, x: _matrix(ad, [[0.0, -1.0], [x, 0.0]]), -0.5),
    },
    aliases=("eig backward eigenvectors",),
)
def eigenvectors_of_any_matrix_have_gradients(ad, matrix, slope):
    """Eigenvectors of a non-symmetric matrix (eig) have gradients if the eigenvalues are distinct, in a loss that does
    not depend on the vectors' phase."""
    shares = ad.grad(lambda x: ad.np.sum(ad.np.abs(ad.np.eig(matrix(ad, x))[1][0]) ** 2))
    close(shares(ad.array(1.0)), slope)


@behaviour(
    MUST,
    differentiable=jax("changelog", "JAX 0.10.0", since="0.10"),
    raises=torch("torch.linalg.qr", raises=Exception, says="when mode='complete'"),
)
def the_gradient_of_the_complete_qr(ad):
    """The complete QR decomposition (full_matrices) of a tall matrix is differentiable, or its gradient raises an
    error. The function is of the last column of Q, which the reduced decomposition does not have."""

    def product(x):
        q = ad.np.qr(x, "complete")[0]
        return q[0, 2] * q[2, 2]

    x = ad.array([[3.0, 3.0], [4.0, 4.0], [0.0, 5.0]])
    expected = [[0.128, -0.128], [-0.096, 0.096], [0.0, 0.0]]
    return one_of(lambda: ad.grad(product)(x), differentiable=expected, raises=an_error)


@behaviour(MUST, symmetrized=jax("jax.numpy.linalg.eigh"), lower_triangle=torch("torch.linalg.eigh"))
def eigh_of_a_matrix_that_is_not_symmetric(ad):
    """By default, eigh symmetrizes its input, or reads only its lower triangle: the smallest eigenvalue of [[3, 3], [1,
    3]] is then 1 or 2. Its square is differentiated by t, where t times a symmetric matrix is added."""
    x, symmetric = ad.array([[3.0, 3.0], [1.0, 3.0]]), ad.array([[1.0, 4.0], [4.0, 2.0]])
    derivative = ad.grad(lambda t: ad.np.eigh(x + t * symmetric)[0][0] ** 2)
    found = ad.np.eigh(x)[0][0], derivative(ad.array(0.0))
    return one_of(found, symmetrized=(1.0, -5.0), lower_triangle=(2.0, -10.0))
