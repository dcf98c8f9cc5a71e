"""Accumulation: backward() adds to .grad until it is zeroed or set to None."""

from conformance.behaviour import MAY, MUST, behaviour, document, jax, torch, torch_func
from conformance.expect import close, equal

LAYOUTS = "Default gradient layouts"


@behaviour(MUST, torch("torch.Tensor.grad"), document("000"), aliases=("grad is none",))
def there_is_no_gradient_before_backward(ad):
    """The .grad of a leaf is None by default, not a tensor of zeros, before the first backward()."""
    equal(ad.gradient_of(ad.leaf([1.0, 1.0])), None)


@behaviour(
    MUST,
    torch("torch.Tensor.grad"),
    torch("torch.Tensor.backward"),
    document("000"),
    document("001"),
    aliases=("accumulate grad", "gradient accumulation"),
)
def a_second_backward_adds_to_the_first(ad):
    """A second backward() adds its gradient to the .grad that the leaf already has."""
    x = ad.leaf([1.0, 2.0])
    ad.backward(ad.np.sum(x * x))
    ad.backward(ad.np.sum(3 * x))
    close(ad.gradient_of(x), [5.0, 7.0])


@behaviour(MUST, torch("torch.Tensor.backward"), document("001"), document("000"), aliases=("zero_grad",))
def zeroing_the_gradient_resets_accumulation(ad):
    """After x.grad.zero_(), the next backward() leaves only its own gradient in .grad."""
    x = ad.leaf([[1.0, 1.0], [1.0, 1.0]])
    ad.backward(ad.np.mean(3 * (x + 2) * (x + 2)))
    ad.zero_gradient_(x)
    ad.backward(ad.np.sum(x))
    close(ad.gradient_of(x), [[1.0, 1.0], [1.0, 1.0]])


@behaviour(MUST, torch("torch.Tensor.backward"), aliases=("set_to_none",))
def setting_the_gradient_to_none_resets_accumulation(ad):
    """After x.grad = None, the next backward() leaves only its own gradient in .grad."""
    x = ad.leaf([1.0, 1.0])
    ad.backward(ad.np.sum(3 * x))
    ad.set_gradient_(x, None)
    ad.backward(ad.np.sum(x))
    close(ad.gradient_of(x), [1.0, 1.0])


@behaviour(MAY, document("000"))
def a_forward_pass_does_not_change_gradients(ad):
    """A forward pass without backward() does not change .grad."""
    x = ad.leaf([1.0, 1.0])
    ad.backward(ad.np.sum(2 * x))
    _ = ad.np.sum(2 * x)
    close(ad.gradient_of(x), [2.0, 2.0])


@behaviour(MUST, torch("torch.autograd.grad"), document("004"))
def grad_does_not_accumulate_into_leaves(ad):
    """torch.autograd.grad returns the gradients of its inputs and does not accumulate them into their .grad."""
    x = ad.leaf([1.0, 2.0])
    close(ad.grad_of(ad.np.sum(x * x), x), ([2.0, 4.0],))
    equal(ad.gradient_of(x), None)


@behaviour(MUST, torch("torch.autograd.grad"), torch_func("torch.func.grad"), jax("jax.grad"), aliases=("fan-out",))
def uses_of_one_array_add_up(ad):
    """The gradient of an array that is used several times is the sum over its uses: for x² + 3x it is 2x + 3."""
    gradient = ad.grad(lambda x: ad.np.sum(x * x + 3 * x))
    close(gradient(ad.array([1.0, 2.0])), [5.0, 7.0])


@behaviour(MUST, torch_func("torch.func.grad"), jax("jax.grad"))
def a_gradient_function_keeps_no_state(ad):
    """Each call of a gradient function returns the gradient at its argument: nothing accumulates over calls."""
    gradient = ad.grad(lambda x: x * x)
    close((gradient(ad.array(3.0)), gradient(ad.array(5.0)), gradient(ad.array(3.0))), (6.0, 10.0, 6.0))


@behaviour(MUST, torch("torch.autograd.grad"), aliases=("same tensor twice",))
def an_input_listed_twice_gets_its_gradient_twice(ad):
    """A tensor listed twice in the inputs of grad gets its full gradient at both positions of the tuple."""
    x = ad.leaf(1.0)
    close(ad.grad_of(3 * x * x, [x, x]), (6.0, 6.0))


@behaviour(MUST, torch_func("torch.func.grad"), jax("jax.grad"), aliases=("same array for two arguments",))
def an_array_in_two_arguments_is_two_variables(ad):
    """One array passed as two arguments is two variables: for p²q at p = q = 2 the partial derivatives are 8 and 4."""
    x = ad.array(2.0)
    close(ad.grad(lambda p, q: p * p * q, argnums=(0, 1))(x, x), (8.0, 4.0))


@behaviour(MUST, torch("torch.Tensor.backward"))
def backward_on_two_outputs_equals_backward_on_their_sum(ad):
    """backward() on 3x and then on 4x accumulates the same gradient, 7, as one backward() on their sum."""
    x = ad.leaf(1.0)
    ad.backward(3 * x)
    ad.backward(4 * x)
    y = ad.leaf(1.0)
    ad.backward(3 * y + 4 * y)
    close((ad.gradient_of(x), ad.gradient_of(y)), (7.0, 7.0))


@behaviour(MUST, torch("torch.Tensor.grad"))
def graphs_accumulate_in_any_order(ad):
    """Several graphs of one leaf accumulate in any order: backward() on 4x, 2x and x, newest first, gives 7."""
    x = ad.leaf(1.0)
    oldest, middle, newest = 1 * x, 2 * x, 4 * x
    ad.backward(newest)
    ad.backward(middle)
    ad.backward(oldest)
    close(ad.gradient_of(x), 7.0)


@behaviour(MUST, torch("autograd", LAYOUTS))
def accumulation_is_in_place(ad):
    """By default backward() accumulates in-place: a dense tensor assigned to .grad stays the same object."""
    x, g = ad.leaf(5.0), ad.array(7.0)
    ad.set_gradient_(x, g)
    ad.backward(2 * x)
    equal(ad.gradient_of(x) is g, True)
    close(g, 9.0)


@behaviour(MUST, torch("autograd", LAYOUTS), aliases=("grad leaks memory create_graph",))
def accumulation_with_create_graph_is_out_of_place(ad):
    """With create_graph=True, backward() accumulates out-of-place: .grad is a new tensor, the old one is unchanged."""
    x, g = ad.leaf(3.0), ad.array(7.0)
    ad.set_gradient_(x, g)
    ad.backward(x * x, create_graph=True)
    close((ad.gradient_of(x), g), (13.0, 7.0))
    equal(ad.gradient_of(x) is g, False)


@behaviour(MUST, torch("torch.Tensor.grad"))
def a_zero_derivative_is_stored_as_zero(ad):
    """After backward() on 0 * x, the .grad of the leaf x is 0, not None."""
    x = ad.leaf(3.0)
    ad.backward(0 * x)
    close(ad.gradient_of(x), 0.0)


@behaviour(
    MUST,
    torch("torch.Tensor.backward"),
    torch("torch.Tensor.grad"),
    aliases=("none vs zero", "unused parameter grad none"),
)
def an_unused_leaf_has_no_gradient(ad):
    """After backward(), the .grad of a leaf that was not used to compute the output is still None, not zeros."""
    x, z = ad.leaf(3.0), ad.leaf(4.0)
    ad.backward(2 * x)
    equal(ad.gradient_of(z), None)


@behaviour(MUST, torch("torch.Tensor.grad"), aliases=("zerotensors are immutable",))
def an_all_zero_gradient_can_be_accumulated_into(ad):
    """backward() accumulates into an all-zero .grad too, here the gradient of torch.sgn."""
    x = ad.leaf([1.0, 2.0])
    ad.backward(ad.np.sum(ad.np.sign(x)))
    ad.backward(ad.np.sum(3 * x))
    close(ad.gradient_of(x), [3.0, 3.0])


@behaviour(MUST, torch("torch.Tensor.numpy"), aliases=("cannot convert a zerotensor to numpy",))
def an_all_zero_gradient_can_be_converted_to_numpy(ad):
    """An all-zero .grad, here the gradient of torch.sgn, can be converted by .numpy()."""
    x = ad.leaf([1.0, 2.0])
    ad.backward(ad.np.sum(ad.np.sign(x)))
    close(ad.numpy_of(ad.gradient_of(x)), [0.0, 0.0])


@behaviour(MUST, torch("torch.Tensor.add_"), aliases=("clip gradients in place",))
def an_all_zero_gradient_can_be_modified_in_place(ad):
    """An all-zero .grad, here the gradient of torch.sgn, can be modified in-place, here by add_()."""
    x = ad.leaf([1.0, 2.0])
    ad.backward(ad.np.sum(ad.np.sign(x)))
    ad.add_(ad.gradient_of(x), 5.0)
    close(ad.gradient_of(x), [5.0, 5.0])


SPARSE = {"two_places": ([0, 2], [6.0, 1.0, 6.0]), "one_place": ([0], [6.0, 1.0, 1.0])}


@behaviour(MUST, torch("torch.Tensor.grad"), cases=SPARSE, aliases=("sparse embedding gradient",))
def a_sparse_gradient_adds_to_a_dense_one(ad, indices, expected):
    """backward() adds a sparse gradient to a dense .grad at the sparse indices, also if its values are expanded."""
    x = ad.leaf([[0.0], [0.0], [0.0]])
    ad.backward(ad.np.sum(x))
    values = ad.view_by(ad.array(5.0), "expand", len(indices), 1)
    ad.backward(x, ad.sparse_array([indices], values, (3, 1)))
    close(ad.np.reshape(ad.gradient_of(x), (3,)), expected)


@behaviour(
    MUST,
    jax("jax.jacrev"),
    jax("jax.jacfwd"),
    jax("jax.hessian"),
    torch_func("torch.func.jacrev"),
    torch_func("torch.func.jacfwd"),
    torch_func("torch.func.hessian"),
    cases={
        "jacobian": (lambda ad, f: ad.jacobian(f), 12.0, 27.0),
        "jacfwd": (lambda ad, f: ad.jacfwd(f), 12.0, 27.0),
        "hessian": (lambda ad, f: ad.hessian(f), 12.0, 18.0),
    },
)
def a_jacobian_function_keeps_no_state(ad, derivative, at_two, at_three):
    """Each call of a function that jacrev, jacfwd or hessian returns is evaluated at its argument: of x³ at 2, at 3
    and at 2 again."""
    function = derivative(ad, lambda x: x**3)
    close((function(ad.array(2.0)), function(ad.array(3.0)), function(ad.array(2.0))), (at_two, at_three, at_two))
