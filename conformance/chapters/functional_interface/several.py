"""The functional interface: several inputs and outputs, strict mode, and strategies."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, torch
from conformance.expect import close, raises


def _seven(ad):
    return lambda x: ad.array(7.0)


def _point(ad):
    return (ad.array(2.0), ad.array(5.0))


# The ways to compute a Jacobian.
STRATEGIES = {
    "row_by_row": ({},),
    "all_rows": ({"vectorize": True},),
    "all_columns": ({"vectorize": True, "strategy": "forward-mode"},),
}
# A derivative with respect to an input that the outputs are independent of, and its value.
INDEPENDENT = {
    "vjp": (
        lambda ad, **strict: ad.functional.vjp(lambda x, y: x**3, _point(ad), **strict),
        (8.0, (12.0, 0.0)),
    ),
    "jacobian": (
        lambda ad, **strict: ad.functional.jacobian(lambda x, y: x**3, _point(ad), **strict),
        (12.0, 0.0),
    ),
    "jvp": (
        lambda ad, **strict: ad.functional.jvp(lambda x, y: x**3, _point(ad), _point(ad), **strict),
        (8.0, 24.0),
    ),
    "hessian": (
        lambda ad, **strict: ad.functional.hessian(lambda x, y: x**3, _point(ad), **strict),
        ((12.0, 0.0), (0.0, 0.0)),
    ),
    "hvp": (
        lambda ad, **strict: ad.functional.hvp(lambda x, y: x**3, _point(ad), _point(ad), **strict),
        (8.0, (24.0, 0.0)),
    ),
    "vhp": (
        lambda ad, **strict: ad.functional.vhp(lambda x, y: x**3, _point(ad), _point(ad), **strict),
        (8.0, (24.0, 0.0)),
    ),
    "constant_vjp": (
        lambda ad, **strict: ad.functional.vjp(_seven(ad), ad.array(3.0), **strict),
        (7.0, 0.0),
    ),
    "constant_jvp": (
        lambda ad, **strict: ad.functional.jvp(_seven(ad), ad.array(3.0), **strict),
        (7.0, 0.0),
    ),
    "constant_jacobian": (
        lambda ad, **strict: ad.functional.jacobian(lambda x: ad.array([7.0]), ad.array([1.0, 2.0]), **strict),
        [[0.0, 0.0]],
    ),
    "constant_hessian": (lambda ad, **strict: ad.functional.hessian(_seven(ad), ad.array(3.0), **strict), 0.0),
    "constant_hvp": (lambda ad, **strict: ad.functional.hvp(_seven(ad), ad.array(3.0), **strict), (7.0, 0.0)),
    "constant_vhp": (lambda ad, **strict: ad.functional.vhp(_seven(ad), ad.array(3.0), **strict), (7.0, 0.0)),
}
# A second derivative where only the gradient is independent of the input.
LINEAR = {
    "linear_hessian": (lambda ad, **strict: ad.functional.hessian(lambda x: 5 * x, ad.array(3.0), **strict), 0.0),
    "linear_hvp": (lambda ad, **strict: ad.functional.hvp(lambda x: 5 * x, ad.array(3.0), **strict), (15.0, 0.0)),
    "linear_vhp": (lambda ad, **strict: ad.functional.vhp(lambda x: 5 * x, ad.array(3.0), **strict), (15.0, 0.0)),
}
PAGES = tuple(f"torch.autograd.functional.{name}" for name in ("vjp", "jvp", "jacobian", "hessian", "hvp", "vhp"))


@behaviour(
    MUST,
    *(torch(page, raises=Exception, says="strict mode") for page in PAGES),
    cases={name: (derivative,) for name, (derivative, _) in INDEPENDENT.items()},
    aliases=("strict mode jacobian",),
)
def strict_raises_for_independent_inputs(ad, derivative):
    """With strict=True, torch.autograd.functional raises an error for an input that the outputs are independent of."""
    raises(lambda: derivative(ad, strict=True))


@behaviour(
    MAY,
    *(
        torch(
            page,
            raises=Exception,
            says="strict mode",
            unstated="the pages are about outputs that do not depend on an input; the message adds their gradients",
        )
        for page in PAGES[3:]
    ),
    cases={name: (derivative,) for name, (derivative, _) in LINEAR.items()},
)
def strict_hessians_need_a_gradient_that_is_not_constant(ad, derivative):
    """With strict=True, hessian, hvp and vhp also raise an error if only the gradient is independent of the input."""
    raises(lambda: derivative(ad, strict=True))


@behaviour(
    MUST, *(torch(page) for page in PAGES), cases=INDEPENDENT | LINEAR, aliases=("jacobian zeros independent input",)
)
def independent_inputs_have_zeros(ad, derivative, expected):
    """By default, torch.autograd.functional gives zeros for an input that the outputs (for second derivatives: the
    gradient) are independent of."""
    close(derivative(ad), expected)


@behaviour(
    MUST,
    torch("torch.autograd.functional.jvp"),
    cases={
        "one_input": (lambda x: x[0] * x, lambda x, v: (x, v), ([1.0, 2.0], [6.0, 16.0])),
        "two_outputs": (
            lambda x: (x[1], x[0] * x),
            lambda x, v: (x, v),
            ((2.0, [1.0, 2.0]), (10.0, [6.0, 16.0])),
        ),
        "two_inputs": (lambda x, y: x + 5 * y, lambda x, v: ((x, x), (v, 2 * v)), ([6.0, 12.0], [33.0, 110.0])),
    },
)
def functional_jvp_gives_value_and_jvp(ad, program, at, expected):
    """functional.jvp returns the function's value and the Jacobian times v, where v has the structure of the inputs."""
    point, v = at(ad.array([1.0, 2.0]), ad.array([3.0, 10.0]))
    close(ad.functional.jvp(program, point, v), expected)


@behaviour(SHOULD, torch("torch.autograd.functional.jvp", raises=Exception, says="v can only be None"))
def functional_jvp_needs_v_for_several_inputs(ad):
    """functional.jvp without v raises an error if the input has several elements."""
    raises(lambda: ad.functional.jvp(lambda x: x * x, ad.array([1.0, 2.0])))


@behaviour(MUST, torch("torch.autograd.functional.jvp"))
def functional_jvp_defaults_to_one_for_a_scalar(ad):
    """In functional.jvp, v is optional for a real input of one element, and defaults to 1."""
    close(ad.functional.jvp(lambda x: ad.np.stack([x * x, 5 * x]), ad.array(3.0)), ([9.0, 15.0], [6.0, 5.0]))


@behaviour(
    MUST,
    torch("torch.autograd.functional.jacobian"),
    cases={
        "outputs": (lambda x, y: (2 * x, 3 * x), lambda x, y: (x, y), ((2.0, 0.0), (3.0, 0.0))),
        "inputs": (lambda x, y: x * y, lambda x, y: (x, y), (3.0, 2.0)),
        "one_input": (lambda x: 5 * x, lambda x, y: (x,), (5.0,)),
        "one_output": (lambda x: (5 * x,), lambda x, y: x, (5.0,)),
    },
)
def functional_jacobian_nests_outputs_before_inputs(ad, program, at, expected):
    """functional.jacobian of tuples is a tuple over outputs of tuples over inputs; a tuple of one stays a tuple."""
    close(ad.functional.jacobian(program, at(ad.array(2.0), ad.array(3.0))), expected)


@behaviour(
    MUST,
    torch("torch.autograd.functional.jacobian"),
    cases=STRATEGIES,
    aliases=("vectorize jacobian",),
)
def strategies_agree(ad, options):
    """functional.jacobian gives the same matrix row by row, vectorized, and with strategy="forward-mode"."""
    jacobian = ad.functional.jacobian(
        lambda x: ad.np.stack([x[0] * x[1], x[0] * x[0], 5 * x[1]]), ad.array([1.0, 2.0]), **options
    )
    close(jacobian, [[2.0, 1.0], [2.0, 0.0], [0.0, 5.0]])


@behaviour(
    MUST,
    torch("torch.autograd.functional.hessian"),
    cases={
        "all_rows": ({"vectorize": True},),
        "all_columns": ({"vectorize": True, "outer_jacobian_strategy": "forward-mode"},),
    },
)
def hessian_strategies_agree(ad, options):
    """functional.hessian gives the same matrix vectorized, and with outer_jacobian_strategy="forward-mode"."""
    hessian = ad.functional.hessian(lambda x: x[0] ** 2 * x[1], ad.array([1.0, 2.0]), **options)
    close(hessian, [[4.0, 2.0], [2.0, 0.0]])


@behaviour(MUST, torch("torch.autograd.functional.hessian"), aliases=("hessian block structure",))
def functional_hessian_nests_inputs(ad):
    """For a tuple of inputs, functional.hessian gives a tuple of tuples: a block for each pair of inputs."""
    hessian = ad.functional.hessian(lambda x, y: ad.np.sum(x * x) * y, (ad.array([1.0, 2.0]), ad.array(3.0)))
    close(hessian, (([[6.0, 0.0], [0.0, 6.0]], [2.0, 4.0]), ([2.0, 4.0], 0.0)))


@behaviour(
    SHOULD,
    torch("torch.autograd.functional.hessian", raises=Exception, says="given to hessian should"),
    cases={"vector": (lambda x: x**3,), "tuple": (lambda x: (x[0] ** 3, x[1] ** 3),)},
)
def functional_hessian_needs_one_output(ad, program):
    """functional.hessian raises an error if the function returns several elements or several tensors."""
    raises(lambda: ad.functional.hessian(program, ad.array([1.0, 2.0])))


@behaviour(
    MUST,
    torch("torch.autograd.functional.hvp"),
    torch("torch.autograd.functional.vhp"),
    cases={
        "hvp": (lambda ad, *given: ad.functional.hvp(*given),),
        "vhp": (lambda ad, *given: ad.functional.vhp(*given),),
    },
    aliases=("hvp vhp", "hessian-vector product"),
)
def functional_hvp_and_vhp_give_a_hessian_vector_product(ad, product):
    """functional.hvp and vhp return the value and the Hessian times v: for x²y at (1, 2), v = (1, 10) gives (24, 2)."""
    outputs = product(ad, lambda x: x[0] ** 2 * x[1], ad.array([1.0, 2.0]), ad.array([1.0, 10.0]))
    close(outputs, (2.0, [24.0, 2.0]))


@behaviour(
    SHOULD,
    torch("torch.autograd.functional.hvp", raises=Exception, says="single element"),
    torch("torch.autograd.functional.vhp", raises=Exception, says="single element"),
    cases={
        "hvp_without_v": (lambda ad, x: ad.functional.hvp(lambda x: x[0] ** 3, x),),
        "vhp_without_v": (lambda ad, x: ad.functional.vhp(lambda x: x[0] ** 3, x),),
        "hvp_of_two_outputs": (lambda ad, x: ad.functional.hvp(lambda x: x**3, x, x),),
        "vhp_of_two_outputs": (lambda ad, x: ad.functional.vhp(lambda x: x**3, x, x),),
    },
)
def functional_hvp_checks_v_and_output(ad, product):
    """functional.hvp and vhp raise an error for an output of several elements, and, if v is not given, for an input of
    several elements."""
    raises(lambda: product(ad, ad.array([1.0, 2.0])))


@behaviour(
    MUST,
    torch("torch.autograd.functional.jacobian"),
    cases=STRATEGIES,
)
def strategies_agree_on_several_arrays(ad, options):
    """functional.jacobian of two outputs and two inputs gives the same four blocks with every strategy."""
    jacobian = ad.functional.jacobian(
        lambda x, y: (x * y, x[0] + 7 * y), (ad.array([2.0, 3.0]), ad.array(5.0)), **options
    )
    close(jacobian, (([[5.0, 0.0], [0.0, 5.0]], [2.0, 3.0]), ([1.0, 0.0], 7.0)))


@behaviour(
    MUST,
    *(torch(page) for page in PAGES),
    cases={
        "vjp": (lambda ad, *given: ad.functional.vjp(*given, strict=True), (144.0, (96.0, 72.0))),
        "jvp": (lambda ad, f, at: ad.functional.jvp(f, at, (at[1], at[0]), strict=True), (144.0, 600.0)),
        "jacobian": (lambda ad, *given: ad.functional.jacobian(*given, strict=True), (96.0, 72.0)),
        "hessian": (lambda ad, *given: ad.functional.hessian(*given, strict=True), ((32.0, 48.0), (48.0, 18.0))),
        "hvp": (lambda ad, f, at: ad.functional.hvp(f, at, (at[1], at[0]), strict=True), (144.0, (272.0, 246.0))),
        "vhp": (lambda ad, f, at: ad.functional.vhp(f, at, (at[1], at[0]), strict=True), (144.0, (272.0, 246.0))),
    },
)
def strict_changes_no_derivative(ad, derivative, expected):
    """strict=True changes no derivative if outputs and derivatives depend on every input: here of (xy)² at (3, 4)."""
    close(derivative(ad, lambda x, y: (x * y) ** 2, (ad.array(3.0), ad.array(4.0))), expected)
