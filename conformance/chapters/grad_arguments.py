"""Arguments of grad: gradients asked for by name, of any array in the graph, and of arrays outside it."""

from conformance.behaviour import MUST, SHOULD, behaviour, document, torch
from conformance.expect import close, equal, refuses, warns


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
    refuses(lambda: ad.grad_of(x * x, [x, unused]))


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
    """Giving the argument that is ignored warns that it is deprecated."""
    x = ad.leaf(3.0)
    warns(lambda: ad.grad_of(x * x, x, only_inputs=False))
