"""Arguments of backward, inputs: which leaves and non-leaves accumulate."""

from conformance.behaviour import MAY, MUST, behaviour, document, torch
from conformance.expect import close, raises


@behaviour(
    MUST,
    torch("torch.Tensor.backward"),
    document("004"),
    cases={
        "by_default": ({},),
        "create_graph": ({"create_graph": True},),
        "retain_graph": ({"retain_graph": True},),
    },
    aliases=("backward only for some parameters",),
)
def inputs_restrict_accumulation(ad, options):
    """backward(inputs=[x]) accumulates into x.grad only; the .grad of other leaves does not change."""
    x, y, z = ad.leaf(3.0), ad.leaf(2.0), ad.leaf(5.0)
    ad.set_gradient_(x, ad.array(100.0))
    ad.set_gradient_(y, ad.array(7.0))
    ad.backward(x * y * z, inputs=[x], **options)
    close((ad.gradient_of(x), ad.gradient_of(y), ad.gradient_of(z)), (110.0, 7.0, None))
    ad.set_gradient_(x, None)


@behaviour(
    MAY,
    torch(
        "torch.Tensor.backward",
        raises=Exception,
        says="cannot be empty",
        unstated="only the message of the error states it",
    ),
    document("004"),
)
def an_empty_list_of_inputs_raises_an_error(ad):
    """backward(inputs=[]) raises an error; an empty list does not mean all leaves."""
    x = ad.leaf(3.0)
    raises(lambda: ad.backward(x * x, inputs=[]))


@behaviour(MUST, torch("torch.Tensor.backward"), document("004"))
def a_non_leaf_can_be_among_the_inputs(ad):
    """backward(inputs=[y]) with a non-leaf y accumulates into y.grad, and not into the leaves."""
    x, w = ad.leaf(3.0), ad.leaf(5.0)
    y = x * 2
    ad.backward(y * y * w, inputs=[y], retain_graph=True)
    ad.backward(7 * y, inputs=[y])
    close((ad.gradient_of(y), ad.gradient_of(x), ad.gradient_of(w)), (67.0, None, None))


@behaviour(MUST, torch("torch.autograd.backward"), aliases=("len() of a 0-d tensor",))
def a_single_input_needs_no_list(ad):
    """torch.autograd.backward with inputs=x accepts a single tensor in place of a list."""
    x, y = ad.leaf(3.0), ad.leaf(2.0)
    ad.backward_of([x * y], inputs=x)
    close((ad.gradient_of(x), ad.gradient_of(y)), (2.0, None))


@behaviour(
    MAY,
    torch(
        "torch.Tensor.backward",
        raises=Exception,
        says="requires_grad",
        unstated="only the message of the error states it",
    ),
)
def an_input_without_requires_grad_raises_an_error(ad):
    """backward(inputs=[c]) raises an error if c does not require grad."""
    x, c = ad.leaf(3.0), ad.array(2.0)
    raises(lambda: ad.backward(x * c, inputs=[c]))


@behaviour(
    MUST,
    torch("torch.Tensor.backward", since="2.13"),
    torch("torch.autograd.backward", since="2.13"),
    cases={
        "method": (lambda ad, output, inputs: ad.backward(output, inputs=inputs),),
        "function": (lambda ad, output, inputs: ad.backward_of([output], inputs=inputs),),
    },
    aliases=("backward inputs named_parameters dict",),
)
def the_inputs_can_be_a_dictionary(ad, walk):
    """backward(inputs={"a": x, "b": z}) accumulates into the .grad of the values of the dictionary only."""
    x, y, z = ad.leaf(3.0), ad.leaf(2.0), ad.leaf(5.0)
    ad.set_gradient_(x, ad.array(100.0))
    walk(ad, x * y * z, {"a": x, "b": z})
    close((ad.gradient_of(x), ad.gradient_of(z), ad.gradient_of(y)), (110.0, 6.0, None))


@behaviour(
    MAY,
    torch(
        "torch.Tensor.backward",
        unstated="the page does not mention repeated inputs; torch.autograd.grad returns the gradient twice",
    ),
)
def an_input_listed_twice_accumulates_once(ad):
    """backward(inputs=[x, x]) adds the gradient to x.grad once."""
    x = ad.leaf(3.0)
    ad.backward(x * x, inputs=[x, x])
    close(ad.gradient_of(x), 6.0)


@behaviour(
    MAY,
    torch(
        "torch.Tensor.backward",
        unstated="the page does not mention unused inputs; torch.autograd.grad raises an error for them",
    ),
    aliases=("backward inputs unused",),
)
def an_unused_input_is_no_error_for_backward(ad):
    """backward(inputs=[z]) raises no error if z was not used to compute the output, and z.grad stays None."""
    x, z = ad.leaf(3.0), ad.leaf(2.0)
    ad.backward(x * x, inputs=[z])
    close((ad.gradient_of(z), ad.gradient_of(x)), (None, None))


@behaviour(MUST, torch("torch.Tensor.backward"))
def a_non_leaf_and_its_leaf_can_both_be_inputs(ad):
    """backward(inputs=[y, x]) with a leaf x and a non-leaf y computed from it accumulates into the .grad of both, and
    not into that of another leaf."""
    x, w = ad.leaf(3.0), ad.leaf(5.0)
    y = x * 2
    ad.backward(y * y * w, inputs=[y, x])
    close((ad.gradient_of(y), ad.gradient_of(x), ad.gradient_of(w)), (60.0, 120.0, None))
