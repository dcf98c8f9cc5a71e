"""The functional interface, shapes and zeros: derivatives of several inputs and outputs, and of what is independent."""

from conformance.behaviour import MUST, SHOULD, behaviour, torch
from conformance.expect import close, equal, raises

# How a Jacobian may be asked for.
STRATEGIES = {
    "row_by_row": ({},),
    "all_rows": ({"vectorize": True},),
    "all_columns": ({"vectorize": True, "strategy": "forward-mode"},),
}
# What is asked of a program that ignores an input, or whose gradient does, and the answer with zeros.
INDEPENDENT = {
    "vjp": (
        lambda ad, **strict: ad.functional.vjp(lambda x, y: x**3, (ad.array(2.0), ad.array(5.0)), **strict),
        (8.0, (12.0, 0.0)),
    ),
    "jacobian": (
        lambda ad, **strict: ad.functional.jacobian(lambda x, y: x**3, (ad.array(2.0), ad.array(5.0)), **strict),
        (12.0, 0.0),
    ),
    "constant_vjp": (
        lambda ad, **strict: ad.functional.vjp(lambda x: ad.array(7.0), ad.array(3.0), **strict),
        (7.0, 0.0),
    ),
    "constant_jvp": (
        lambda ad, **strict: ad.functional.jvp(lambda x: ad.array(7.0), ad.array(3.0), **strict),
        (7.0, 0.0),
    ),
    "constant_jacobian": (
        lambda ad, **strict: ad.functional.jacobian(lambda x: ad.array([7.0]), ad.array([1.0, 2.0]), **strict),
        [[0.0, 0.0]],
    ),
    "linear_hessian": (lambda ad, **strict: ad.functional.hessian(lambda x: 5 * x, ad.array(3.0), **strict), 0.0),
    "linear_hvp": (lambda ad, **strict: ad.functional.hvp(lambda x: 5 * x, ad.array(3.0), **strict), (15.0, 0.0)),
    "linear_vhp": (lambda ad, **strict: ad.functional.vhp(lambda x: 5 * x, ad.array(3.0), **strict), (15.0, 0.0)),
}
PAGES = tuple(f"torch.autograd.functional.{name}" for name in ("vjp", "jvp", "jacobian", "hessian", "hvp", "vhp"))


@behaviour(
    MUST,
    *(torch(page, raises=RuntimeError, says="strict mode") for page in PAGES),
    cases={name: (derivative,) for name, (derivative, _) in INDEPENDENT.items()},
)
def strict_refuses_independent_inputs(ad, derivative):
    """In strict mode an input that the output, or its gradient, does not depend on is refused."""
    raises(lambda: derivative(ad, strict=True))


@behaviour(MUST, *(torch(page) for page in PAGES), cases=INDEPENDENT)
def independent_inputs_have_zeros(ad, derivative, expected):
    """Unless strict mode is asked for, an input that the output, or its gradient, does not depend on has zeros."""
    close(derivative(ad), expected)


@behaviour(
    MUST,
    torch("torch.autograd.functional.jvp"),
    cases={
        "one_input": (lambda x: x * x, lambda x, v: (x, v), ([1.0, 4.0], [6.0, 40.0])),
        "two_inputs": (lambda x, y: x + 5 * y, lambda x, v: ((x, x), (v, 2 * v)), ([6.0, 12.0], [33.0, 110.0])),
    },
)
def functional_jvp_gives_value_and_tangent(ad, program, at, expected):
    """The value of a function comes with its Jacobian times v, which has the structure of the inputs."""
    point, v = at(ad.array([1.0, 2.0]), ad.array([3.0, 10.0]))
    close(ad.functional.jvp(program, point, v), expected)


@behaviour(MUST, torch("torch.autograd.functional.jvp", raises=RuntimeError, says="can only be None if"))
def functional_jvp_needs_v_for_several_inputs(ad):
    """Leaving v out is refused where the input has more than one element."""
    raises(lambda: ad.functional.jvp(lambda x: x * x, ad.array([1.0, 2.0])))


@behaviour(MUST, torch("torch.autograd.functional.jvp"))
def functional_jvp_takes_one_for_a_scalar(ad):
    """Where the input has one element, v may be left out, and is one."""
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
    """For tuples the Jacobian is a tuple over outputs of tuples over inputs; a tuple of one stays a tuple."""
    close(ad.functional.jacobian(program, at(ad.array(2.0), ad.array(3.0))), expected)


@behaviour(
    MUST,
    torch("torch.autograd.functional.jacobian"),
    cases=STRATEGIES,
)
def strategies_agree(ad, options):
    """Row by row, all rows at once or all columns at once: the Jacobian is the same."""
    jacobian = ad.functional.jacobian(
        lambda x: ad.np.stack([x[0] * x[1], x[0] * x[0], 5 * x[1]]), ad.array([1.0, 2.0]), **options
    )
    close(jacobian, [[2.0, 1.0], [2.0, 0.0], [0.0, 5.0]])


@behaviour(
    SHOULD,
    torch("torch.autograd.functional.hessian"),
    cases={
        "all_rows": ({"vectorize": True},),
        "all_columns": ({"vectorize": True, "outer_jacobian_strategy": "forward-mode"},),
    },
)
def outer_strategies_agree(ad, options):
    """All rows at once or, by forward mode over the gradient, all columns: the Hessian is the same."""
    hessian = ad.functional.hessian(lambda x: x[0] ** 2 * x[1], ad.array([1.0, 2.0]), **options)
    close(hessian, [[4.0, 2.0], [2.0, 0.0]])


@behaviour(
    SHOULD,
    torch("torch.autograd.functional.jacobian"),
    torch("torch.autograd.functional.hessian"),
    cases={
        "jacobian_by_rows": (lambda ad, x: ad.functional.jacobian(lambda x: x**3, x, vectorize=True),),
        "jacobian_by_columns": (
            lambda ad, x: ad.functional.jacobian(lambda x: x**3, x, vectorize=True, strategy="forward-mode"),
        ),
        "hessian_by_rows": (lambda ad, x: ad.functional.hessian(lambda x: x**3, x, vectorize=True),),
        "hessian_by_columns": (
            lambda ad, x: ad.functional.hessian(
                lambda x: x**3, x, vectorize=True, outer_jacobian_strategy="forward-mode"
            ),
        ),
    },
)
def no_strategy_leaves_a_graph(ad, derivative):
    """Whatever the strategy, a Jacobian or Hessian does not require grad unless a graph of it is asked for."""
    equal(ad.requires_grad(derivative(ad, ad.leaf(3.0))), False)


@behaviour(MUST, torch("torch.autograd.functional.hessian"))
def functional_hessian_nests_inputs(ad):
    """For a tuple of inputs the Hessian has a block for each pair of them: of x^2 y at (5, 3) they are 6, 10, 10, 0."""
    hessian = ad.functional.hessian(lambda x, y: ad.np.sum(x * x) * y, (ad.array([5.0]), ad.array(3.0)))
    close(hessian, (([[6.0]], [10.0]), ([10.0], 0.0)))


@behaviour(
    MUST,
    torch("torch.autograd.functional.hessian", raises=RuntimeError, says="single"),
    cases={"vector": (lambda x: x**3,), "tuple": (lambda x: (x[0] ** 3, x[1] ** 3),)},
)
def functional_hessian_needs_one_output(ad, program):
    """A function that returns several elements, or several arrays, has no Hessian: it is refused."""
    raises(lambda: ad.functional.hessian(program, ad.array([1.0, 2.0])))


@behaviour(
    MUST,
    torch("torch.autograd.functional.hvp"),
    torch("torch.autograd.functional.vhp"),
    cases={
        "hvp": (lambda ad, *given: ad.functional.hvp(*given),),
        "vhp": (lambda ad, *given: ad.functional.vhp(*given),),
    },
)
def functional_hvp_and_vhp_agree(ad, product):
    """The Hessian times v and v times the Hessian are the same, each beside the value: x^2 y at (1, 2), v = (1, 10)."""
    outputs = product(ad, lambda x: x[0] ** 2 * x[1], ad.array([1.0, 2.0]), ad.array([1.0, 10.0]))
    close(outputs, (2.0, [24.0, 2.0]))


@behaviour(
    MUST,
    torch("torch.autograd.functional.hvp", raises=RuntimeError, says="single"),
    torch("torch.autograd.functional.vhp", raises=RuntimeError, says="single"),
    cases={
        "hvp_without_v": (lambda ad, x: ad.functional.hvp(lambda x: x[0] ** 3, x),),
        "vhp_without_v": (lambda ad, x: ad.functional.vhp(lambda x: x[0] ** 3, x),),
        "hvp_of_two_outputs": (lambda ad, x: ad.functional.hvp(lambda x: x**3, x, x),),
        "vhp_of_two_outputs": (lambda ad, x: ad.functional.vhp(lambda x: x**3, x, x),),
    },
)
def functional_hvp_checks_v_and_output(ad, product):
    """A product with the Hessian is refused without v for several inputs, and for more than one output."""
    raises(lambda: product(ad, ad.array([1.0, 2.0])))


@behaviour(
    MUST,
    torch("torch.autograd.functional.jacobian"),
    cases=STRATEGIES,
)
def strategies_agree_on_several_arrays(ad, options):
    """Whatever the strategy, two outputs of two inputs have four blocks: those of xy and x + 5y at x = 2 and y = 3."""
    point = (ad.array(2.0), ad.array(3.0))
    close(ad.functional.jacobian(lambda x, y: (x * y, x + 5 * y), point, **options), ((3.0, 2.0), (1.0, 5.0)))


@behaviour(
    MUST,
    *(torch(page) for page in PAGES),
    cases={
        "vjp": (lambda ad, *given: ad.functional.vjp(*given, strict=True), (144.0, (96.0, 72.0))),
        "jvp": (lambda ad, f, at: ad.functional.jvp(f, at, (at[1], at[0]), strict=True), (144.0, 600.0)),
        "jacobian": (lambda ad, *given: ad.functional.jacobian(*given, strict=True), (96.0, 72.0)),
        "hessian": (lambda ad, *given: ad.functional.hessian(*given, strict=True), ((32.0, 48.0), (48.0, 18.0))),
    },
)
def strict_changes_no_derivative(ad, derivative, expected):
    """Strict mode changes nothing where all depends on each input: for (xy)^2 at x = 3 and y = 4."""
    close(derivative(ad, lambda x, y: (x * y) ** 2, (ad.array(3.0), ad.array(4.0))), expected)
