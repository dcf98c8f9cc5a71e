"""The functional interface, options: invalid strategies, dtypes, and constant derivatives with create_graph."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, torch
from conformance.expect import close, equal, raises

JACOBIAN = "torch.autograd.functional.jacobian"
HESSIAN = "torch.autograd.functional.hessian"
PAGES = tuple(f"torch.autograd.functional.{name}" for name in ("vjp", "jvp", "jacobian", "hessian", "hvp", "vhp"))


@behaviour(
    SHOULD,
    torch(JACOBIAN, raises=Exception, says="vectorize"),
    torch(HESSIAN, raises=Exception, says="vectorize"),
    cases={
        "jacobian": (lambda ad, x: ad.functional.jacobian(ad.np.sum, x, strategy="forward-mode"),),
        "hessian": (lambda ad, x: ad.functional.hessian(ad.np.sum, x, outer_jacobian_strategy="forward-mode"),),
    },
)
def forward_mode_needs_vectorize(ad, derivative):
    """functional.jacobian and hessian raise an error for the strategy "forward-mode" without vectorize=True."""
    raises(lambda: derivative(ad, ad.array([1.0, 2.0])))


@behaviour(
    SHOULD,
    torch(JACOBIAN, raises=Exception, says="reverse-mode"),
    torch(HESSIAN, raises=Exception, says="reverse-mode"),
    cases={
        "jacobian": (lambda ad, x: ad.functional.jacobian(ad.np.sum, x, strategy="sideways"),),
        "hessian": (lambda ad, x: ad.functional.hessian(ad.np.sum, x, outer_jacobian_strategy="sideways"),),
    },
)
def an_unknown_strategy_raises_an_error(ad, derivative):
    """functional.jacobian and hessian raise an error for a strategy other than "forward-mode" and "reverse-mode"."""
    raises(lambda: derivative(ad, ad.array([1.0, 2.0])))


@behaviour(
    MUST,
    torch(JACOBIAN),
    cases={
        "row_by_row": ({}, "float32", "float64"),
        "all_rows": ({"vectorize": True}, "float32", "float64"),
        "all_columns": ({"vectorize": True, "strategy": "forward-mode"}, "float16", "float16"),
    },
)
def functional_jacobian_has_the_dtype_of_input_or_output(ad, options, first, second):
    """functional.jacobian has for each input the dtype of that input, or, with strategy="forward-mode", the dtype of
    the output."""
    point = (ad.array(2.0, "float32"), ad.array(3.0, "float64"))
    jacobian = ad.functional.jacobian(lambda x, y: ad.cast(5 * x + 7 * y, "float16"), point, **options)
    close(jacobian[0], 5.0, dtype=first)
    close(jacobian[1], 7.0, dtype=second)


@behaviour(MUST, torch(HESSIAN), cases={"first": (0, "float32", (40.0, 30.0)), "second": (1, "float64", (30.0, 0.0))})
def a_functional_hessian_has_the_dtype_of_the_input_of_its_row(ad, row, dtype, expected):
    """In functional.hessian, each block hessian[i][j] has the dtype of the i-th input."""
    point = (ad.array(3.0, "float32"), ad.array(4.0, "float64"))
    hessian = ad.functional.hessian(lambda x, y: 5 * x * x * y, point)
    close(hessian[row], expected, dtype=dtype)


@behaviour(
    MAY,
    *(torch(page, unstated="the pages allow that the result requires no grad, and do not demand it") for page in PAGES),
    cases={
        "vjp": (lambda ad, x, v: ad.functional.vjp(lambda x: 5 * x, x, v, create_graph=True)[1], 5.0),
        "jvp": (lambda ad, x, v: ad.functional.jvp(lambda x: 5 * x, x, v, create_graph=True)[1], 5.0),
        "jacobian": (lambda ad, x, v: ad.functional.jacobian(lambda x: 5 * x, x, create_graph=True), 5.0),
        "hessian": (lambda ad, x, v: ad.functional.hessian(lambda x: 5 * x * x, x, create_graph=True), 10.0),
        "hvp": (lambda ad, x, v: ad.functional.hvp(lambda x: 5 * x * x, x, v, create_graph=True)[1], 10.0),
        "vhp": (lambda ad, x, v: ad.functional.vhp(lambda x: 5 * x * x, x, v, create_graph=True)[1], 10.0),
    },
)
def a_constant_derivative_with_create_graph_does_not_require_grad(ad, derivative, expected):
    """With create_graph=True and strict=False, a derivative that is computed without the inputs, here of 5x or 5x², is
    returned with requires_grad=False by the functions of torch.autograd.functional, if v does not require grad."""
    result = derivative(ad, ad.leaf(3.0), ad.array(1.0))
    close(result, expected)
    equal(ad.requires_grad(result), False)
