"""Arguments of grad: gradients asked for by name, of any array in the graph, and of arrays outside it."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, document, jax, torch, torch_func
from conformance.expect import close, equal, raises, warns


@behaviour(MUST, torch("torch.autograd.grad"), document("000"))
def gradients_come_as_a_tuple(ad):
    """The gradients asked for come as a tuple, in the order of the inputs, even if there is only one."""
    x = ad.leaf([1.0, 1.0])
    equal(type(ad.grad_of(ad.np.sum(x * 2), x)), tuple)


@behaviour(MUST, torch("torch.autograd.grad"), document("000"))
def a_result_can_be_asked_for_its_gradient(ad):
    """The gradient of a result half-way through the computation can be asked for."""
    a, b = ad.leaf([1.0, 1.0, 1.0]), ad.leaf([0.5, 0.5, 0.5])
    c = a * b
    close(ad.grad_of(ad.np.sum(c), c), ([1.0, 1.0, 1.0],))


@behaviour(MUST, torch("torch.Tensor.is_leaf"), document("000"))
def a_result_keeps_no_gradient(ad):
    """Backward passes through a result without leaving a gradient there."""
    c = ad.leaf([1.0, 1.0]) * ad.leaf([0.5, 0.5])
    ad.backward(ad.np.sum(c))
    equal(ad.gradient_of(c), None)


@behaviour(MUST, torch("torch.Tensor.retain_grad"))
def a_result_can_be_told_to_keep_its_gradient(ad):
    """A result that was asked to retain its gradient has it after backward."""
    c = ad.leaf([1.0, 1.0]) * ad.leaf([0.5, 0.5])
    ad.retain_gradient_(c)
    ad.backward(ad.np.sum(3 * c))
    close(ad.gradient_of(c), [3.0, 3.0])


@behaviour(
    MUST,
    torch("torch.autograd.grad", raises=RuntimeError, says="not have been used in the graph"),
    document("000"),
)
def an_unused_input_is_refused(ad):
    """By default an input that the output does not depend on is refused."""
    x, unused = ad.leaf(3.0), ad.leaf(2.0)
    raises(lambda: ad.grad_of(x * x, [x, unused]))


@behaviour(MUST, torch("torch.autograd.grad"), document("000"))
def an_unused_input_may_be_allowed(ad):
    """Where unused inputs are allowed, such an input has no gradient: None, and not zero."""
    x, unused = ad.leaf(3.0), ad.leaf(2.0)
    close(ad.grad_of(x * x, [x, unused], allow_unused=True), (6.0, None))


@behaviour(MUST, torch("torch.autograd.grad"), document("000", until="1.9"))
def only_inputs_is_ignored(ad):
    """False for only_inputs is ignored, as documented since 1.10, and no longer accumulates into other leaves."""
    x, y = ad.leaf(3.0), ad.leaf(2.0)
    close(ad.grad_of(x * y, x, only_inputs=False), (2.0,))
    equal(ad.gradient_of(y), None)


@behaviour(SHOULD, torch("torch.autograd.grad", warns=Warning, says="only_inputs"), document("004"))
def only_inputs_is_deprecated(ad):
    """Giving only_inputs, which is ignored, warns that it is deprecated."""
    x = ad.leaf(3.0)
    warns(lambda: ad.grad_of(x * x, x, only_inputs=False))


@behaviour(
    MUST,
    torch("torch.autograd.grad"),
    cases={"leaf": (lambda x: x,), "result": (lambda x: 2 * x,)},
)
def the_gradient_of_an_array_by_itself_is_one(ad, program):
    """The gradient of an array with respect to itself is one."""
    y = program(ad.leaf(3.0))
    close(ad.grad_of(y, y), (1.0,))


@behaviour(MUST, torch("torch.autograd.grad"))
def gradients_of_several_outputs_add_up(ad):
    """The gradients of several outputs are summed for each input."""
    x, y = ad.leaf(3.0), ad.leaf(2.0)
    close(ad.grad_of([x * y, 5 * x], [x, y]), (7.0, 3.0))


@behaviour(MUST, torch("torch.autograd.grad"))
def unused_inputs_may_be_filled_with_zeros(ad):
    """Where zeros are asked for, an unused input is allowed and has a gradient of zeros, of its shape and dtype."""
    x, unused = ad.leaf(3.0), ad.leaf([1.0, 2.0], "float32")
    gradient, zeros = ad.grad_of(2 * x, [x, unused], materialize_grads=True)
    close(gradient, 2.0)
    close(zeros, [0.0, 0.0], dtype="float32")
    equal(ad.dtype_of(zeros), "float32")


@behaviour(MUST, torch("torch.autograd.grad", raises=ValueError, says="allow_unused"))
def materialising_allows_unused_inputs(ad):
    """Asking for zeros and forbidding unused inputs in one call is refused."""
    x = ad.leaf(3.0)
    raises(lambda: ad.grad_of(2 * x, x, materialize_grads=True, allow_unused=False))


@behaviour(MAY, torch("torch.autograd.grad", raises=RuntimeError, says="cannot be empty"))
def an_empty_list_of_inputs_has_no_gradient(ad):
    """Asking for the gradients of no inputs is refused."""
    x = ad.leaf(3.0)
    raises(lambda: ad.grad_of(2 * x, []))


@behaviour(MAY, torch("torch.autograd.grad", raises=RuntimeError, says="does not require grad"))
def a_plain_input_is_refused(ad):
    """Asking for the gradient of an array that does not require grad is refused."""
    x, plain = ad.leaf(3.0), ad.array(2.0)
    raises(lambda: ad.grad_of(x * plain, plain))


@behaviour(MUST, torch("torch.autograd.grad", raises=RuntimeError, says="2 tensors and 1 gradients"))
def too_few_gradients_are_refused(ad):
    """A list of weights that is shorter than that of the outputs is refused when gradients are asked for."""
    x = ad.leaf(3.0)
    raises(lambda: ad.grad_of([2 * x, 3 * x], x, [ad.array(1.0)]))


@behaviour(MUST, torch("torch.autograd.grad"))
def no_gradient_is_not_zero(ad):
    """A gradient that is zero and no gradient are told apart: zero times x has the one, an unused array the other."""
    x, unused = ad.leaf(3.0), ad.leaf(2.0)
    close(ad.grad_of(0 * x, [x, unused], allow_unused=True), (0.0, None))


@behaviour(
    MUST,
    torch("torch.autograd.grad"),
    torch_func("torch.func.grad"),
    jax("jax.grad"),
    cases={"together": ((0, 1), (7.0, 2.0)), "first": ((0,), (7.0,)), "second": ((1,), (2.0,))},
)
def gradients_asked_together_equal_those_asked_apart(ad, chosen, expected):
    """The gradients for several inputs are those that each has by itself: of a b + a^2 at (2, 3) they are 7 and 2."""
    gradients = ad.grad(lambda a, b: a * b + a**2, argnums=chosen)
    close(gradients(ad.array(2.0), ad.array(3.0)), expected)


@behaviour(MUST, torch("torch.autograd.grad"), torch_func("torch.func.grad"), jax("jax.grad"))
def an_output_that_got_no_gradient_counts_as_zero(ad):
    """An unused output of an operation with several outputs counts as having a gradient of zero."""
    gradient = ad.grad(lambda x: 5 * ad.np.unstack(x)[1])
    close(gradient(ad.array([1.0, 2.0, 3.0])), [0.0, 5.0, 0.0])


@behaviour(MUST, torch("torch.autograd.grad"))
def forbidding_unused_inputs_spares_the_used_ones(ad):
    """Where unused inputs are forbidden expressly, one that is used has its gradient as ever."""
    x = ad.leaf(3.0)
    close(ad.grad_of(x * x, x, allow_unused=False), (6.0,))
