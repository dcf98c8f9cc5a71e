"""The operations, a row each: what computes it, and the forms in which a program can call it.

The forms are ``function`` (``torch.sin``), ``method`` (``x.sin()``), ``inplace`` (``x.sin_()``), ``factory`` (a
function of no tensor), and the modules ``linalg``, ``special`` and ``functional`` (``torch.nn.functional``). Operators
follow by Python's names for them.

A primitive has its forms where it is declared, in `primitives`. Adding a primitive takes a line there, which is its
row, and a line in `rules`. An operation composed of others is a row of the table here. `attach` makes the methods,
once, when the package is imported; the modules take their names from `public`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from . import primitives as o
from .core.primitive import EVERY_FORM, FUNCTION_AND_METHOD, Primitive
from .core.tensor import Tensor
from .functions import activations as act
from .functions import (
    creation,
    indexing,
    losses,
    norms,
    ordering,
    pointwise,
    products,
    random,
    reductions,
    shaping,
    special,
    strides,
)
from .functions import decompositions as la
from .functions.call_forms import function_form, inplace_form, name_of, operator_form, reflected
from .functions.members import METHODS, PROPERTIES


class Row(NamedTuple):
    """One operation: its name, what computes it, its forms, and the operators that mean it."""

    name: str
    compute: Primitive | Callable[..., Any]
    forms: frozenset[str]
    operators: tuple[str, ...]


def row(compute: Primitive | Callable[..., Any], forms: str, operators: str = "", name: str = "") -> Row:
    """A row under the name of what computes it, unless another is given."""
    return Row(name or name_of(compute), compute, frozenset(forms.split()), tuple(operators.split()))


ALL, TWO = EVERY_FORM, FUNCTION_AND_METHOD

TABLE: tuple[Row, ...] = (
    *(row(primitive, primitive.forms, primitive.operators) for primitive in o.ALL if primitive.forms),
    # Arithmetic
    row(pointwise.add, ALL, "__add__ __radd__ __iadd__"),
    row(pointwise.sub, ALL, "__sub__ __isub__"),
    row(reflected(o.sub), "", "__rsub__"),
    row(lambda x, y: o.mul(o.reciprocal(x), y), "", "__rtruediv__"),
    row(reflected(o.pow), "", "__rpow__"),
    row(reflected(o.remainder), "", "__rmod__"),
    row(pointwise.square, ALL),
    row(pointwise.clamp, ALL), row(pointwise.fmax, TWO), row(pointwise.fmin, TWO),
    # Elementary and special functions
    row(o.sigmoid, "special", name="expit"),
    row(o.lgamma, "special", name="gammaln"),
    row(special.digamma, ALL + " special"), row(special.polygamma, "function special"),
    row(special.xlogy, TWO + " special"), row(special.xlog1py, "special"),
    # Complex numbers
    row(pointwise.conj, TWO), row(pointwise.resolve_conj, TWO),
    row(pointwise.real, "function"), row(pointwise.imag, "function"),
    # Comparison and logic, which have no derivative
    row(ordering.searchsorted, "function"),
    # Choice and storing
    row(lambda x, condition, other: o.where(condition, x, other), "method", name="where"),
    row(pointwise.masked_fill, ALL), row(o.overwrite, "inplace", name="copy"),
    row(indexing.index_put, ALL), row(indexing.take, TWO),
    row(indexing.nonzero, TWO), row(strides.slice_scatter, TWO),
    # Reductions and scans
    row(reductions.sum, TWO), row(reductions.mean, TWO), row(reductions.prod, TWO), row(reductions.amax, TWO),
    row(reductions.amin, TWO), row(reductions.count_nonzero, TWO), row(reductions.cumsum, ALL),
    row(reductions.cumprod, ALL), row(reductions.logsumexp, TWO + " special"), row(norms.var, TWO),
    row(norms.std, TWO), row(reductions.softmax, TWO + " special functional"),
    row(reductions.log_softmax, TWO + " special functional"),
    # Order
    row(ordering.max, TWO), row(ordering.min, TWO), row(ordering.argmax, TWO),
    row(ordering.sort, TWO), row(ordering.argsort, TWO), row(ordering.topk, TWO), row(ordering.kthvalue, TWO),
    row(ordering.mode, TWO),
    # Shape
    row(shaping.reshape, TWO), row(shaping.view, "method"), row(shaping.permute, TWO),
    row(shaping.transpose, TWO), row(shaping.transpose, "method", name="swapaxes"),
    row(shaping.t, TWO), row(shaping.expand, "method"),
    row(shaping.expand, TWO, name="broadcast_to"), row(shaping.squeeze, TWO),
    row(shaping.unsqueeze, TWO), row(shaping.flip, TWO),
    row(shaping.tril, ALL), row(shaping.triu, ALL), row(shaping.diagonal, TWO), row(shaping.cat, "function"),
    row(shaping.stack, "function"), row(shaping.unbind, TWO), row(shaping.split, TWO), row(shaping.chunk, TWO),
    row(shaping.unsafe_split, TWO), row(shaping.unsafe_chunk, TWO),
    row(shaping.narrow, TWO), row(shaping.select, TWO), row(shaping.movedim, TWO),
    row(shaping.unflatten, TWO), row(shaping.tensor_split, TWO), row(strides.as_strided, TWO),
    row(strides.unfold, "method"),
    # Products
    row(products.matmul, TWO + " linalg", "__matmul__"), row(reflected(products.matmul), "", "__rmatmul__"),
    *(row(products.matmul, TWO, name=name) for name in ("mm", "mv", "bmm", "dot")), row(products.outer, TWO),
    # Linear algebra and norms
    row(la.inverse, TWO), row(la.inverse, "linalg", name="inv"), row(la.det, TWO + " linalg"),
    row(la.slogdet, TWO + " linalg"), row(la.adjoint, TWO), row(la.solve, "linalg"), row(la.qr, TWO + " linalg"),
    row(la.eig, "linalg"), row(la.eigvals, "linalg"), row(la.eigh, "linalg"), row(la.eigvalsh, "linalg"),
    row(la.svd, "linalg"), row(la.svdvals, "linalg"), row(norms.vector_norm, "linalg"),
    row(norms.matrix_norm, "linalg"), row(norms.norm, TWO), row(norms.dist, TWO), row(norms.cdist, "function"),
    row(norms.pdist, "function functional"),
    # Neural networks
    row(products.linear, "functional"), row(pointwise.softplus, "functional"), row(act.leaky_relu, "functional"),
    row(act.hardtanh, "functional"), row(act.relu6, "functional"), row(act.hardsigmoid, "functional"),
    row(act.dropout, "functional"), row(act.gumbel_softmax, "functional"), row(act.rrelu, "functional"),
    row(norms.lp_pool1d, "functional"), row(strides.max_pool1d, "functional"),
    row(losses.hinge_embedding_loss, "functional"),
    row(losses.margin_ranking_loss, "functional"),
    row(losses.mse_loss, "functional"), row(losses.l1_loss, "functional"), row(losses.huber_loss, "functional"),
    row(losses.smooth_l1_loss, "functional"), row(losses.binary_cross_entropy, "functional"),
    row(losses.gaussian_nll_loss, "functional"), row(losses.nll_loss, "functional"),
    row(losses.cross_entropy, "functional"), row(losses.embedding, "functional"),
    # Making tensors
    row(creation.tensor, "factory"), row(creation.as_tensor, "factory"), row(creation.asarray, "factory"),
    row(creation.zeros, "factory"),
    row(creation.ones, "factory"), row(creation.eye, "factory"), row(creation.arange, "factory"),
    row(creation.zeros_like, "function"), row(creation.ones_like, "function"),
    row(creation.empty_like, "function"), row(creation.full_like, "function"), row(random.rand, "factory"),
    row(random.randn, "factory"), row(random.rand_like, "function"), row(random.randn_like, "function"),
    row(random.bernoulli, TWO), row(random.normal, "function"),
    row(random.manual_seed, "factory"), row(random.get_rng_state, "factory"), row(random.set_rng_state, "factory"),
)  # fmt: skip

_FUNCTIONS = {entry: function_form(entry.name, entry.compute) for entry in TABLE}


def public(module: str = "function") -> dict[str, Callable[..., Any]]:
    """The functions of a module of PyTorch's: `function` for the top module, linalg, special or functional."""
    factories = {entry.name: entry.compute for entry in TABLE if module == "function" and "factory" in entry.forms}
    return {**factories, **{entry.name: form for entry, form in _FUNCTIONS.items() if module in entry.forms}}


def attach(tensor: type[Tensor]) -> None:
    """Give the tensor class its methods, in-place methods, operators, properties and Python's protocols."""
    for entry, form in _FUNCTIONS.items():
        name, compute = entry.name, entry.compute
        if "method" in entry.forms:
            setattr(tensor, name, form)
        if "inplace" in entry.forms:
            setattr(tensor, f"{name}_", inplace_form(f"{name}_", compute))
        for operator in entry.operators:
            in_place = operator.startswith("__i")
            setattr(tensor, operator, (inplace_form if in_place else operator_form)(operator, compute))
    for name, member in {**PROPERTIES, **METHODS}.items():
        setattr(tensor, name, member)
