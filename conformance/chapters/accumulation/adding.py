"""Accumulation: gradients add up in the leaves until somebody clears them."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, document, jax, torch, torch_func
from conformance.expect import close, equal

LAYOUTS = "Default gradient layouts"


@behaviour(MUST, torch("torch.Tensor.grad"), document("000"))
def there_is_no_gradient_before_backward(ad):
    """Before any backward a leaf has no gradient at all, not one of zeros."""
    equal(ad.gradient_of(ad.leaf([1.0, 1.0])), None)


@behaviour(MUST, torch("torch.Tensor.grad"), torch("torch.Tensor.backward"), document("000"))
def a_second_backward_adds_to_the_first(ad):
    """A second backward adds its gradient to what the leaf already holds."""
    x = ad.leaf([1.0, 1.0, 1.0])
    ad.backward(ad.np.sum(x))
    ad.backward(ad.np.sum(x))
    close(ad.gradient_of(x), [2.0, 2.0, 2.0])


@behaviour(MUST, torch("torch.Tensor.grad"), document("001"))
def different_outputs_add_up_in_one_leaf(ad):
    """Gradients of different outputs add up in the leaf that they share: 4.5 and 1 make 5.5."""
    x = ad.leaf([[1.0, 1.0], [1.0, 1.0]])
    ad.backward(ad.np.mean(3 * (x + 2) * (x + 2)))
    ad.backward(ad.np.sum(x))
    close(ad.gradient_of(x), [[5.5, 5.5], [5.5, 5.5]])


@behaviour(MUST, torch("torch.autograd.backward"), document("001"), document("000"))
def zeroing_in_between_starts_afresh(ad):
    """After the stored gradient is set to zero, the next backward leaves its own gradient only."""
    x = ad.leaf([[1.0, 1.0], [1.0, 1.0]])
    ad.backward(ad.np.mean(3 * (x + 2) * (x + 2)))
    ad.zero_gradient_(x)
    ad.backward(ad.np.sum(x))
    close(ad.gradient_of(x), [[1.0, 1.0], [1.0, 1.0]])


@behaviour(MUST, torch("torch.autograd.backward"))
def clearing_in_between_starts_afresh(ad):
    """After the stored gradient is reset to None, the next backward leaves its own gradient only."""
    x = ad.leaf([1.0, 1.0])
    ad.backward(ad.np.sum(3 * x))
    ad.set_gradient_(x, None)
    ad.backward(ad.np.sum(x))
    close(ad.gradient_of(x), [1.0, 1.0])


@behaviour(MUST, torch("torch.Tensor.grad"), document("000"))
def computing_forward_leaves_gradients_alone(ad):
    """Running the forward computation alone changes no stored gradient."""
    x = ad.leaf([1.0, 1.0])
    ad.backward(ad.np.sum(2 * x))
    _ = ad.np.sum(2 * x)
    close(ad.gradient_of(x), [2.0, 2.0])


@behaviour(MUST, torch("torch.autograd.grad"), document("004"))
def asking_for_a_gradient_stores_none(ad):
    """A gradient that is asked for is returned, and nothing is accumulated in the leaf."""
    x = ad.leaf([1.0, 2.0])
    close(ad.grad_of(ad.np.sum(x * x), x), ([2.0, 4.0],))
    equal(ad.gradient_of(x), None)


@behaviour(MUST, torch("torch.autograd.grad"), torch_func("torch.func.grad"), jax("jax.grad"))
def paths_to_one_array_add_up(ad):
    """An array that reaches the output on several paths receives the sum over them."""
    gradient = ad.grad(lambda x: ad.np.sum(x * x + 3 * x))
    close(gradient(ad.array([1.0, 2.0])), [5.0, 7.0])


@behaviour(MUST, torch_func("torch.func.grad"), jax("jax.grad"))
def a_gradient_function_remembers_nothing(ad):
    """A gradient function gives the same gradient each time it is called."""
    gradient = ad.grad(lambda x: x * x)
    _ = gradient(ad.array(3.0))
    close(gradient(ad.array(3.0)), 6.0)


@behaviour(MAY, torch("torch.autograd.grad"))
def an_input_listed_twice_is_answered_twice(ad):
    """An array that stands twice among the inputs is one variable: each place gets its whole gradient."""
    x = ad.leaf(1.0)
    close(ad.grad_of(3 * x * x, [x, x]), (6.0, 6.0))


@behaviour(MAY, torch_func("torch.func.grad"), jax("jax.grad"))
def an_array_in_two_arguments_is_two_variables(ad):
    """One array given as two arguments of a program counts as two variables, each with its own gradient."""
    x = ad.array(2.0)
    close(ad.grad(lambda p, q: 3 * p * q, argnums=(0, 1))(x, x), (6.0, 6.0))


@behaviour(MUST, torch("torch.autograd.backward"))
def two_outputs_in_turn_equal_their_sum(ad):
    """Backward from 3 x and then from 4 x accumulates the same gradient as backward from their sum: 7."""
    x = ad.leaf(1.0)
    ad.backward(3 * x)
    ad.backward(4 * x)
    y = ad.leaf(1.0)
    ad.backward(3 * y + 4 * y)
    close((ad.gradient_of(x), ad.gradient_of(y)), (7.0, 7.0))


@behaviour(MUST, torch("torch.Tensor.grad"))
def graphs_of_any_age_add_up(ad):
    """Backward through three graphs, newest first, adds up their gradients: 1, 2 and 4 make 7."""
    x = ad.leaf(1.0)
    oldest, middle, newest = 1 * x, 2 * x, 4 * x
    ad.backward(newest)
    ad.backward(middle)
    ad.backward(oldest)
    close(ad.gradient_of(x), 7.0)


@behaviour(MUST, torch("autograd", LAYOUTS))
def adding_happens_in_place(ad):
    """Backward adds to the array that is stored already, and puts no other in its place: 7 and 2 make 9."""
    x, g = ad.leaf(5.0), ad.array(7.0)
    ad.set_gradient_(x, g)
    ad.backward(2 * x)
    equal(ad.gradient_of(x) is g, True)
    close(g, 9.0)


@behaviour(MUST, torch("autograd", LAYOUTS))
def adding_with_a_graph_makes_a_new_array(ad):
    """Where a graph of the gradient is built, the sum of 7 and 6 is a new array, and the old one still is 7."""
    x, g = ad.leaf(3.0), ad.array(7.0)
    ad.set_gradient_(x, g)
    ad.backward(x * x, create_graph=True)
    close((ad.gradient_of(x), g), (13.0, 7.0))
    equal(ad.gradient_of(x) is g, False)


@behaviour(MUST, torch("torch.optim.Optimizer.zero_grad"))
def a_zero_derivative_is_stored_as_zero(ad):
    """A leaf that took part with a derivative of zero holds zero, and not nothing."""
    x = ad.leaf(3.0)
    ad.backward(0 * x)
    close(ad.gradient_of(x), 0.0)


@behaviour(MUST, torch("torch.optim.Optimizer.zero_grad"))
def an_unreached_leaf_stays_empty(ad):
    """A leaf on which the output does not depend has no gradient after backward, not one of zeros."""
    x, z = ad.leaf(3.0), ad.leaf(4.0)
    ad.backward(2 * x)
    equal(ad.gradient_of(z), None)


@behaviour(MUST, torch("torch.Tensor.grad"))
def a_gradient_that_is_zero_can_be_added_to(ad):
    """A gradient of zeros, that of a sign, is added to by the next backward."""
    x = ad.leaf([1.0, 2.0])
    ad.backward(ad.np.sum(ad.np.sign(x)))
    ad.backward(ad.np.sum(3 * x))
    close(ad.gradient_of(x), [3.0, 3.0])


@behaviour(SHOULD, torch("torch.Tensor.grad"))
def a_gradient_that_is_zero_can_be_read(ad):
    """A gradient of zeros, that of a sign, can be taken out of the engine like any other array."""
    x = ad.leaf([1.0, 2.0])
    ad.backward(ad.np.sum(ad.np.sign(x)))
    close(ad.numpy_of(ad.gradient_of(x)), [0.0, 0.0])


@behaviour(SHOULD, torch("torch.Tensor.grad"))
def a_gradient_that_is_zero_can_be_written(ad):
    """A gradient of zeros, that of a sign, can be changed in place like any other array."""
    x = ad.leaf([1.0, 2.0])
    ad.backward(ad.np.sum(ad.np.sign(x)))
    ad.add_(ad.gradient_of(x), 5.0)
    close(ad.gradient_of(x), [5.0, 5.0])


SPARSE = {"two_places": ([0, 2], [6.0, 1.0, 6.0]), "one_place": ([0], [6.0, 1.0, 1.0])}


@behaviour(MUST, torch("torch.Tensor.grad"), cases=SPARSE)
def a_sparse_gradient_adds_to_a_dense_one(ad, places, expected):
    """A sparse gradient adds to a dense one at its own places only, even if its values are one number expanded."""
    x = ad.leaf([[0.0], [0.0], [0.0]])
    ad.backward(ad.np.sum(x))
    values = ad.view_by(ad.array(5.0), "expand", len(places), 1)
    ad.backward(x, ad.sparse_array([places], values, (3, 1)))
    close(ad.np.reshape(ad.gradient_of(x), (3,)), expected)
