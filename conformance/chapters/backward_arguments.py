"""Arguments of backward: the weights of the outputs, the choice of inputs, several outputs at once."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, document, jax, torch, torch_func
from conformance.expect import close, equal, raises


@behaviour(
    MUST,
    torch("torch.Tensor.backward", raises=RuntimeError, says="scalar outputs"),
    document("000"),
    document("001"),
)
def a_vector_output_needs_a_gradient_argument(ad):
    """Backward from an output of more than one element is refused unless a gradient is given."""
    x = ad.leaf([1.0, 1.0, 1.0])
    raises(lambda: ad.backward(x * 2))


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
    x = ad.leaf([1.0, 3.0])
    ad.backward(x * x, ad.array([1.0, 1.0]))
    close(ad.gradient_of(x), [2.0, 6.0])


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
    raises(lambda: ad.backward(x * 2, ad.array(gradient)))


@behaviour(
    MUST,
    torch("torch.autograd.backward", raises=TypeError, says="either Tensors or None"),
    document("004"),
    cases={"number": (1.0,), "text": ("one",)},
)
def a_gradient_is_an_array_or_none(ad, gradient):
    """A gradient that is neither an array nor None is refused."""
    x = ad.leaf(3.0)
    raises(lambda: ad.backward_of([x * x], [gradient]))


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
    raises(lambda: ad.backward_of([x * x, 3 * x], [ad.array(1.0)]))


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
    raises(lambda: ad.backward(x * x, inputs=[]))


@behaviour(MUST, torch("torch.autograd.backward"), document("004"))
def a_result_may_be_among_the_inputs(ad):
    """A result that is named among the inputs accumulates its gradient as a leaf would."""
    x = ad.leaf(3.0)
    y = x * 2
    ad.backward(y * y, inputs=[y])
    close(ad.gradient_of(y), 12.0)


@behaviour(MUST, torch("torch.Tensor.backward"))
def backward_returns_nothing(ad):
    """Backward returns nothing: what it computed is in the leaves."""
    equal(ad.backward(2 * ad.leaf(3.0)), None)


@behaviour(MUST, torch("torch.autograd.backward"))
def none_and_a_weight_stand_side_by_side(ad):
    """None for a scalar output may stand beside a weight for another output."""
    x = ad.leaf([1.0, 2.0])
    ad.backward_of([ad.np.sum(x), 2 * x], [None, ad.array([1.0, 10.0])])
    close(ad.gradient_of(x), [3.0, 21.0])


@behaviour(
    MUST,
    torch("torch.Tensor.backward"),
    cases={
        "by_default": (lambda ad, x: ad.backward(x), 1.0),
        "weighted": (lambda ad, x: ad.backward(x, ad.array(5.0)), 5.0),
    },
)
def backward_from_a_leaf_stores_the_weight(ad, walk, expected):
    """Backward from a leaf itself stores the gradient that it was given there, one by default."""
    x = ad.leaf(3.0)
    walk(ad, x)
    close(ad.gradient_of(x), expected)


@behaviour(
    MUST,
    torch("torch.autograd.backward"),
    cases={"twice": (lambda y: [y, y], 4.0), "nested": (lambda y: [y, 3 * y], 8.0)},
)
def an_output_may_be_listed_twice(ad, outputs, expected):
    """An output that is listed twice, or beside one that was computed from it, counts each time."""
    x = ad.leaf(3.0)
    ad.backward_of(outputs(2 * x))
    close(ad.gradient_of(x), expected)


@behaviour(MUST, torch("torch.autograd.backward"))
def a_single_input_needs_no_list(ad):
    """A bare array is accepted where backward takes a list of inputs."""
    x, y = ad.leaf(3.0), ad.leaf(2.0)
    ad.backward(x * y, inputs=x)
    close((ad.gradient_of(x), ad.gradient_of(y)), (2.0, None))


@behaviour(MAY, torch("torch.autograd.backward", raises=RuntimeError, says="requires_grad"))
def a_plain_array_among_the_inputs_is_refused(ad):
    """An array that does not require grad is refused among the inputs of backward."""
    x, plain = ad.leaf(3.0), ad.array(2.0)
    raises(lambda: ad.backward(x * plain, inputs=[plain]))


@behaviour(MUST, torch("notes/autograd", "No-grad Mode"))
def backward_runs_while_nothing_is_recorded(ad):
    """Backward works in a scope in which nothing is recorded, on what was recorded before."""
    x = ad.leaf(3.0)
    y = x * x
    with ad.no_grad():
        ad.backward(y)
    close(ad.gradient_of(x), 6.0)


@behaviour(MUST, torch("torch.Tensor.detach"))
def a_backward_can_be_cut_in_two(ad):
    """Backward to a detached value, and on with its gradient, equals backward through the whole: x^6 at 2 has 192."""
    x = ad.leaf(2.0)
    square = x**2
    cut = ad.require_grad_(ad.detach(square))
    ad.backward(cut**3)
    ad.backward(square, ad.gradient_of(cut))
    close((ad.gradient_of(cut), ad.gradient_of(x)), (48.0, 192.0))


@behaviour(MUST, torch("torch.Tensor.backward"), torch_func("torch.func.vjp"), jax("jax.vjp"))
def a_gradient_of_zeros_gives_zeros(ad):
    """A cotangent of zeros gives gradients of zeros, and not none."""
    _, pullback = ad.vjp(lambda x: x * x, ad.array([1.0, 2.0]))
    close(pullback(ad.array([0.0, 0.0])), ([0.0, 0.0],))


@behaviour(MUST, torch("torch.autograd.backward"))
def an_output_may_be_given_twice(ad):
    """An output given twice counts with the sum of its weights, 2 and 5, and these stay as they were."""
    x, first, second = ad.leaf([1.0]), ad.array([2.0]), ad.array([5.0])
    y = 3 * x
    ad.backward_of([y, y], [first, second])
    close(ad.gradient_of(x), [21.0])
    close((first, second), ([2.0], [5.0]))
