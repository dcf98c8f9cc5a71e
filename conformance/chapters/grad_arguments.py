"""Arguments of grad: inputs, grad_outputs, unused inputs (allow_unused, materialize_grads), and non-leaves."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, document, jax, torch, torch_func
from conformance.expect import close, equal, raises, warns


@behaviour(
    MAY, torch("torch.autograd.grad", unstated="the signature alone has it: -> tuple[Tensor, ...]"), document("000")
)
def gradients_come_as_a_tuple(ad):
    """torch.autograd.grad returns a tuple of gradients, in the order of a list of inputs, or for a single tensor."""
    x, y = ad.leaf(3.0), ad.leaf(2.0)
    equal(type(ad.grad_of(2 * x, x)), tuple)
    close(ad.grad_of(5 * x + 7 * y, [y, x]), (7.0, 5.0))


@behaviour(MUST, torch("torch.autograd.grad"), document("000"), aliases=("gradient of an intermediate variable",))
def a_non_leaf_can_be_an_input_of_grad(ad):
    """grad returns the gradient with respect to a non-leaf, alone or beside its leaf a: for sum(c²) with c = a * b they
    are 2c and 2bc."""
    a, b = ad.leaf([1.0, 2.0, 3.0]), ad.array([0.5, 0.5, 2.0])
    c = a * b
    close(ad.grad_of(ad.np.sum(c * c), c, retain_graph=True), ([1.0, 2.0, 12.0],))
    close(ad.grad_of(ad.np.sum(c * c), [c, a]), ([1.0, 2.0, 12.0], [0.5, 1.0, 24.0]))


@behaviour(
    MUST,
    torch("torch.Tensor.is_leaf"),
    torch("torch.Tensor.requires_grad"),
    torch("torch.Tensor.backward"),
    document("000"),
    aliases=("the .grad attribute of a tensor that is not a leaf tensor",),
)
def backward_does_not_populate_a_non_leaf(ad):
    """backward() does not populate the .grad of a non-leaf, although it requires grad, unless retain_grad() was called
    or `inputs` names it."""
    a = ad.leaf([1.0, 1.0])
    c = a * ad.leaf([0.5, 0.25])
    ad.backward(ad.np.sum(c))
    equal((ad.requires_grad(c), ad.gradient_of(c)), (True, None))
    close(ad.gradient_of(a), [0.5, 0.25])


@behaviour(MUST, torch("torch.Tensor.retain_grad"), aliases=("retain_grad intermediate",))
def retain_grad_populates_a_non_leaf(ad):
    """After retain_grad(), backward() populates the .grad of a non-leaf."""
    c = ad.leaf([1.0, 1.0]) * ad.leaf([0.5, 0.5])
    ad.retain_gradient_(c)
    ad.backward(ad.np.sum(3 * c))
    close(ad.gradient_of(c), [3.0, 3.0])


@behaviour(
    MUST,
    torch("torch.autograd.grad", raises=Exception, says="not have been used in the graph"),
    document("000"),
    aliases=("appears to not have been used in the graph",),
)
def an_unused_input_raises_an_error(ad):
    """By default (allow_unused=False), grad raises an error for an input that was not used to compute the outputs."""
    x, unused, y = ad.leaf(3.0), ad.leaf(2.0), ad.leaf(5.0)
    raises(lambda: ad.grad_of(x * y, [x, unused, y]))


@behaviour(MUST, torch("torch.autograd.grad"), aliases=("none vs zero",))
def allow_unused_gives_none_for_an_unused_input(ad):
    """With allow_unused=True and the default materialize_grads=False, the gradient of an unused input is None; that of
    an input multiplied by zero is 0."""
    x, y, unused = ad.leaf(3.0), ad.leaf(4.0), ad.leaf(2.0)
    close(ad.grad_of(x * x + 0 * y, [x, unused, y], allow_unused=True), (6.0, None, 0.0))


@behaviour(MUST, torch("torch.autograd.grad"), document("004"), aliases=("only_inputs",))
def only_inputs_is_ignored(ad):
    """The argument only_inputs=False of grad is ignored: nothing is accumulated into the .grad of other leaves."""
    x, y = ad.leaf(3.0), ad.leaf(2.0)
    close(ad.grad_of(x * y, x, only_inputs=False), (2.0,))
    equal(ad.gradient_of(y), None)


@behaviour(SHOULD, torch("torch.autograd.grad", warns=Warning, says="only_inputs"), document("004"))
def only_inputs_is_deprecated(ad):
    """grad(only_inputs=False) warns that the argument is deprecated."""
    x = ad.leaf(3.0)
    warns(lambda: ad.grad_of(x * x, x, only_inputs=False))


@behaviour(
    MUST,
    torch("torch.autograd.grad"),
    cases={"leaf": (lambda x: x,), "result": (lambda x: 2 * x,)},
)
def the_gradient_of_an_array_with_respect_to_itself_is_one(ad, program):
    """grad(y, y) is 1: the gradient of a scalar with respect to itself, for a leaf and for a non-leaf."""
    y = program(ad.leaf(3.0))
    close(ad.grad_of(y, y), (1.0,))


@behaviour(MUST, torch("torch.autograd.grad"))
def gradients_of_several_outputs_add_up(ad):
    """grad of several outputs returns, for each input, the sum of their gradients."""
    x, y = ad.leaf(3.0), ad.leaf(2.0)
    close(ad.grad_of([x * y, 5 * x], [x, y]), (7.0, 3.0))


@behaviour(MUST, torch("torch.autograd.grad"), aliases=("zeros instead of none",))
def materialize_grads_gives_zeros_for_an_unused_input(ad):
    """With materialize_grads=True, and allow_unused not given, an unused input is allowed, and its gradient is zeros of
    its shape."""
    x, unused, y = ad.leaf(3.0), ad.leaf([1.0, 2.0]), ad.leaf([5.0, 7.0, 9.0])
    gradients = ad.grad_of(x * ad.np.sum(y), [x, unused, y], materialize_grads=True)
    close(gradients, (21.0, [0.0, 0.0], [3.0, 3.0, 3.0]))


@behaviour(MUST, torch("torch.autograd.grad", raises=Exception, says="allow_unused"))
def materialize_grads_without_allow_unused_raises_an_error(ad):
    """grad(materialize_grads=True, allow_unused=False) raises an error."""
    x = ad.leaf(3.0)
    close(ad.grad_of(2 * x, x, materialize_grads=True, allow_unused=True), (2.0,))
    raises(lambda: ad.grad_of(2 * x, x, materialize_grads=True, allow_unused=False))


@behaviour(
    MAY,
    torch(
        "torch.autograd.grad",
        raises=Exception,
        says="cannot be empty",
        unstated="only the message of the error states it",
    ),
)
def an_empty_list_of_inputs_raises_an_error(ad):
    """grad with an empty list of inputs raises an error."""
    x = ad.leaf(3.0)
    raises(lambda: ad.grad_of(2 * x, []))


@behaviour(
    MAY,
    torch(
        "torch.autograd.grad",
        raises=Exception,
        says="differentiated Tensors",
        unstated="only the message of the error states it",
    ),
    aliases=("one of the differentiated tensors does not require grad",),
)
def an_input_without_requires_grad_raises_an_error(ad):
    """grad with respect to an input that does not require grad raises an error."""
    x, c = ad.leaf(3.0), ad.array(2.0)
    raises(lambda: ad.grad_of(x * c, c))


@behaviour(SHOULD, torch("torch.autograd.grad", raises=Exception, says="1 gradients"), aliases=("grad_outputs length",))
def too_few_grad_outputs_raise_an_error(ad):
    """grad raises an error if grad_outputs is shorter than the list of outputs."""
    x = ad.leaf(3.0)
    raises(lambda: ad.grad_of([2 * x, 3 * x], x, [ad.array(1.0)]))


@behaviour(
    MUST,
    torch("torch.autograd.grad"),
    torch_func("torch.func.grad"),
    jax("jax.grad"),
    cases={"together": ((0, 1), (7.0, 2.0)), "first": ((0,), (7.0,)), "second": ((1,), (2.0,))},
)
def gradients_in_one_call_equal_those_of_separate_calls(ad, chosen, expected):
    """grad for several inputs returns the same gradients as one call per input: 7 and 2 for ab + a² at (2, 3)."""
    gradients = ad.grad(lambda a, b: a * b + a**2, argnums=chosen)
    close(gradients(ad.array(2.0), ad.array(3.0)), expected)


@behaviour(MUST, torch("torch.autograd.grad"), torch_func("torch.func.grad"), jax("jax.grad"))
def an_unused_output_contributes_zero(ad):
    """An unused output of a multi-output operation contributes zero: the gradient of 5 * unstack(x)[1] is (0, 5, 0)."""
    gradient = ad.grad(lambda x: 5 * ad.np.unstack(x)[1])
    close(gradient(ad.array([1.0, 2.0, 3.0])), [0.0, 5.0, 0.0])


@behaviour(MUST, torch("torch.autograd.grad"))
def allow_unused_false_accepts_used_inputs(ad):
    """grad(allow_unused=False) returns the gradient of an input that is used."""
    x = ad.leaf(3.0)
    close(ad.grad_of(x * x, x, allow_unused=False), (6.0,))


@behaviour(
    MUST,
    torch("torch.autograd.grad", since="2.13"),
    cases={
        "used": ({}, lambda x, y, z: {"y": y, "x": x}, {"y": 9.0, "x": 12.0}, False),
        "with_a_graph": ({"create_graph": True}, lambda x, y, z: {"y": y, "x": x}, {"y": 9.0, "x": 12.0}, True),
        "unused": (
            {"allow_unused": True},
            lambda x, y, z: {"y": y, "z": z, "x": x},
            {"y": 9.0, "z": None, "x": 12.0},
            False,
        ),
        "zeros": (
            {"materialize_grads": True},
            lambda x, y, z: {"y": y, "z": z, "x": x},
            {"y": 9.0, "z": [0.0, 0.0], "x": 12.0},
            False,
        ),
    },
    aliases=("autograd.grad dict of named_parameters",),
)
def gradients_of_a_dictionary_of_inputs_have_its_keys(ad, options, named, expected, differentiable):
    """grad with a dictionary of inputs returns a dictionary with matching keys: the gradient of each input, which
    requires grad with create_graph=True, or what allow_unused or materialize_grads say for an unused one."""
    x, y, z = ad.leaf(3.0), ad.leaf(2.0), ad.leaf([1.0, 2.0])
    gradients = ad.grad_of(x * x * y, named(x, y, z), **options)
    close(gradients, expected)
    equal((ad.requires_grad(gradients["x"]), ad.requires_grad(gradients["y"])), (differentiable, differentiable))


@behaviour(MUST, torch("torch.autograd.grad"), aliases=("element 1 of tensors does not require grad",))
def none_is_accepted_for_an_output_without_requires_grad(ad):
    """grad accepts None in grad_outputs for an output that does not require grad, and returns the gradient of the
    others."""
    x = ad.leaf(3.0)
    close(ad.grad_of([x * x, ad.array([1.0, 2.0])], x, [ad.array(10.0), None]), (60.0,))


@behaviour(SHOULD, torch("torch.autograd.grad", raises=Exception, says="tensors and 2 gradients"))
def too_many_grad_outputs_raise_an_error(ad):
    """grad raises an error if grad_outputs is longer than the list of outputs."""
    x = ad.leaf(3.0)
    y, first, second = x * x, ad.array(10.0), ad.array(3.0)
    raises(lambda: ad.grad_of([y], x, [first, second]))


@behaviour(MAY, torch("torch.autograd.grad"))
def zeros_of_materialize_grads_can_be_differentiated(ad):
    """With create_graph=True and materialize_grads=True, the zeros for an unused input can be differentiated again:
    with materialize_grads=True, their gradients are zero."""
    x, unused = ad.leaf(3.0), ad.leaf([1.0, 2.0])
    _, zeros = ad.grad_of(x**3, [x, unused], create_graph=True, materialize_grads=True)
    close(zeros, [0.0, 0.0])
    close(ad.grad_of(ad.np.sum(zeros), [x, unused], materialize_grads=True), (0.0, [0.0, 0.0]))


@behaviour(MUST, torch("torch.autograd.grad"))
def gradients_of_several_outputs_can_be_differentiated(ad):
    """With create_graph=True the sum of the gradients of several outputs can be differentiated: for x²y and 5x² it is
    2xy + 10x, whose gradients are 2y + 10 and 2x."""
    x, y = ad.leaf(3.0), ad.leaf(2.0)
    (gradient,) = ad.grad_of([x * x * y, 5 * x * x], x, create_graph=True)
    close(gradient, 42.0)
    close(ad.grad_of(gradient, [x, y]), (14.0, 6.0))


@behaviour(MUST, torch("torch.autograd.grad"))
def none_and_a_tensor_can_be_mixed_in_grad_outputs(ad):
    """grad_outputs can mix None, for a scalar output, with tensors for outputs before and after it."""
    x = ad.leaf([1.0, 2.0])
    outputs = [2 * x, ad.np.sum(x * x), 3 * x]
    close(ad.grad_of(outputs, x, [ad.array([1.0, 10.0]), None, ad.array([100.0, 1000.0])]), ([304.0, 3024.0],))
