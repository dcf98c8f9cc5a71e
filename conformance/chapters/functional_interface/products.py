"""The functional interface: derivatives of a function at a point, in one call."""

from conformance.behaviour import MUST, behaviour, document, torch
from conformance.expect import close, equal, raises


@behaviour(MUST, torch("torch.autograd.functional.jacobian"), document("004"))
def functional_jacobian_has_outputs_before_inputs(ad):
    """The Jacobian comes as a matrix at once, with a row for each output and a column for each input."""
    jacobian = ad.functional.jacobian(lambda x: ad.np.stack([x[0] * x[1], x[0] * x[0]]), ad.array([1.0, 2.0]))
    close(jacobian, [[2.0, 1.0], [2.0, 0.0]])


@behaviour(MUST, torch("torch.autograd.functional.hessian"), document("004"))
def functional_hessian_holds_second_derivatives(ad):
    """The second derivatives come as a matrix at once, and not as a function: x^2 y at (1, 2) has ((4, 2), (2, 0))."""
    close(ad.functional.hessian(lambda x: x[0] ** 2 * x[1], ad.array([1.0, 2.0])), [[4.0, 2.0], [2.0, 0.0]])


@behaviour(MUST, torch("torch.autograd.functional.vjp"), document("004"))
def functional_vjp_gives_value_and_gradient(ad):
    """The value of a function comes with v times its Jacobian."""
    outputs = ad.functional.vjp(lambda x: x * x, ad.array([1.0, 2.0]), ad.array([3.0, 10.0]))
    close(outputs, ([1.0, 4.0], [6.0, 40.0]))


@behaviour(MUST, torch("torch.autograd.functional.jacobian"))
def functional_results_stand_outside_the_graph(ad):
    """Unless a graph of it is asked for, a Jacobian does not require grad, although its point does."""
    equal(ad.requires_grad(ad.functional.jacobian(lambda x: x * x, ad.leaf([1.0, 2.0]))), False)


@behaviour(MUST, torch("torch.autograd.functional.vjp"))
def functional_vjp_stands_outside_the_graph(ad):
    """Unless a graph of it is asked for, v times the Jacobian does not require grad, although the point does."""
    _, gradient = ad.functional.vjp(lambda x: x * x, ad.leaf([1.0, 2.0]), ad.array([1.0, 1.0]))
    equal(ad.requires_grad(gradient), False)


@behaviour(MUST, torch("torch.autograd.functional.hessian"))
def functional_hessian_stands_outside_the_graph(ad):
    """Unless a graph of it is asked for, a Hessian does not require grad, although its point does."""
    equal(ad.requires_grad(ad.functional.hessian(lambda x: ad.np.sum(x**3), ad.leaf([1.0, 2.0]))), False)


@behaviour(
    MUST,
    torch("torch.autograd.functional.jacobian", raises=TypeError, says="Tensor or a tuple of Tensors"),
    cases={
        "list_of_inputs": (lambda x: 2 * x, lambda x: [x]),
        "number_as_input": (lambda x: 2 * x, lambda x: 3.0),
        "list_of_outputs": (lambda x: [2 * x], lambda x: x),
        "number_as_output": (lambda x: 7.0, lambda x: x),
    },
)
def inputs_are_an_array_or_a_tuple(ad, program, inputs):
    """Anything but an array or a tuple of arrays is refused, as input and as output."""
    raises(lambda: ad.functional.jacobian(program, inputs(ad.array(3.0))))


@behaviour(MUST, torch("torch.autograd.functional.vjp"))
def the_point_is_left_as_it_is(ad):
    """The array that is given as the point does not require grad afterwards, and stores no gradient."""
    x = ad.array(3.0)
    close(ad.functional.vjp(lambda x: x * x, x), (9.0, 6.0))
    equal((ad.requires_grad(x), ad.gradient_of(x)), (False, None))


@behaviour(MUST, torch("autograd", "Functional higher level API"))
def captured_arrays_are_constants(ad):
    """An array that the function captures is a constant, even one that requires grad: it gets no gradient."""
    x, factor = ad.array([1.0, 2.0]), ad.leaf([3.0, 4.0])
    close(ad.functional.jacobian(lambda x: x * factor, x), [[3.0, 0.0], [0.0, 4.0]])
    equal(ad.gradient_of(factor), None)


@behaviour(MUST, torch("torch.autograd.functional.vjp"))
def results_can_be_asked_for_with_a_graph(ad):
    """With a graph, value and derivative can be differentiated: those of x^3 at 3 have the derivatives 27 and 18."""
    x = ad.leaf(3.0)
    value, derivative = ad.functional.vjp(lambda x: x**3, x, ad.array(1.0), create_graph=True)
    close((ad.grad_of(value, x, retain_graph=True), ad.grad_of(derivative, x)), ((27.0,), (18.0,)))


@behaviour(MUST, torch("torch.autograd.functional.vjp"))
def functional_vjp_follows_its_inputs(ad):
    """The product of v and the Jacobian has the structure of the inputs: of 2x + 3y, a part for x and one for y."""
    point = (ad.array([1.0, 2.0]), ad.array([3.0, 4.0]))
    outputs = ad.functional.vjp(lambda x, y: 2 * x + 3 * y, point, ad.array([1.0, 10.0]))
    close(outputs, ([11.0, 16.0], ([2.0, 20.0], [3.0, 30.0])))


@behaviour(MUST, torch("torch.autograd.functional.vjp", raises=RuntimeError, says="can only be None if"))
def functional_vjp_needs_v_for_several_outputs(ad):
    """Leaving v out is refused where the output has more than one element."""
    raises(lambda: ad.functional.vjp(lambda x: x * x, ad.array([1.0, 2.0])))


@behaviour(MUST, torch("torch.autograd.functional.vjp"))
def functional_vjp_takes_one_for_a_scalar(ad):
    """Where the output has one element, v may be left out, and is one."""
    close(ad.functional.vjp(lambda x: x[0] * x[1], ad.array([2.0, 3.0])), (6.0, [3.0, 2.0]))


@behaviour(
    MUST,
    torch("torch.autograd.functional.vjp", raises=RuntimeError),
    cases={"another_size": (lambda v: v[:1],), "two_for_one": (lambda v: (v, v),)},
)
def functional_vjp_checks_v(ad, wrong):
    """A v that differs from the output in size, or in the number of arrays, is refused."""
    v = ad.array([1.0, 10.0])
    raises(lambda: ad.functional.vjp(lambda x: x * x, ad.array([1.0, 2.0]), wrong(v)))


@behaviour(MUST, torch("torch.autograd.functional.vjp", raises=RuntimeError, says="can only be None if"))
def functional_vjp_needs_v_for_several_arrays(ad):
    """Leaving v out is refused where the output is a tuple of two arrays, although each has one element only."""
    raises(lambda: ad.functional.vjp(lambda x: (2 * x, 3 * x), ad.array(5.0)))


@behaviour(MUST, torch("torch.autograd.functional.vjp"))
def a_plain_point_may_be_asked_for_a_graph(ad):
    """A graph may be asked for at a point that does not require grad, and changes nothing: x^3 at 2 has 8 and 12."""
    close(ad.functional.vjp(lambda x: x**3, ad.array(2.0), ad.array(1.0), create_graph=True), (8.0, 12.0))
