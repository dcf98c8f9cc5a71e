"""Sparse gradients: which functions give gradients that store some elements only, and their values."""

from conformance.behaviour import MUST, behaviour, torch
from conformance.expect import close, equal

ROWS = [[1.0, 2.0], [3.0, 5.0], [7.0, 11.0]]


def _stored(ad, x):
    """The dense form of a sparse gradient, whose layout is checked."""
    equal("sparse" in ad.layout_of(ad.gradient_of(x)), True)
    return _dense(ad, x)


def _dense(ad, x):
    return ad.dense_of(ad.gradient_of(x))


@behaviour(MUST, torch("torch.nn.functional.embedding"), aliases=("sparse=true embedding",))
def a_sparse_embedding_has_a_sparse_gradient(ad):
    """The gradient of embedding(sparse=True) with respect to the table is a sparse tensor: for each row, the sum of the
    gradients of its embeddings."""
    table, indices = ad.leaf(ROWS), ad.array([0, 2, 2])
    y = ad.sparse_function("nn.functional.embedding", indices, table, sparse=True)
    ad.backward(y, ad.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
    close(_stored(ad, table), [[1.0, 2.0], [0.0, 0.0], [8.0, 10.0]])


@behaviour(MUST, torch("torch.gather"))
def gather_can_have_a_sparse_gradient(ad):
    """The gradient of gather(sparse_grad=True) with respect to its input is a sparse tensor, with the sum of the
    gradients of the copies of each element at its index."""
    x = ad.leaf(ROWS)
    y = ad.sparse_function("gather", x, 1, ad.array([[1, 1], [1, 0], [0, 0]]), sparse_grad=True)
    ad.backward(y, ad.array([[2.0, 3.0], [5.0, 7.0], [11.0, 13.0]]))
    close(_stored(ad, x), [[0.0, 5.0], [7.0, 5.0], [24.0, 0.0]])


def _matrix(ad):
    """A sparse 2 by 3 matrix that requires grad, of the elements 2, 3 and 5 in three places."""
    return ad.require_grad_(ad.sparse_array([[0, 0, 1], [0, 2, 1]], ad.array([2.0, 3.0, 5.0]), (2, 3)))


@behaviour(MUST, torch("torch.sparse.mm"), aliases=("sparse matrix product gradient",))
def a_sparse_matrix_product_has_a_sparse_and_a_dense_gradient(ad):
    """sparse.mm() of a sparse COO matrix and a dense matrix has a gradient for both; that of the sparse matrix is a
    sparse COO tensor."""
    matrix, dense = _matrix(ad), ad.leaf(ROWS)
    ad.backward(ad.sparse_function("sparse.mm", matrix, dense), ad.array([[1.0, 2.0], [4.0, 3.0]]))
    equal(ad.layout_of(ad.gradient_of(matrix)), "sparse_coo")
    stored = ad.array([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])  # of the other elements the page says nothing
    close(stored * _stored(ad, matrix), [[5.0, 0.0, 29.0], [0.0, 27.0, 0.0]])
    close(ad.gradient_of(dense), [[2.0, 4.0], [20.0, 15.0], [3.0, 6.0]])


@behaviour(
    MUST, torch("torch.sparse.sum"), cases={"all": ((), 7.0, [7.0, 7.0]), "rows": ((1,), [2.0, 3.0], [2.0, 3.0])}
)
def the_gradient_of_a_sparse_sum_is_that_of_stored_elements(ad, axis, cotangent, rows):
    """Backward of sparse.sum() gives a gradient for the elements that the sparse tensor stores only."""
    matrix, (first, second) = _matrix(ad), rows
    total = ad.sparse_function("sparse.sum", matrix, *axis)
    ad.backward(ad.dense_of(total), ad.array(cotangent))
    close(_stored(ad, matrix), [[first, 0.0, first], [0.0, second, 0.0]])


@behaviour(
    MUST,
    torch("torch.Tensor.to_dense"),
    cases={
        "default": (None, _stored, [[1.0, 0.0, 4.0], [0.0, 6.0, 0.0]]),
        "masked": (True, _stored, [[1.0, 0.0, 4.0], [0.0, 6.0, 0.0]]),
        "not_masked": (False, _dense, [[1.0, 3.0, 4.0], [5.0, 6.0, 7.0]]),
    },
)
def the_gradient_of_to_dense_is_masked_by_default(ad, masked_grad, form, expected):
    """Backward of to_dense() of a sparse tensor by default gives a gradient for its stored elements only; with
    masked_grad=False, for all elements, as of a copy."""
    matrix = _matrix(ad)
    ad.backward(ad.dense_of(matrix, masked_grad=masked_grad), ad.array([[1.0, 3.0, 4.0], [5.0, 6.0, 7.0]]))
    close(form(ad, matrix), expected)


def _by_rows(ad, table):
    """A multiple of the second row, by an embedding with a sparse gradient."""
    return ad.array([[5.0, 13.0]]) * ad.sparse_function("nn.functional.embedding", ad.array([1]), table, sparse=True)


def _by_factor(ad, table):
    return ad.array(ROWS) * table


@behaviour(
    MUST,
    torch("torch.Tensor.grad"),
    torch("torch.nn.functional.embedding"),
    cases={"sparse_first": (_by_rows, _by_factor), "dense_first": (_by_factor, _by_rows)},
)
def sparse_and_dense_gradients_accumulate(ad, first, second):
    """Calls to backward() add a sparse gradient, that of embedding(sparse=True), and a dense gradient of one leaf, in
    either order."""
    table = ad.leaf(ROWS)
    equal("sparse" in ad.layout_of(ad.grad_of(ad.np.sum(_by_rows(ad, table)), table)[0]), True)
    ad.backward(ad.np.sum(first(ad, table)))
    ad.backward(ad.np.sum(second(ad, table)))
    close(ad.gradient_of(table), [[1.0, 2.0], [8.0, 18.0], [7.0, 11.0]])
