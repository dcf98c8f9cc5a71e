"""Parameters: leaves that require grad by default, while what is computed from one is a non-leaf."""

from conformance.behaviour import MUST, behaviour, document, torch
from conformance.expect import close, equal


@behaviour(
    MUST,
    torch("torch.nn.parameter.Parameter"),
    torch("notes/autograd", "Setting requires_grad"),
)
def a_parameter_requires_grad_by_default(ad):
    """A Parameter requires grad by default, although the tensor that it is made from does not."""
    equal(ad.requires_grad(ad.parameter(ad.array([1.0, 2.0]))), True)


@behaviour(MUST, torch("torch.nn.parameter.Parameter"), aliases=("freeze parameter",))
def a_parameter_can_be_made_without_requires_grad(ad):
    """A Parameter made with requires_grad=False does not require grad."""
    equal(ad.requires_grad(ad.parameter(ad.array([1.0, 2.0]), requires_grad=False)), False)


@behaviour(MUST, torch("torch.Tensor.is_leaf"), document("002"), aliases=("nn.parameter gradient is none",))
def a_rebound_parameter_has_no_gradient(ad):
    """For a Parameter p that requires grad, after p = p * 2 the name p holds a non-leaf tensor: by default backward()
    leaves its `.grad` None."""
    p = ad.parameter(ad.array([1.0, 2.0]))
    p = p * 2
    ad.backward(ad.np.sum(p))
    equal(ad.is_leaf(p), False)
    equal(ad.gradient_of(p), None)


@behaviour(MUST, torch("torch.Tensor.is_leaf"), document("002"))
def a_product_under_another_name_leaves_the_parameter_a_leaf(ad):
    """After q = p * 2 a Parameter p that requires grad is still a leaf: backward() of the sum of q stores the gradient
    2 in p.grad."""
    p = ad.parameter(ad.array([1.0, 2.0]))
    doubled = p * 2
    equal(ad.is_leaf(p), True)
    ad.backward(ad.np.sum(doubled))
    close(ad.gradient_of(p), [2.0, 2.0])


@behaviour(MUST, torch("torch.Tensor.is_leaf"), document("002"), aliases=("param.grad is none after reshape",))
def a_view_of_a_parameter_has_no_gradient(ad):
    """In grad mode a view of a Parameter that requires grad is a non-leaf tensor: by default backward() leaves the
    view's `.grad` None."""
    reshaped = ad.view(ad.parameter(ad.array([[1.0], [2.0]])), (1, 2))
    ad.backward(ad.np.sum(reshaped))
    equal(ad.is_leaf(reshaped), False)
    equal(ad.gradient_of(reshaped), None)


@behaviour(MUST, torch("torch.Tensor.is_leaf"), torch("torch.Tensor.backward"))
def the_parameter_behind_a_view_has_the_gradient(ad):
    """Through a view the gradient is accumulated in the Parameter, in the Parameter's shape."""
    p = ad.parameter(ad.array([[1.0], [2.0]]))
    ad.backward(ad.view(p, (1, 2)), ad.array([[3.0, 5.0]]))
    close(ad.gradient_of(p), [[3.0], [5.0]])


@behaviour(MUST, torch("torch.Tensor.is_leaf"), document("002"))
def a_parameter_wrapped_after_reshaping_is_a_leaf(ad):
    """A Parameter made from a tensor that was reshaped before is a leaf, with a gradient of the new shape."""
    p = ad.parameter(ad.view(ad.array([[1.0], [2.0]]), (1, 2)))
    ad.backward(p, ad.array([[3.0, 5.0]]))
    equal(ad.is_leaf(p), True)
    close(ad.gradient_of(p), [[3.0, 5.0]])


@behaviour(MUST, torch("torch.nn.utils.parametrize.register_parametrization"), aliases=("reparametrize a weight",))
def backward_differentiates_through_a_parametrization(ad):
    """backward() differentiates through the parametrization of a weight: the original w of w² gets 2w times the
    gradient of w²."""
    layer = ad.linear([[3.0]])
    original = ad.attribute_of(layer, "weight")
    ad.parametrize_(layer, "weight", lambda w: w * w)
    ad.backward(ad.np.sum(layer(ad.array([[5.0]]))))
    close(ad.gradient_of(original), [[30.0]])
