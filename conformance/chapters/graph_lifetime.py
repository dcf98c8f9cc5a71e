"""Lifetime of the graph: how many backward passes it allows, and what keeps it alive."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, document, jax, torch, torch_func
from conformance.expect import an_error, close, equal, one_of, raises, warns


@behaviour(
    MUST,
    torch("torch.Tensor.backward", raises=RuntimeError, says="backward through the graph a second time"),
    document("000"),
)
def a_second_walk_is_refused(ad):
    """A second backward through one graph is refused: the first has freed what the operations saved."""
    x = ad.leaf([1.0, 2.0])
    output = ad.np.sum(x * x)
    ad.backward(output)
    raises(lambda: ad.backward(output))


@behaviour(MUST, torch("torch.Tensor.backward"), document("000"))
def a_retained_graph_can_be_walked_again(ad):
    """A graph that the first backward was told to retain can be used by a second; the gradients add up."""
    x = ad.leaf([1.0, 2.0])
    output = ad.np.sum(x * x)
    ad.backward(output, retain_graph=True)
    ad.backward(output)
    close(ad.gradient_of(x), [4.0, 8.0])


@behaviour(MUST, torch("torch.autograd.backward", raises=RuntimeError, says="a second time"), document("000"))
def retaining_lasts_for_one_walk(ad):
    """A backward that does not ask to retain the graph frees it, whatever an earlier backward asked."""
    x = ad.leaf([1.0, 2.0])
    output = ad.np.sum(x * x)
    ad.backward(output, retain_graph=True)
    ad.backward(output)
    raises(lambda: ad.backward(output))


@behaviour(MAY, document("000"))
def a_graph_that_saved_nothing_can_be_walked_again(ad):
    """A graph whose operations saved no values allows a second backward, although nobody asked to retain it."""
    x = ad.leaf([1.0, 1.0])
    output = ad.np.sum(x + 2)
    ad.backward(output)
    ad.backward(output)
    close(ad.gradient_of(x), [2.0, 2.0])


@behaviour(
    MUST,
    raises=torch("torch.autograd.grad", raises=RuntimeError, says="a second time"),
    repeated=(jax("jax.vjp"), torch_func("torch.func.vjp")),
)
def a_pullback_called_twice(ad):
    """A pullback called a second time is refused, or gives the same gradient again."""
    _, pullback = ad.vjp(lambda x: x * x, ad.array(3.0))
    _ = pullback(ad.array(1.0))
    return one_of(lambda: pullback(ad.array(1.0)), raises=an_error, repeated=(6.0,))


@behaviour(MUST, torch("torch.autograd.backward"), document("004"))
def retaining_follows_create_graph(ad):
    """Unless told otherwise, a backward that builds a graph of the gradient also retains the graph it came from."""
    x = ad.leaf([1.0, 2.0])
    output = ad.np.sum(x * x)
    ad.backward(output, create_graph=True)
    ad.set_gradient_(x, None)
    ad.backward(output)
    close(ad.gradient_of(x), [2.0, 4.0])


@behaviour(
    MUST,
    torch("torch.autograd.grad", raises=RuntimeError, says="a second time"),
    document("004"),
)
def create_graph_yields_to_retain_graph(ad):
    """Retaining can be switched off although a graph of the gradient is built: then a second backward is refused."""
    x = ad.leaf([1.0, 2.0])
    output = ad.np.sum(x * x)
    _ = ad.grad_of(output, x, create_graph=True, retain_graph=False)
    raises(lambda: ad.grad_of(output, x))


@behaviour(SHOULD, torch("torch.autograd.backward", warns=UserWarning, says="reference cycle"), document("004"))
def backward_with_create_graph_warns(ad):
    """Backward that builds a graph of the gradient warns of the reference cycle that it leaves."""
    x = ad.leaf(3.0)
    warns(lambda: ad.backward(x * x, create_graph=True))
    ad.set_gradient_(x, None)


@behaviour(MAY, torch("torch.autograd.backward"), document("004"))
def a_gradient_with_a_graph_keeps_its_leaf(ad):
    """After backward has built a graph of the gradient, leaf and gradient keep each other alive."""

    def make():
        x = ad.leaf(3.0)
        ad.backward(x * x, create_graph=True)
        return x

    equal(ad.survives(make), True)


@behaviour(SHOULD, torch("torch.autograd.backward"), document("004"))
def clearing_the_gradient_frees_its_leaf(ad):
    """Clearing a gradient stored with its graph breaks the cycle with its leaf, and the leaf can be freed."""

    def make():
        x = ad.leaf(3.0)
        ad.backward(x * x, create_graph=True)
        ad.set_gradient_(x, None)
        return x

    equal(ad.survives(make), False)


@behaviour(SHOULD, torch("torch.autograd.backward"), document("004"))
def asking_for_the_gradient_leaves_no_cycle(ad):
    """A gradient with a graph that is returned, and not stored, leaves no cycle behind."""

    def make():
        x = ad.leaf(3.0)
        _ = ad.grad_of(x * x, x, create_graph=True)
        return x

    equal(ad.survives(make), False)


@behaviour(MUST, torch("torch.Tensor.backward"))
def saved_values_are_released_by_the_walk(ad):
    """A value that only the graph kept alive is released by backward, although the output is still there."""
    seen = []

    def make():
        weight = ad.array([3.0, 5.0])
        output = ad.np.sum(ad.leaf([1.0, 2.0]) * weight)
        seen.append(output)
        ad.backward(output)
        return weight

    equal(ad.survives(make), False)


@behaviour(MUST, torch("torch.Tensor.backward", raises=RuntimeError, says="a second time"))
def freeing_reaches_a_shared_part(ad):
    """Backward from one of two outputs frees the part of the graph that they share: from the other it is refused."""
    x = ad.leaf(2.0)
    shared = x * x
    ad.backward(3 * shared)
    raises(lambda: ad.backward(4 * shared))


@behaviour(MAY, torch("notes/autograd", "Saved tensors", raises=RuntimeError, says="saved"))
def saved_values_cannot_be_read_after_the_walk(ad):
    """What an operation saved cannot be read once backward has freed it."""
    x = ad.leaf(2.0)
    y = x * x
    ad.backward(y)
    raises(lambda: ad.saved_value(y, "self"))


@behaviour(MUST, torch("torch.autograd.grad", raises=RuntimeError, says="a second time"))
def asking_for_a_gradient_frees_the_graph(ad):
    """A gradient that is asked for, and not accumulated, frees the graph as backward does."""
    x = ad.leaf(2.0)
    y = x * x
    _ = ad.grad_of(y, x)
    raises(lambda: ad.grad_of(y, x))


@behaviour(
    MUST,
    torch(
        "notes/autograd", "In-place correctness checks", raises=RuntimeError, says="modified by an inplace operation"
    ),
)
def an_updated_leaf_bars_a_retained_graph(ad):
    """A second backward is refused through a retained graph that saved its leaf, if the leaf was updated in place."""
    x = ad.leaf(2.0)
    y = x * x
    ad.backward(y, retain_graph=True)
    with ad.no_grad():
        ad.sub_(x, 0.5)
    raises(lambda: ad.backward(y))


@behaviour(MUST, torch("torch.autograd.grad"))
def retaining_makes_no_graph_of_the_gradient(ad):
    """Retaining the graph does not make the gradient differentiable."""
    x = ad.leaf(2.0)
    (gradient,) = ad.grad_of(x**3, x, retain_graph=True)
    equal(ad.requires_grad(gradient), False)


@behaviour(MUST, torch("torch.Tensor.backward", raises=RuntimeError, says="backward through the graph a second time"))
def a_graph_with_hooks_is_freed_too(ad):
    """A graph that has a hook on a node is freed by the first backward as any other is: a second one is refused."""
    x = ad.leaf(3.0)
    y = x * x
    ad.register_node_hook(y, lambda passed, received: None)
    ad.backward(y)
    raises(lambda: ad.backward(y))
