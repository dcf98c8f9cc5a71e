"""Arguments of backward, gradient: the cotangents of one output, and of several."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, document, jax, torch, torch_func
from conformance.expect import close, equal, raises


@behaviour(
    SHOULD,
    torch("torch.Tensor.backward", raises=Exception, says="scalar outputs"),
    document("000"),
    document("001"),
    aliases=("grad can be implicitly created only for scalar outputs",),
)
def a_vector_output_needs_a_gradient_argument(ad):
    """backward() on an output with more than one element raises an error unless gradient is given."""
    x = ad.leaf([1.0, 1.0, 1.0])
    raises(lambda: ad.backward(x * 2))


@behaviour(
    MUST,
    torch("torch.Tensor.backward"),
    document("000"),
    cases={"scalar": (3.0, 6.0), "vector": ([3.0], [6.0]), "matrix": ([[3.0]], [[6.0]])},
)
def one_element_needs_no_gradient_argument(ad, value, expected):
    """backward() on a real output with exactly one element needs no gradient argument, in any number of dimensions."""
    x = ad.leaf(value)
    ad.backward(x * x)
    close(ad.gradient_of(x), expected)


@behaviour(
    MUST,
    torch("torch.Tensor.backward"),
    document("000"),
    document("001"),
    aliases=("backward of a vector", "backward with ones_like"),
)
def the_gradient_argument_is_the_cotangent(ad):
    """For a real vector output, backward(gradient=v) computes the VJP: the gradient of sum(v * output)."""
    x = ad.leaf([1.0, 2.0])
    ad.backward(x * x, ad.array([3.0, 10.0]))
    close(ad.gradient_of(x), [6.0, 40.0])


@behaviour(MUST, torch("torch.Tensor.backward"), document("001"))
def the_default_gradient_of_a_scalar_is_one(ad):
    """backward() on a real scalar without gradient equals backward(gradient=1)."""
    x, y = ad.leaf(3.0), ad.leaf(3.0)
    ad.backward(x * x)
    ad.backward(y * y, ad.array(1.0))
    close((ad.gradient_of(x), ad.gradient_of(y)), (6.0, 6.0))


@behaviour(MUST, torch("torch.Tensor.backward"), torch("torch.autograd.backward"), document("000"))
def the_method_and_the_function_agree(ad):
    """The method Tensor.backward and the function torch.autograd.backward accumulate the same gradient."""
    x, y = ad.leaf([1.0, 2.0]), ad.leaf([1.0, 2.0])
    ad.backward(x * x, ad.array([3.0, 10.0]))
    ad.backward_of([y * y], [ad.array([3.0, 10.0])])
    close((ad.gradient_of(x), ad.gradient_of(y)), ([6.0, 40.0], [6.0, 40.0]))


@behaviour(
    SHOULD,
    torch("torch.Tensor.backward", raises=Exception, says="mismatch in shape"),
    document("000"),
    document("004"),
    cases={"longer": ([1.0, 1.0, 1.0],), "more_dimensions": ([[1.0, 1.0]],), "scalar": (1.0,)},
    aliases=("mismatch in shape: grad_output",),
)
def the_gradient_has_the_shape_of_the_output(ad, gradient):
    """backward(gradient) raises an error unless gradient has exactly the shape of the output; it is not broadcast."""
    x = ad.leaf([1.0, 1.0])
    raises(lambda: ad.backward(x * 2, ad.array(gradient)))


@behaviour(
    SHOULD,
    torch("torch.autograd.backward", raises=Exception, says="Tensors or None"),
    document("004"),
    cases={"number": (1.0,), "text": ("one",)},
    aliases=("gradients can be either tensors or none",),
)
def a_gradient_is_an_array_or_none(ad, gradient):
    """A grad_tensors element that is neither a tensor nor None, such as the number 1.0, raises an error."""
    x = ad.leaf(3.0)
    raises(lambda: ad.backward_of([x * x], [gradient]))


@behaviour(MUST, torch("torch.autograd.backward"), document("004"))
def none_counts_as_one_for_a_scalar(ad):
    """None in grad_tensors counts as 1 for a real scalar output."""
    x = ad.leaf(3.0)
    ad.backward_of([x * x], [None])
    close(ad.gradient_of(x), 6.0)


@behaviour(
    MUST, torch("torch.autograd.backward"), document("004"), aliases=("element 1 of tensors does not require grad",)
)
def none_is_accepted_for_an_output_without_requires_grad(ad):
    """backward() accepts None in grad_tensors for an output that does not require grad: it contributes nothing."""
    x = ad.leaf(3.0)
    ad.backward_of([x * x, ad.array([1.0, 2.0])], [None, None])
    close(ad.gradient_of(x), 6.0)


@behaviour(MUST, torch("torch.autograd.backward"), document("004"), aliases=("grad_tensors", "multiple losses"))
def several_outputs_add_up(ad):
    """backward() on several outputs accumulates the sum of their VJPs, each with its own element of grad_tensors."""
    x = ad.leaf([1.0, 2.0])
    ad.backward_of([x * x, 3 * x], [ad.array([5.0, 1.0]), ad.array([1.0, 10.0])])
    close(ad.gradient_of(x), [13.0, 34.0])


@behaviour(
    SHOULD,
    torch("torch.autograd.backward", raises=Exception, says="got 2 tensors and 1 gradients"),
    document("004"),
    aliases=("got 2 tensors and 1 gradients",),
)
def too_few_grad_tensors_raise_an_error(ad):
    """backward() raises an error if grad_tensors is shorter than the list of outputs."""
    x = ad.leaf(3.0)
    raises(lambda: ad.backward_of([x * x, 3 * x], [ad.array(1.0)]))


@behaviour(MAY, torch("torch.Tensor.backward", unstated="the signature alone has it: -> None"))
def backward_returns_none(ad):
    """backward() returns None: the gradients are in the .grad of the leaves."""
    equal(ad.backward(2 * ad.leaf(3.0)), None)


@behaviour(MUST, torch("torch.autograd.backward"))
def none_and_a_tensor_can_be_mixed_in_grad_tensors(ad):
    """grad_tensors can mix None, for a scalar output, with a tensor for another output."""
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
def backward_on_a_leaf_stores_the_gradient_argument(ad, walk, expected):
    """backward(gradient) on a leaf that requires grad stores gradient in .grad, or 1 by default for a real scalar."""
    x = ad.leaf(3.0)
    walk(ad, x)
    close(ad.gradient_of(x), expected)


@behaviour(
    MUST,
    torch("torch.autograd.backward"),
    cases={"twice": (lambda y: [y, y], [21.0]), "nested": (lambda y: [y, 4 * y], [66.0])},
)
def an_output_can_be_listed_twice(ad, outputs, expected):
    """If the outputs of backward() repeat or depend on each other ([y, y], [y, 4 * y]), their VJPs are summed."""
    x, first, second = ad.leaf([1.0]), ad.array([2.0]), ad.array([5.0])
    ad.backward_of(outputs(3 * x), [first, second])
    close(ad.gradient_of(x), expected)
    close((first, second), ([2.0], [5.0]))


@behaviour(
    MAY,
    torch(
        "notes/autograd",
        "No-grad Mode",
        unstated="the section is about operations that are recorded; optimizers and evaluation code call backward so",
    ),
    aliases=("backward inside no_grad",),
)
def backward_runs_under_no_grad(ad):
    """backward() can be called under no_grad on a graph that was recorded before."""
    x = ad.leaf(3.0)
    y = x * x
    with ad.no_grad():
        ad.backward(y)
    close(ad.gradient_of(x), 6.0)


@behaviour(
    MUST,
    torch("torch.Tensor.backward"),
    torch("torch.Tensor.detach"),
    aliases=("truncated backpropagation", "split backward"),
)
def a_backward_pass_can_be_split_at_a_detached_array(ad):
    """A backward pass can be split at a detached tensor: its .grad is the gradient argument of a second backward()."""
    x = ad.leaf(2.0)
    square = x**2
    cut = ad.require_grad_(ad.detach(square))
    ad.backward(cut**3)
    ad.backward(square, ad.gradient_of(cut))
    close((ad.gradient_of(cut), ad.gradient_of(x)), (48.0, 192.0))


@behaviour(
    MUST, torch("torch.autograd.grad"), torch_func("torch.func.vjp"), jax("jax.vjp"), aliases=("zero grad_output",)
)
def a_zero_cotangent_gives_zeros(ad):
    """The VJP of x² for an all-zero cotangent (grad_output) is zeros of the shape of the input, not None."""
    _, pullback = ad.vjp(lambda x: x * x, ad.array([1.0, 2.0]))
    close(pullback(ad.array([0.0, 0.0])), ([0.0, 0.0],))


@behaviour(SHOULD, torch("torch.autograd.backward", raises=Exception, says="tensors and 2 gradients"))
def too_many_grad_tensors_raise_an_error(ad):
    """backward() raises an error if grad_tensors is longer than the list of outputs."""
    x = ad.leaf(3.0)
    y, first, second = x * x, ad.array(10.0), ad.array(3.0)
    raises(lambda: ad.backward_of([y], [first, second]))


@behaviour(
    MUST,
    torch("torch.autograd.backward"),
    cases={
        "create_graph": (lambda x: {"create_graph": True}, True, 21.0),
        "inputs": (lambda x: {"inputs": [x]}, False, None),
        "both": (lambda x: {"create_graph": True, "inputs": [x]}, True, None),
    },
)
def several_outputs_add_up_with_other_arguments(ad, options, differentiable, of_y):
    """backward() on several outputs, here products of leaves, sums their VJPs also with create_graph=True, where the
    sum requires grad, and with `inputs`, where other leaves get no gradient."""
    x, y = ad.leaf([1.0, 2.0]), ad.leaf(3.0)
    ad.backward_of([x * x, y * x], [ad.array([5.0, 1.0]), ad.array([1.0, 10.0])], **options(x))
    close((ad.gradient_of(x), ad.gradient_of(y)), ([13.0, 34.0], of_y))
    equal(ad.requires_grad(ad.gradient_of(x)), differentiable)
    ad.set_gradient_(x, None)
