"""Accumulation: gradients add up in the leaves until somebody clears them."""

from conformance.behaviour import MAY, MUST, behaviour, document, jax, torch, torch_func
from conformance.expect import close, equal


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
    ad.clear_gradient_(x)
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
    x = ad.array(1.0)
    close(ad.grad(lambda p, q: 3 * p * q, argnums=(0, 1))(x, x), (3.0, 3.0))
