"""Arguments of backward: the weights of the outputs, the choice of inputs, several outputs at once."""

from conformance.behaviour import MUST, SHOULD, behaviour, document, torch
from conformance.expect import close, equal, refuses


@behaviour(
    MUST,
    torch("torch.Tensor.backward", raises=RuntimeError, says="scalar outputs"),
    document("000"),
    document("001"),
)
def a_vector_output_needs_a_gradient_argument(ad):
    """Backward from an output of more than one element is refused unless a gradient is given."""
    x = ad.leaf([1.0, 1.0, 1.0])
    refuses(lambda: ad.backward(x * 2))


@behaviour(
    MUST,
    torch("torch.autograd.backward"),
    document("000"),
    cases={"scalar": (3.0, 6.0), "vector": ([3.0], [6.0]), "matrix": ([[3.0]], [[6.0]])},
)
def one_element_needs_no_gradient_argument(ad, value, expected):
    """An output of exactly one element, whatever its number of dimensions, needs no gradient argument."""
    x = ad.leaf(value)
    ad.backward(x * x)
    close(ad.gradient_of(x), expected)


@behaviour(MUST, torch("torch.Tensor.backward"), document("000"), document("001"))
def a_gradient_of_ones_sums_the_output(ad):
    """A vector output can be differentiated when a gradient of its shape is given; ones give that of the sum."""
    x = ad.leaf([1.0, 1.0])
    ad.backward(x + 2, ad.array([1.0, 1.0]))
    close(ad.gradient_of(x), [1.0, 1.0])


@behaviour(MUST, torch("torch.Tensor.backward"), document("000"))
def the_gradient_argument_weights_the_output(ad):
    """Backward with the gradient v is backward from the sum of v times the output."""
    x = ad.leaf([1.0, 2.0])
    ad.backward(x * x, ad.array([3.0, 10.0]))
    close(ad.gradient_of(x), [6.0, 40.0])


@behaviour(MUST, torch("torch.Tensor.backward"), document("001"))
def a_scalar_is_weighted_by_one(ad):
    """Backward from a scalar equals backward with the gradient one."""
    x, y = ad.leaf(3.0), ad.leaf(3.0)
    ad.backward(x * x)
    ad.backward(y * y, ad.array(1.0))
    close((ad.gradient_of(x), ad.gradient_of(y)), (6.0, 6.0))


@behaviour(MUST, torch("torch.autograd.backward"), document("000"))
def the_method_and_the_function_agree(ad):
    """The output's own method and the function over outputs accumulate the same gradient."""
    x, y = ad.leaf([1.0, 2.0]), ad.leaf([1.0, 2.0])
    ad.backward(x * x, ad.array([3.0, 10.0]))
    ad.backward_of([y * y], [ad.array([3.0, 10.0])])
    close((ad.gradient_of(x), ad.gradient_of(y)), ([6.0, 40.0], [6.0, 40.0]))


@behaviour(
    MUST,
    torch("torch.Tensor.backward", raises=RuntimeError, says="mismatch in shape"),
    document("000"),
    document("004"),
    cases={"longer": ([1.0, 1.0, 1.0],), "more_dimensions": ([[1.0, 1.0]],), "scalar": (1.0,)},
)
def the_gradient_has_the_shape_of_the_output(ad, gradient):
    """A gradient of another shape than the output's is refused, even one that could be broadcast."""
    x = ad.leaf([1.0, 1.0])
    refuses(lambda: ad.backward(x * 2, ad.array(gradient)))


@behaviour(
    MUST,
    torch("torch.autograd.backward", raises=TypeError, says="either Tensors or None"),
    document("004"),
    cases={"number": (1.0,), "text": ("one",)},
)
def a_gradient_is_an_array_or_none(ad, gradient):
    """A gradient that is neither an array nor None is refused."""
    x = ad.leaf(3.0)
    refuses(lambda: ad.backward_of([x * x], [gradient]))


@behaviour(MUST, torch("torch.autograd.backward"), document("004"))
def none_stands_for_one_at_a_scalar(ad):
    """None as the gradient of a scalar output counts as one."""
    x = ad.leaf(3.0)
    ad.backward_of([x * x], [None])
    close(ad.gradient_of(x), 6.0)


@behaviour(SHOULD, torch("torch.autograd.backward"), document("004"))
def none_stands_for_nothing_at_a_plain_output(ad):
    """None is accepted as the gradient of an output that does not require grad, which then adds nothing."""
    x = ad.leaf(3.0)
    ad.backward_of([x * x, ad.array([1.0, 2.0])], [None, None])
    close(ad.gradient_of(x), 6.0)


@behaviour(MUST, torch("torch.autograd.backward"), document("004"))
def several_outputs_add_up(ad):
    """Backward from several outputs accumulates the sum of their gradients, each with its own weight."""
    x = ad.leaf([1.0, 2.0])
    ad.backward_of([x * x, 3 * x], [ad.array([1.0, 1.0]), ad.array([1.0, 10.0])])
    close(ad.gradient_of(x), [5.0, 34.0])


@behaviour(
    MUST,
    torch("torch.autograd.backward", raises=RuntimeError, says="2 tensors and 1 gradients"),
    document("004"),
)
def there_is_a_gradient_for_each_output(ad):
    """A list of gradients that is shorter than the list of outputs is refused."""
    x = ad.leaf(3.0)
    refuses(lambda: ad.backward_of([x * x, 3 * x], [ad.array(1.0)]))


@behaviour(MUST, torch("torch.autograd.backward"), document("004"))
def inputs_restrict_accumulation(ad):
    """When inputs are named, only they accumulate; the other leaves of the graph are left alone."""
    x, y = ad.leaf(3.0), ad.leaf(2.0)
    ad.backward(x * y, inputs=[x])
    close(ad.gradient_of(x), 2.0)
    equal(ad.gradient_of(y), None)


@behaviour(
    MUST,
    torch("torch.autograd.backward", raises=RuntimeError, says="cannot be empty"),
    document("004"),
)
def an_empty_list_of_inputs_is_refused(ad):
    """An empty list of inputs is refused, rather than taken for all of them or none."""
    x = ad.leaf(3.0)
    refuses(lambda: ad.backward(x * x, inputs=[]))


@behaviour(MUST, torch("torch.autograd.backward"), document("004"))
def a_result_may_be_among_the_inputs(ad):
    """A result that is named among the inputs accumulates its gradient as a leaf would."""
    x = ad.leaf(3.0)
    y = x * 2
    ad.backward(y * y, inputs=[y])
    close(ad.gradient_of(y), 12.0)
