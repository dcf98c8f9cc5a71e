"""Options together, backward: gradients, inputs, retained and created graphs."""

from conformance.behaviour import MUST, behaviour, torch
from conformance.expect import close


def _by_method(ad, output, gradient, x, **flags):
    ad.backward(output, gradient, inputs=[x], **flags)


def _by_function(ad, output, gradient, x, **flags):
    ad.backward_of([output, 3 * x], [gradient, gradient], inputs=[x], **flags)


@behaviour(
    MUST,
    torch("torch.Tensor.backward"),
    torch("torch.autograd.backward"),
    cases={"method": (_by_method, [18.0, 60.0]), "function": (_by_function, [24.0, 63.0])},
)
def backward_creates_a_graph_for_chosen_inputs_and_a_gradient(ad, backward, expected):
    """backward() with a gradient, `create_graph` and one leaf as `inputs` fills the gradient of that leaf only, and
    constructs the graph of this derivative."""
    x, y = ad.leaf([1.0, 2.0]), ad.leaf([3.0, 5.0])
    backward(ad, x**3 * y, ad.array([2.0, 1.0]), x, create_graph=True)
    close((ad.gradient_of(x), ad.gradient_of(y)), (expected, None))
    close(ad.grad_of(ad.np.sum(ad.gradient_of(x)), [y]), ([6.0, 12.0],))


@behaviour(
    MUST,
    torch("torch.Tensor.backward"),
    torch("torch.autograd.backward"),
    cases={"method": (_by_method, [36.0, 120.0]), "function": (_by_function, [48.0, 126.0])},
)
def backward_runs_again_for_chosen_inputs_and_a_gradient(ad, backward, expected):
    """backward() with a gradient, `retain_graph` and one leaf as `inputs` can be called again, and accumulates into the
    gradient of that leaf only."""
    x, y = ad.leaf([1.0, 2.0]), ad.leaf([3.0, 5.0])
    output, gradient = x**3 * y, ad.array([2.0, 1.0])
    backward(ad, output, gradient, x, retain_graph=True)
    backward(ad, output, gradient, x)
    close((ad.gradient_of(x), ad.gradient_of(y)), (expected, None))


@behaviour(
    MUST,
    torch("torch.Tensor.backward"),
    torch("torch.autograd.backward"),
    cases={
        "method": (lambda ad, output, inputs: ad.backward(output, inputs=inputs),),
        "function": (lambda ad, output, inputs: ad.backward_of(output, inputs=inputs),),
    },
)
def backward_fills_each_of_several_inputs(ad, backward):
    """backward() with two leaves as `inputs` accumulates into the gradients of both, and ignores a third leaf."""
    x, y, z = ad.leaf(2.0), ad.leaf(3.0), ad.leaf(5.0)
    ad.set_gradient_(x, ad.array(100.0))
    backward(ad, x * y * z, [x, y])
    close((ad.gradient_of(x), ad.gradient_of(y), ad.gradient_of(z)), (115.0, 10.0, None))


@behaviour(
    MUST,
    torch("torch.autograd.backward"),
    cases={
        "retain_graph": ({"retain_graph": True}, ([18.0, 60.0], [32.0, 38.0])),
        "create_graph": ({"create_graph": True}, ([18.0, 60.0], [32.0, 38.0])),
    },
)
def each_of_several_outputs_has_its_gradient_beside_a_flag(ad, flags, expected):
    """autograd.backward() of several outputs, each with a gradient, sums their vector-Jacobian products, also with
    `retain_graph` or `create_graph`."""
    x, y = ad.leaf([1.0, 2.0]), ad.leaf([3.0, 5.0])
    ad.backward_of([x**3 * y, y**2], [ad.array([2.0, 1.0]), ad.array([5.0, 3.0])], **flags)
    close((ad.gradient_of(x), ad.gradient_of(y)), expected)


@behaviour(MUST, torch("torch.autograd.grad"))
def grad_materializes_beside_its_other_options(ad):
    """autograd.grad() of several outputs with `materialize_grads` gives zeros for an unused input. With `create_graph`
    the other gradients have a graph, and with `retain_graph` grad() can be called again on the same graph."""
    x, y, z = ad.leaf([1.0, 2.0]), ad.leaf([3.0, 5.0]), ad.leaf([7.0, 8.0, 9.0])
    outputs, gradients = [x**3 * y, 5 * y], [ad.array([2.0, 1.0]), ad.array([1.0, 4.0])]
    expected = ([18.0, 60.0], [7.0, 28.0], [0.0, 0.0, 0.0])
    close(ad.grad_of(outputs, [x, y, z], gradients, True, materialize_grads=True), expected)
    found = ad.grad_of(outputs, [x, y, z], gradients, True, True, materialize_grads=True)
    close(found, expected)
    total = ad.np.sum(found[0]) + 10 * ad.np.sum(found[1])
    close(ad.grad_of(total, [x, y], retain_graph=True), ([96.0, 180.0], [6.0, 12.0]))
    close(ad.grad_of(outputs, [x, y, z], gradients, materialize_grads=True), expected)


@behaviour(MUST, torch("torch.autograd.grad"))
def grad_takes_batches_beside_its_other_options(ad):
    """autograd.grad() with `is_grads_batched` gives a vector-Jacobian product for each row; with `materialize_grads`,
    zeros for an unused input. With `create_graph` they have a graph; with `retain_graph` it can be used again."""
    x, unused, rows = ad.leaf([1.0, 2.0]), ad.leaf(7.0), ad.array([[2.0, 1.0], [1.0, 4.0], [5.0, 3.0]])
    output, expected = x**3, ([[6.0, 12.0], [3.0, 48.0], [15.0, 36.0]],)
    close(ad.grad_of(output, [x], rows, True, is_grads_batched=True), expected)
    found = ad.grad_of(output, [x, unused], rows, True, True, is_grads_batched=True, materialize_grads=True)
    close((found[0], ad.np.sum(found[1])), (*expected, 0.0))
    close(ad.grad_of(ad.np.sum(found[0]), [x], retain_graph=True), ([48.0, 96.0],))
    close(ad.grad_of(output, [x], rows, is_grads_batched=True), expected)


@behaviour(MUST, torch("torch.Tensor.register_hook"))
def a_hook_replaces_the_gradient_each_time(ad):
    """The gradient that a hook on a tensor returns is used in place of the tensor's gradient, in each of two backward
    passes."""
    x = ad.leaf(5.0)
    square = x * x
    ad.register_hook(square, lambda gradient: 3 * gradient)
    ad.backward(square, retain_graph=True)
    close(ad.gradient_of(x), 30.0)
    ad.backward(square, ad.array(2.0))
    close(ad.gradient_of(x), 90.0)
