"""Products of vectors, matrices and tensors."""

from __future__ import annotations

import numpy

from conformance.operations.families.matrices import symmetric
from conformance.operations.families.products_of_several import PRODUCTS_OF_SEVERAL
from conformance.operations.reasons import MULTILINEAR, POLYNOMIAL
from conformance.operations.row import array, family, given, row

SQUARES = (array(3, 3), array(3, 3))
ZEROS = {"both zero": (0.0, 0.0), "one zero": (0.0, 1.0)}
IDENTITY = numpy.eye(3).tolist()

PRODUCTS = family(
    "Products",
    row("matmul(x, y)", "Matrix product.", array(2, 3), array(3, 4), smooth=ZEROS, complex=True, degree=2),
    row(
        "matmul_of_squares(x, y)",
        "The same of square matrices.",
        *SQUARES,
        smooth={"identity": (IDENTITY, IDENTITY)},
        degree=2,
    ),
    row(
        "matmul_of_vectors(x, y)", "Inner product, by matmul.", array(3), array(3), smooth=ZEROS, complex=True, degree=2
    ),
    row(
        "matmul_of_vector_and_matrix(x, y)", "Row vector times matrix, by matmul.", array(3), array(3, 4), complex=True
    ),
    row(
        "matmul_of_matrix_and_vector(x, y)",
        "Matrix times column vector, by matmul.",
        array(2, 3),
        array(3),
        complex=True,
    ),
    row("matmul_of_stacks(x, y)", "Products of two stacks of matrices.", array(2, 2, 3), array(2, 3, 2), complex=True),
    row(
        "matmul_of_stack_and_matrix(x, y)",
        "Each of a stack times one matrix.",
        array(2, 2, 3),
        array(3, 2),
        complex=True,
    ),
    row(
        "matmul_of_matrix_and_stack(x, y)",
        "One matrix times each of a stack.",
        array(2, 3),
        array(2, 3, 2),
        complex=True,
    ),
    row("matmul_of_stack_and_vector(x, y)", "Each of a stack times one vector.", array(2, 2, 3), array(3)),
    row("matmul_of_vector_and_stack(x, y)", "One vector times each of a stack.", array(3), array(2, 3, 2)),
    row(
        "matmul_of_broadcast_stacks(x, y)",
        "Products of stacks, broadcast.",
        array(2, 1, 2, 3),
        array(3, 3, 1),
        complex=True,
    ),
    row("matmul_of_thin(x, y)", "A column times a row, by matmul.", array(3, 1), array(1, 2)),
    row(
        "dot(x, y)",
        "Inner product of two vectors, without conjugation.",
        array(3),
        array(3),
        smooth=ZEROS,
        complex=True,
        degree=2,
    ),
    row("dot_of_matrices(x, y)", "Matrix product, by dot.", array(2, 3), array(3, 2)),
    row(
        "dot_of_tensors(x, y)", "Sum over the last axis of x and the last but one of y.", array(2, 2, 3), array(2, 3, 2)
    ),
    row("dot_with_scalar(x, y)", "Multiple of a matrix, by dot.", array(), array(2, 3)),
    row(
        "vdot(x, y)",
        "Inner product of two vectors, the first conjugated.",
        array(3),
        array(3),
        smooth=ZEROS,
        complex=True,
        degree=2,
    ),
    row(
        "vecdot(x, y, axis=-1)",
        "Inner products along an axis, the first conjugated.",
        array(3, 2),
        array(3, 2),
        options=[{}, {"axis": 0}],
        smooth=ZEROS,
        complex=True,
        degree=2,
    ),
    row("vecdot_broadcast(x, y)", "Inner products of all rows with one vector.", array(2, 3), array(3), complex=True),
    row(
        "inner(x, y)",
        "Sums of products over the last axes.",
        array(2, 3),
        array(4, 3),
        smooth=ZEROS,
        complex=True,
        degree=2,
    ),
    row("inner_of_vectors(x, y)", "Inner product of vectors, by inner.", array(3), array(3), complex=True),
    row("outer(x, y)", "Outer product of two vectors.", array(3), array(2), smooth=ZEROS, complex=True, degree=2),
    row(
        "tensordot(x, y, axes=2)",
        "Sum of products over axes: the last of x with the first of y, or pairs of lists.",
        array(2, 3, 3),
        array(3, 3, 2),
        options=[{}, {"axes": 1}, {"axes": 0}, {"axes": [[1], [0]]}, {"axes": [[2, 1], [0, 1]]}, {"axes": [[0], [2]]}],
        smooth=ZEROS,
        complex=True,
        degree=2,
    ),
    row(
        "einsum(x, y, subscripts)",
        "Sums of products by named axes.",
        *SQUARES,
        options=[
            {"subscripts": text}
            for text in (
                "ij,jk->ik",
                "ij,jk",
                "ij,ij->",
                "ij,kl->ijkl",
                "ij,ij->ij",
                "ij,ji->j",
                "...i,...i->...",
            )
        ],
        smooth={**ZEROS, "identity": (IDENTITY, IDENTITY)},
        complex=True,
        degree=2,
    ),
    row(
        "einsum_of_diagonals(x, y, subscripts)",
        "The same with an axis that one array has twice.",
        *SQUARES,
        options=[{"subscripts": text} for text in ("ii,ij->j", "ii,jj->", "ii,ii->i")],
        complex=True,
    ),
    row(
        "einsum_of_one(x, subscripts)",
        "Sums and transposes by named axes.",
        array(3, 3),
        options=[{"subscripts": text} for text in ("ij->ji", "ij->j", "ij->", "...j->...", "ba")],
        smooth={"zero": 0.0},
        complex=True,
        degree=1,
    ),
    row(
        "einsum_diagonal(x, subscripts)",
        "Diagonals and traces by an axis that is named twice.",
        array(3, 3),
        options=[{"subscripts": text} for text in ("ii->i", "ii", "ii->")],
        smooth={"zero": 0.0, "identity": IDENTITY},
        complex=True,
        degree=1,
    ),
    row(
        "einsum_of_three(x, y, z, subscripts)",
        "Sums of products of three arrays.",
        array(2, 3),
        array(3, 2),
        array(2, 2),
        options=[{"subscripts": text} for text in ("ij,jk,kl->il", "ij,jk,ki->", "ij,jk,ik->ik", "ij,jk,lk->jl")],
        smooth={"zero": (0.0, 0.0, 0.0)},
        degree=3,
    ),
    row("einsum_broadcast(x, y)", "An axis of length one that is stretched.", array(1, 3), array(2, 3)),
    row("kron(x, y)", "Kronecker product.", array(2, 2), array(2, 3), smooth=ZEROS, complex=True, degree=2),
    row("kron_of_vectors(x, y)", "Kronecker product of vectors.", array(2), array(3), complex=True),
    row("kron_of_unequal(x, y)", "Kronecker product of a vector and a matrix.", array(3), array(2, 2)),
    row(
        "cross(x, y, axis=-1)",
        "Vector product.",
        *SQUARES,
        options=[{}, {"axis": 0}],
        smooth={**ZEROS, "parallel": (1.0, 2.0)},
        complex=True,
        degree=2,
    ),
    row("cross_broadcast(x, y)", "Vector products of all rows with one vector.", array(1, 3), array(2, 3)),
    row("mv(x, y)", "Matrix times vector.", array(2, 3), array(3), smooth=ZEROS, complex=True, degree=2),
    row("mm(x, y)", "Matrix times matrix.", array(2, 3), array(3, 2), smooth=ZEROS, complex=True, degree=2),
    row("bmm(x, y)", "Products of two stacks of matrices.", array(2, 2, 3), array(2, 3, 2), complex=True),
    row("matvec(x, y)", "Matrices of a stack times one vector.", array(2, 2, 3), array(3), complex=True),
    row(
        "vecmat(x, y)", "One vector, conjugated, times the matrices of a stack.", array(3), array(2, 3, 2), complex=True
    ),
    *PRODUCTS_OF_SEVERAL,
    row(
        "convolve(x, y, mode='full')",
        "Discrete convolution of two vectors.",
        array(5),
        array(3),
        options=[{}, {"mode": "same"}, {"mode": "valid"}],
        smooth=ZEROS,
        complex=True,
        degree=2,
    ),
    row(
        "convolve_shorter(x, y, mode='full')",
        "The same, the first being the shorter one.",
        array(2),
        array(4),
        options=[{}, {"mode": "same"}, {"mode": "valid"}],
    ),
    row(
        "correlate(x, y, mode='valid')",
        "Correlation of two vectors, the second conjugated.",
        array(5),
        array(3),
        options=[{}, {"mode": "same"}, {"mode": "full"}],
        smooth=ZEROS,
        complex=True,
        degree=2,
    ),
    row(
        "polymul(x, y)",
        "Coefficients of a product of polynomials.",
        array(3),
        array(2),
        smooth={"ones": (1.0, 1.0)},
        degree=2,
    ),
    row("polyval(p, x)", "A polynomial, highest power first, at x.", array(3), array(2), smooth={"zero": (1.0, 0.0)}),
    row("linear(x, weight, bias)", "x weightᵀ + bias.", array(2, 3), array(4, 3), array(4), complex=True),
    row("linear_of_stack(x, weight, bias)", "The same for a stack.", array(2, 2, 3), array(2, 3), array(2)),
    row("linear_of_vector(x, weight)", "weight x, without bias.", array(3), array(2, 3)),
    row(
        "bilinear(x, y, weight, bias)",
        "x weight_k y + bias_k for each row and each k.",
        array(2, 3),
        array(2, 2),
        array(4, 3, 2),
        array(4),
    ),
    row(
        "dot_general(x, y)",
        "Sum of products over axis 2 of x and axis 1 of y, for stacks along their first axes.",
        array(2, 2, 3),
        array(2, 3, 2),
        complex=True,
    ),
    row(
        "ragged_dot(x, y, sizes)",
        "Groups of rows of x, each group times another matrix.",
        array(4, 3),
        array(2, 3, 2),
        given([1, 3]),
    ),
    row(
        "symmetric_product(x, c, alpha=1.0, beta=0.0)",
        "alpha x xᵀ + beta c, c symmetric.",
        array(3, 2),
        symmetric(3),
        options=[{}, {"alpha": 2.0, "beta": 0.5}],
        ordinary=POLYNOMIAL,
    ),
    ordinary=MULTILINEAR,
)
