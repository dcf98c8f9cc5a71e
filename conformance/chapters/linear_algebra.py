"""Linear algebra: gradients of determinants and decompositions, where they exist and where they are refused."""

from conformance.behaviour import MUST, behaviour, jax, torch
from conformance.expect import close, raises

EXISTS = "Gradients for non-differentiable functions"


def _eigenvalues(ad, x):
    return ad.np.eigvalsh(x)


def _singular_values(ad, x):
    return ad.np.svdvals(x)


@behaviour(
    MUST,
    torch("torch.linalg.eigvalsh"),
    torch("torch.linalg.svdvals"),
    cases={
        "eigenvalues": (_eigenvalues, [[2.0, 1.0, 1.0], [1.0, 2.0, 1.0], [1.0, 1.0, 2.0]]),
        "singular_values": (_singular_values, [[3.0, -4.0], [4.0, 3.0]]),
    },
)
def eigenvalues_may_coincide(ad, values, matrix):
    """A symmetric function of equal eigenvalues or singular values has a gradient: for the sum of squares, 2 A."""
    gradient = ad.grad(lambda x: ad.np.sum(values(ad, x) ** 2))
    close(gradient(ad.array(matrix)) / 2, matrix)


def _of_a_hermitian_matrix(ad, x):
    return ad.np.eigh(x)[1]


def _of_any_square_matrix(ad, x):
    return ad.np.eig(x)[1]


def _singular(ad, x):
    return ad.np.svd(x)[0]


@behaviour(
    MUST,
    torch("torch.linalg.eigh", raises=RuntimeError, says="e^{i phi}"),
    torch("torch.linalg.eig", raises=RuntimeError, says="e^{i phi}"),
    torch("torch.linalg.svd", raises=RuntimeError, says="e^{i phi}"),
    cases={"eigh": (_of_a_hermitian_matrix,), "eig": (_of_any_square_matrix,), "svd": (_singular,)},
)
def a_loss_of_the_phase_is_refused(ad, vectors):
    """A loss that depends on the phase of complex vectors, which is arbitrary, has no gradient and is refused."""
    gradient = ad.grad(lambda x: ad.np.sum(ad.np.real(vectors(ad, x))))
    raises(lambda: gradient(ad.array([[2.0, 1j], [-1j, 3.0]])))


@behaviour(MUST, torch("torch.linalg.svd"))
def surplus_singular_vectors_get_no_gradient(ad):
    """Singular vectors beyond the number of singular values take no part in a gradient, and may stand in a loss."""

    def loss(x):
        left, values, _ = ad.np.svd(x)
        return 7 * values[0] + 5 * ad.np.sum(left[:, 2])

    close(ad.grad(loss)(ad.array([[0.0, 2.0], [3.0, 0.0], [0.0, 0.0]])), [[0.0, 0.0], [7.0, 0.0], [0.0, 0.0]])


@behaviour(MUST, torch("torch.linalg.qr"))
def qr_is_differentiable_when_reduced(ad):
    """The reduced orthogonal factor of a tall matrix has a gradient: that of x^2 / (x^2 + y^2) at 3 and 4."""
    gradient = ad.grad(lambda x: ad.np.qr(x, "reduced")[0][0, 0] ** 2)
    close(gradient(ad.array([[3.0, 1.0], [4.0, 2.0], [0.0, 5.0]])), [[0.1536, 0.0], [-0.1152, 0.0], [0.0, 0.0]])


@behaviour(
    MUST, torch("torch.linalg.qr", raises=RuntimeError, says="mode='"), cases={"complete": ("complete",), "r": ("r",)}
)
def qr_in_other_modes_is_refused(ad, mode):
    """Of a tall matrix the complete factors, and the upper one computed alone, have no gradient and are refused."""
    gradient = ad.grad(lambda x: ad.np.sum(ad.np.qr(x, mode)[1]))
    raises(lambda: gradient(ad.array([[3.0, 1.0], [4.0, 2.0], [0.0, 5.0]])))


@behaviour(
    MUST,
    torch("notes/autograd", EXISTS),
    jax("jax.grad"),
    cases={
        "rank_one_of_two": ([[3.0, 2.0], [6.0, 4.0]], [[4.0, -6.0], [-2.0, 3.0]]),
        "diagonal": ([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0]], [[0.0] * 3, [0.0] * 3, [0.0, 0.0, 2.0]]),
        "rank_two_of_three": (
            [[1.0, 2.0, 3.0], [0.0, 1.0, 1.0], [2.0, 3.0, 5.0]],
            [[2.0, 2.0, -2.0], [-1.0, -1.0, 1.0], [-1.0, -1.0, 1.0]],
        ),
    },
)
def a_determinant_has_its_cofactors(ad, matrix, cofactors):
    """The gradient of the determinant of a singular matrix is the matrix of its cofactors."""
    close(ad.grad(ad.np.det)(ad.array(matrix)), cofactors)


@behaviour(MUST, torch("notes/autograd", EXISTS), jax("jax.grad"))
def a_determinant_of_rank_n_minus_two_is_flat(ad):
    """The determinant of a matrix of rank one has the gradient zero where there are three rows."""
    matrix = ad.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [4.0, 8.0, 12.0]])
    close(ad.grad(ad.np.det)(matrix), [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])


def _at_once(ad, x):
    return ad.np.det(x)


def _by_its_logarithm(ad, x):
    sign, logarithm = ad.np.slogdet(x)
    return sign * ad.np.exp(logarithm)


@behaviour(
    MUST,
    torch("torch.linalg.slogdet"),
    jax("jax.grad"),
    cases={"at_once": (_at_once,), "by_its_logarithm": (_by_its_logarithm,)},
)
def determinant_and_log_determinant_agree(ad, determinant):
    """A determinant and the exponential of its logarithm, with its sign, have the same gradient."""
    gradient = ad.grad(lambda x: determinant(ad, x))
    close(gradient(ad.array([[1.0, 2.0], [3.0, 4.0]])), [[4.0, -3.0], [-2.0, 1.0]])


def _matrix(ad, rows):
    return ad.np.stack([ad.np.stack([entry + ad.array(0.0) for entry in row]) for row in rows])


def _share_of_an_eigenvector(ad, x):
    return ad.np.eigh(_matrix(ad, [[x, 1.0], [1.0, 2.0]]))[1][0, 1] ** 2


def _share_of_a_singular_vector(ad, x):
    return ad.np.svd(_matrix(ad, [[x, 1.0], [1.0, 2.0]]))[0][0, 0] ** 2


@behaviour(
    MUST,
    torch("torch.linalg.eigh"),
    torch("torch.linalg.svd"),
    jax("jax.grad"),
    cases={"eigenvector": (_share_of_an_eigenvector,), "singular_vector": (_share_of_a_singular_vector,)},
)
def vectors_of_a_decomposition_have_gradients(ad, share):
    """Squared entries of eigenvectors and singular vectors have gradients: for ((x, 1), (1, 2)) at 2 it is 1/4."""
    close(ad.grad(lambda x: share(ad, x))(ad.array(2.0)), 0.25)


@behaviour(MUST, torch("torch.linalg.eig"))
def shares_of_any_eigenvectors_have_gradients(ad):
    """Squared entries of the eigenvectors of any matrix have gradients: 1 + x^2 / (1 + x^2) at 1 has 1/2."""
    shares = ad.grad(lambda x: ad.np.sum(ad.np.abs(ad.np.eig(_matrix(ad, [[1.0, x], [0.0, 2.0]]))[1][0]) ** 2))
    close(shares(ad.array(1.0)), 0.5)


@behaviour(MUST, torch("torch.linalg.eig"))
def shares_of_complex_eigenvectors_have_gradients(ad):
    """The eigenvectors of ((0, -1), (x, 0)) are complex; 2 / (1 + x), what they share, has the slope -1/2 at 1."""
    shares = ad.grad(lambda x: ad.np.sum(ad.np.abs(ad.np.eig(_matrix(ad, [[0.0, -1.0], [x, 0.0]]))[1][0]) ** 2))
    close(shares(ad.array(1.0)), -0.5)
