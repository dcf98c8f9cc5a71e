"""The functional interface: torch.autograd.functional, derivatives of a function at a point in one call."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, torch
from conformance.expect import close, equal, raises

HIGHER_LEVEL = "Functional higher level API"
PAGES = tuple(f"torch.autograd.functional.{name}" for name in ("vjp", "jvp", "jacobian", "hessian", "hvp", "vhp"))


@behaviour(
    MUST,
    torch("torch.autograd.functional.jacobian"),
    aliases=("torch.autograd.functional", "jacobian of a function"),
)
def functional_jacobian_has_a_row_for_each_output(ad):
    """functional.jacobian of a function from vector to vector is a matrix: a row for each element of the output, a
    column for each of the input."""
    point = ad.array([1.0, 2.0])
    jacobian = ad.functional.jacobian(lambda x: ad.np.stack([x[0] * x[1], x[0] * x[0], x[0] + 7 * x[1]]), point)
    close(jacobian, [[2.0, 1.0], [2.0, 0.0], [1.0, 7.0]])


@behaviour(
    MUST,
    torch("torch.autograd.functional.jacobian"),
    cases={"no_grad": (lambda ad: ad.no_grad(),), "inference_mode": (lambda ad: ad.inference_mode(),)},
    aliases=("jacobian returns zeros in inference_mode",),
)
def functional_jacobian_is_the_same_in_every_mode(ad, scope):
    """functional.jacobian within no_grad or inference mode is the Jacobian: for x² of a normal tensor at 3 it is 6."""
    point = ad.array(3.0)
    with scope(ad):
        jacobian = ad.functional.jacobian(lambda x: x * x, point)
    close(jacobian, 6.0)


@behaviour(MUST, torch("torch.autograd.functional.hessian"), aliases=("hessian of a function",))
def functional_hessian_returns_a_matrix(ad):
    """functional.hessian returns the Hessian at a point: for x²y at (1, 2) it is ((4, 2), (2, 0))."""
    close(ad.functional.hessian(lambda x: x[0] ** 2 * x[1], ad.array([1.0, 2.0])), [[4.0, 2.0], [2.0, 0.0]])


@behaviour(
    MUST,
    torch("torch.autograd.functional.vjp"),
    cases={
        # The Jacobian of x[0] * x is ((2, 0), (2, 1)), that of x[1] is (0, 1).
        "one_output": (lambda x: x[0] * x, lambda v: v, [1.0, 2.0], [26.0, 10.0]),
        "two_outputs": (lambda x: (x[1], x[0] * x), lambda v: (5 * v[0], v), (2.0, [1.0, 2.0]), [26.0, 25.0]),
    },
)
def functional_vjp_gives_value_and_vjp(ad, program, cotangent, value, expected):
    """functional.vjp returns the function's value and the VJP, v times the Jacobian."""
    outputs = ad.functional.vjp(program, ad.array([1.0, 2.0]), cotangent(ad.array([3.0, 10.0])))
    close(outputs, (value, expected))


@behaviour(
    MAY,
    *(
        torch(page, unstated="the pages state what create_graph=True does, and nothing on the default")
        for page in PAGES
    ),
    cases={
        "vjp": (lambda ad, x: ad.functional.vjp(lambda x: x**3, x)[1],),
        "jvp": (lambda ad, x: ad.functional.jvp(lambda x: x**3, x)[1],),
        "jacobian": (lambda ad, x: ad.functional.jacobian(lambda x: x**3, x),),
        "jacobian_vectorized": (lambda ad, x: ad.functional.jacobian(lambda x: x**3, x, vectorize=True),),
        "hessian": (lambda ad, x: ad.functional.hessian(lambda x: x**3, x),),
        "hessian_vectorized": (lambda ad, x: ad.functional.hessian(lambda x: x**3, x, vectorize=True),),
        "hvp": (lambda ad, x: ad.functional.hvp(lambda x: x**3, x)[1],),
        "vhp": (lambda ad, x: ad.functional.vhp(lambda x: x**3, x)[1],),
    },
    aliases=("jacobian create_graph",),
)
def derivatives_do_not_require_grad_without_create_graph(ad, derivative):
    """Without create_graph=True, torch.autograd.functional returns derivatives that do not require grad, unless a
    strategy is "forward-mode"."""
    equal(ad.requires_grad(derivative(ad, ad.leaf(3.0))), False)


@behaviour(
    SHOULD,
    torch("torch.autograd.functional.jacobian", raises=Exception, says="tuple of Tensors"),
    torch("autograd", HIGHER_LEVEL, raises=Exception, says="tuple of Tensors"),
    cases={
        "list_of_inputs": (lambda x: 2 * x, lambda x: [x]),
        "number_as_input": (lambda x: 2 * x, lambda x: 3.0),
        "list_of_outputs": (lambda x: [2 * x], lambda x: x),
        "number_as_output": (lambda x: 7.0, lambda x: x),
    },
    aliases=("must be either a tensor or a tuple of tensors",),
)
def inputs_and_outputs_are_tensors_or_tuples(ad, program, inputs):
    """functional.jacobian raises an error if the inputs or outputs are neither a tensor nor a tuple of tensors."""
    raises(lambda: ad.functional.jacobian(program, inputs(ad.array(3.0))))


@behaviour(
    MAY,
    torch(
        "torch.autograd.functional.vjp",
        unstated="the page does not mention side effects; a changed requires_grad would be one",
    ),
)
def functional_vjp_does_not_change_its_input(ad):
    """functional.vjp does not change an input that does not require grad: afterwards it still does not, and its .grad
    is None."""
    x = ad.array(3.0)
    close(ad.functional.vjp(lambda x: x * x, x), (9.0, 6.0))
    equal((ad.requires_grad(x), ad.gradient_of(x)), (False, None))


@behaviour(MAY, torch("autograd", HIGHER_LEVEL))
def captured_tensors_are_constants(ad):
    """functional.jacobian treats a tensor that the function captures as a constant."""
    x, factor = ad.array([1.0, 2.0]), ad.leaf([3.0, 4.0])
    close(ad.functional.jacobian(lambda x: x * factor, x), [[3.0, 0.0], [0.0, 4.0]])
    equal(ad.gradient_of(factor), None)


@behaviour(
    MUST,
    *(torch(f"torch.autograd.functional.{name}") for name in ("vjp", "jvp", "hvp", "vhp")),
    cases={
        "vjp": (lambda ad, *given: ad.functional.vjp(*given, create_graph=True), 18.0),
        "jvp": (lambda ad, *given: ad.functional.jvp(*given, create_graph=True), 18.0),
        "hvp": (lambda ad, *given: ad.functional.hvp(*given, create_graph=True), 6.0),
        "vhp": (lambda ad, *given: ad.functional.vhp(*given, create_graph=True), 6.0),
    },
)
def create_graph_makes_both_outputs_differentiable(ad, product, expected):
    """With create_graph=True both outputs of functional.vjp, jvp, hvp and vhp, here for x³, can be differentiated with
    respect to an input that requires grad."""
    x = ad.leaf(3.0)
    value, derivative = product(ad, lambda x: x**3, x, ad.array(1.0))
    close((ad.grad_of(value, x, retain_graph=True), ad.grad_of(derivative, x)), ((27.0,), (expected,)))


@behaviour(
    MUST,
    torch("torch.autograd.functional.jacobian"),
    torch("torch.autograd.functional.hessian"),
    cases={
        "jacobian": (lambda ad, *given: ad.functional.jacobian(*given, create_graph=True), 18.0),
        "all_rows": (lambda ad, *given: ad.functional.jacobian(*given, create_graph=True, vectorize=True), 18.0),
        "strict": (lambda ad, *given: ad.functional.jacobian(*given, create_graph=True, strict=True), 18.0),
        "hessian": (lambda ad, *given: ad.functional.hessian(*given, create_graph=True), 6.0),
        "hessian_all_rows": (lambda ad, *given: ad.functional.hessian(*given, create_graph=True, vectorize=True), 6.0),
    },
)
def a_jacobian_can_be_asked_for_with_a_graph(ad, derivative, expected):
    """With create_graph=True the results of functional.jacobian and hessian, here for x³, can be differentiated with
    respect to an input that requires grad."""
    x = ad.leaf(3.0)
    close(ad.grad_of(derivative(ad, lambda x: x**3, x), x), (expected,))


@behaviour(MUST, torch("torch.autograd.functional.vjp"))
def the_vjp_has_the_structure_of_the_inputs(ad):
    """The VJP that functional.vjp returns has the structure of the inputs: a tuple for a tuple of inputs."""
    point = (ad.array([1.0, 2.0]), ad.array([3.0, 4.0]))
    outputs = ad.functional.vjp(lambda x, y: 2 * x + 3 * y, point, ad.array([1.0, 10.0]))
    close(outputs, ([11.0, 16.0], ([2.0, 20.0], [3.0, 30.0])))


@behaviour(
    SHOULD,
    torch("torch.autograd.functional.vjp", raises=Exception, says="v can only be None"),
    cases={"two_elements": (lambda x: x * x, [1.0, 2.0]), "two_arrays": (lambda x: (2 * x, 3 * x), 5.0)},
    aliases=("the vector v can only be none if",),
)
def functional_vjp_needs_v_for_several_outputs(ad, program, at):
    """functional.vjp without v raises an error if the output has several elements, or is a tuple of several tensors."""
    raises(lambda: ad.functional.vjp(program, ad.array(at)))


@behaviour(MUST, torch("torch.autograd.functional.vjp"))
def functional_vjp_defaults_to_one_for_a_scalar(ad):
    """In functional.vjp, v is optional for a real output of one element, and defaults to 1."""
    close(ad.functional.vjp(lambda x: x[0] * x[1], ad.array([2.0, 3.0])), (6.0, [3.0, 2.0]))


@behaviour(
    SHOULD,
    torch("torch.autograd.functional.vjp", raises=Exception, says=": should be"),
    cases={
        "another_size": (lambda x: x * x, lambda v: v[:1]),
        "two_for_one": (lambda x: (x * x,), lambda v: (v, v)),
    },
)
def functional_vjp_checks_v(ad, program, wrong):
    """functional.vjp raises an error if v differs from the output in size, or in the number of tensors."""
    v = ad.array([1.0, 10.0])
    raises(lambda: ad.functional.vjp(program, ad.array([1.0, 2.0]), wrong(v)))


@behaviour(MAY, torch("torch.autograd.functional.vjp"))
def create_graph_accepts_inputs_without_requires_grad(ad):
    """functional.vjp accepts create_graph=True also for an input that does not require grad."""
    close(ad.functional.vjp(lambda x: x**3, ad.array(2.0), ad.array(1.0), create_graph=True), (8.0, 12.0))
