"""The mathematical operations of `ad.np`: name, signature and meaning, under the array API standard's names.

An operation that is itself the subject of a behaviour keeps its documented name. A row is `"name(arguments)": meaning`;
`x`, `y` and `target` are arrays, and functions of numbers apply to each element. To add an operation is to add a row
here and a spelling for each engine that has it.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["FUNCTIONAL", "OPERATIONS"]

OPERATIONS: Mapping[str, Mapping[str, str]] = {
    "Elementwise": {
        "exp(x)": "e to the power x.",
        "expm1(x)": "exp(x) - 1.",
        "log(x)": "Natural logarithm.",
        "log1p(x)": "log(1 + x).",
        "sqrt(x)": "Square root.",
        "rsqrt(x)": "1 / sqrt(x).",
        "square(x)": "x squared.",
        "reciprocal(x)": "1 / x.",
        "abs(x)": "Absolute value.",
        "sign(x)": "Sign; of a complex number, x / abs(x).",
        "sin(x)": "Sine.",
        "cos(x)": "Cosine.",
        "tan(x)": "Tangent.",
        "tanh(x)": "Hyperbolic tangent.",
        "sinc(x)": "sin(pi x) / (pi x), and 1 at 0.",
        "floor(x)": "Round towards minus infinity.",
        "ceil(x)": "Round towards infinity.",
        "round(x)": "Round to the nearest integer, half to even.",
        "trunc(x)": "Round towards zero.",
        "isnan(x)": "Whether x is NaN.",
        "signbit(x)": "Whether the sign bit is set.",
        "digamma(x)": "Derivative of the logarithm of the gamma function.",
        "spence(x)": "Dilogarithm, in SciPy's form, which is 0 at 1.",
        "underived(x)": "A smooth function that the engine cannot differentiate; each engine has another.",
        "pow(x, y)": "x to the power y; y may be a number.",
        "maximum(x, y)": "The larger of x and y.",
        "minimum(x, y)": "The smaller of x and y.",
        "copysign(x, y)": "abs(x) with the sign of y.",
        "hypot(x, y)": "sqrt(x^2 + y^2).",
        "logaddexp(x, y)": "log(exp(x) + exp(y)).",
        "atan2(x, y)": "Angle of the point (y, x).",
        "where(condition, x, y)": "x where the condition is true, y elsewhere.",
        "clip(x, lowest, highest)": "x limited to [lowest, highest]; each bound is an array, a number or None.",
    },
    "Complex": {
        "real(x)": "Real part.",
        "imag(x)": "Imaginary part.",
        "conj(x)": "Complex conjugate.",
        "angle(x)": "Argument of a complex number.",
        "view_as_real(x)": "Real and imaginary part along a new last axis.",
    },
    "Reductions": {
        "sum(x)": "Sum of all elements.",
        "mean(x)": "Mean of all elements.",
        "prod(x)": "Product of all elements.",
        "std(x)": "Standard deviation of all elements, with n - 1.",
        "max(x)": "Maximum of all elements.",
        "min(x)": "Minimum of all elements.",
        "amax(x, axis)": "Maxima along an axis.",
        "amin(x, axis)": "Minima along an axis.",
        "logsumexp(x)": "log(sum(exp(x))) of a vector.",
        "cumsum(x)": "Cumulative sum along the first axis.",
        "cumprod(x)": "Cumulative product along the first axis.",
        "count_nonzero(x)": "Number of elements that are not zero.",
    },
    "Ordering": {
        "argmax(x)": "Index of the maximum of all elements.",
        "sort(x)": "Elements of a vector in ascending order.",
        "argsort(x)": "Indices that sort a vector.",
        "sort_with_indices(x)": "A pair: the sorted elements and their indices.",
        "max_with_index(x)": "A pair: the maximum along the first axis and its index.",
        "topk(x, k)": "A pair: the k largest elements of a vector and their indices.",
        "kthvalue(x, k)": "The k-th smallest element of a vector, from 1.",
        "mode(x)": "The most frequent element of a vector.",
        "nonzero(x)": "Indices of the elements of a vector that are not zero.",
        "searchsorted(x, values)": "Indices at which `values` would be inserted into the sorted vector x.",
        "take(x, indices)": "Elements at these indices.",
    },
    "Shaping": {
        "reshape(x, shape)": "The same elements in another shape.",
        "transpose(x)": "Transpose of a matrix.",
        "broadcast_to(x, shape)": "x broadcast to a shape.",
        "stack(arrays)": "Arrays joined along a new first axis.",
        "unstack(x)": "The tuple of arrays along the first axis.",
        "concat(arrays)": "Arrays joined along the first axis.",
    },
    "Creation": {
        "zeros(shape)": "Zeros, float64, outside any graph.",
        "eye(n)": "Identity matrix, float64.",
        "zeros_like(x)": "Zeros with the shape and dtype of x.",
        "ones_like(x)": "Ones with the shape and dtype of x.",
        "full_like(x, value)": "That value with the shape and dtype of x.",
        "rand_like(x)": "Uniform random numbers in [0, 1) with the shape and dtype of x.",
    },
    "LinearAlgebra": {
        "matmul(x, y)": "Matrix product.",
        "outer(x, y)": "Outer product of two vectors.",
        "det(x)": "Determinant.",
        "slogdet(x)": "A pair: sign of the determinant, and logarithm of its absolute value.",
        "eig(x)": "A pair: eigenvalues and eigenvectors (columns) of a square matrix, complex.",
        "eigh(x)": "A pair: eigenvalues (ascending) and eigenvectors (columns) of a Hermitian matrix.",
        "eigvalsh(x)": "Eigenvalues of a Hermitian matrix, ascending.",
        "svd(x)": "Full decomposition U, S, Vh: singular vectors are columns of U and rows of Vh.",
        "svdvals(x)": "Singular values, descending.",
        "qr(x, mode)": "A pair Q, R; `mode` is reduced, complete, or r for R alone.",
        "norm(x, order)": "p-norm of a vector.",
        "matrix_norm(x)": "Frobenius norm of a matrix.",
        "dist(x, y)": "2-norm of x - y.",
        "cdist(x, y)": "2-norm distances of all rows of x from all rows of y.",
        "pdist(x)": "2-norm distances of all pairs of rows.",
    },
    "Networks": {
        "relu(x)": "max(x, 0).",
        "relu6(x)": "min(max(x, 0), 6).",
        "leaky_relu(x)": "x above 0, 0.01 x below.",
        "hardtanh(x)": "x limited to [-1, 1].",
        "hardsigmoid(x)": "relu6(x + 3) / 6.",
        "sigmoid(x)": "1 / (1 + exp(-x)).",
        "softplus(x)": "log(1 + exp(x)).",
        "softmax(x)": "exp(x) / sum(exp(x)) of a vector.",
        "log_softmax(x)": "log(softmax(x)) of a vector.",
        "gumbel_softmax(x, hard)": "Softmax of a vector plus random Gumbel noise; with `hard`, one-hot at its maximum.",
        "lp_pool1d(x, norm, size)": "Norms of order `norm` over windows of `size` elements.",
        "dropout(x, p)": "Each element zeroed with probability p, the others divided by 1 - p.",
        "embedding(indices, table, padding_idx=None, scale_grad_by_freq=False)": (
            "Rows of a table. Row `padding_idx` gets no gradient; `scale_grad_by_freq` divides a row's gradient by how"
            " often it is named."
        ),
    },
    "Losses": {
        "l1_loss(x, target)": "Mean of abs(x - target).",
        "smooth_l1_loss(x, target)": "Mean of d^2 / 2 for differences d below 1, of abs(d) - 1/2 above.",
        "huber_loss(x, target)": "The same, under the name of the Huber loss, with delta 1.",
        "binary_cross_entropy(x, target)": "Mean of -log of the probability that x gives to a target of 0 or 1.",
        "gaussian_nll_loss(x, target, var, eps)": "Mean of (log(v) + (x - target)^2 / v) / 2, v = max(var, eps).",
        "cross_entropy(x, target, ignore_index)": (
            "Mean over rows of -log_softmax(x) at the target's index; rows with `ignore_index` do not count."
        ),
    },
}

# The tape's functional interface, `ad.functional`: derivatives of a function at a point. `inputs` is an array or a
# tuple of arrays; with `strict`, an output that does not depend on an input raises an error.
FUNCTIONAL: Mapping[str, Mapping[str, str]] = {
    "Functional": {
        "jacobian(program, inputs, create_graph=False, strict=False, vectorize=False, strategy='reverse-mode')": (
            "Jacobian of `program` at `inputs`."
        ),
        "hessian(program, inputs, create_graph=False, strict=False, vectorize=False,"
        " outer_jacobian_strategy='reverse-mode')": "Hessian of a scalar-valued `program` at `inputs`.",
        "vjp(program, inputs, v=None, create_graph=False, strict=False)": "Output, and v times the Jacobian.",
        "jvp(program, inputs, v=None, create_graph=False, strict=False)": "Output, and the Jacobian times v.",
        "vhp(program, inputs, v=None, create_graph=False, strict=False)": "Output, and v times the Hessian.",
        "hvp(program, inputs, v=None, create_graph=False, strict=False)": "Output, and the Hessian times v.",
    },
}
