"""Parameters: leaves that a module learns, and the ways in which one loses them."""

from conformance.behaviour import MUST, behaviour, document, torch
from conformance.expect import close, equal, warns


@behaviour(
    MUST,
    torch("torch.nn.parameter.Parameter"),
    torch("notes/autograd", "Setting requires_grad"),
    document("002"),
)
def a_parameter_requires_grad_by_default(ad):
    """A parameter requires grad, although the array that it was made from does not."""
    equal(ad.requires_grad(ad.parameter(ad.array([1.0, 2.0]))), True)


@behaviour(MUST, torch("torch.nn.parameter.Parameter"))
def a_parameter_can_be_made_without_the_flag(ad):
    """A parameter can be asked not to require grad from the start."""
    equal(ad.requires_grad(ad.parameter(ad.array([1.0, 2.0]), requires_grad=False)), False)


@behaviour(MUST, torch("torch.Tensor.is_leaf"), document("002"))
def a_parameter_rebound_to_a_result_gets_none(ad):
    """A parameter whose name is bound to its own double is a result: backward leaves it without a gradient."""
    p = ad.parameter(ad.array([1.0, 2.0]))
    p = p * 2
    ad.backward(ad.np.sum(p))
    equal(ad.gradient_of(p), None)


@behaviour(MUST, torch("torch.Tensor.is_leaf", warns=UserWarning, says="not a leaf"), document("002"))
def reading_the_gradient_of_a_rebound_name_warns(ad):
    """Once a parameter's name is rebound to its double, reading the gradient warns that the double is not a leaf."""
    p = ad.parameter(ad.array([1.0, 2.0]))
    p = p * 2
    warns(lambda: ad.gradient_of(p))


@behaviour(MUST, torch("torch.Tensor.is_leaf"), document("002"))
def a_result_under_another_name_spares_the_parameter(ad):
    """A parameter whose double is bound to another name is still a leaf: it receives the gradient 2."""
    p = ad.parameter(ad.array([1.0, 2.0]))
    doubled = p * 2
    ad.backward(ad.np.sum(doubled))
    close(ad.gradient_of(p), [2.0, 2.0])


@behaviour(MUST, torch("torch.Tensor.is_leaf"), document("002"))
def a_reshaped_parameter_keeps_no_gradient(ad):
    """A parameter reshaped after wrapping is a result, and keeps no gradient."""
    reshaped = ad.view(ad.parameter(ad.array([[1.0], [2.0]])), (1, 2))
    ad.backward(ad.np.sum(reshaped))
    equal(ad.gradient_of(reshaped), None)


@behaviour(MUST, torch("torch.Tensor.view"), document("002"))
def the_parameter_behind_a_reshape_has_the_gradient(ad):
    """Through a reshape the gradient reaches the parameter, in the parameter's own shape."""
    p = ad.parameter(ad.array([[1.0], [2.0]]))
    ad.backward(ad.np.sum(ad.view(p, (1, 2))))
    close(ad.gradient_of(p), [[1.0], [1.0]])


@behaviour(MUST, torch("torch.nn.parameter.Parameter"), document("002"))
def a_parameter_wrapped_after_reshaping_is_a_leaf(ad):
    """A parameter made from an array that was reshaped before is a leaf, with a gradient of the new shape."""
    p = ad.parameter(ad.view(ad.array([[1.0], [2.0]]), (1, 2)))
    ad.backward(ad.np.sum(p))
    close(ad.gradient_of(p), [[1.0, 1.0]])
