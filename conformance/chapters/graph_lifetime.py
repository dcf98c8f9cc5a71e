"""Lifetime of the graph: how often it can be walked, and what keeps it alive."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, document, jax, torch, torch_func
from conformance.expect import close, equal, one_of, refusal, refuses, warns


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
    refuses(lambda: ad.backward(output))


@behaviour(MUST, torch("torch.Tensor.backward"), document("000"))
def a_retained_graph_can_be_walked_again(ad):
    """A graph that the first backward was told to retain can be walked again; the gradients add up."""
    x = ad.leaf([1.0, 2.0])
    output = ad.np.sum(x * x)
    ad.backward(output, retain_graph=True)
    ad.backward(output)
    close(ad.gradient_of(x), [4.0, 8.0])


@behaviour(MUST, torch("torch.autograd.backward", raises=RuntimeError, says="a second time"), document("000"))
def retaining_lasts_for_one_walk(ad):
    """The walk that does not ask to retain frees the graph, whatever an earlier one asked."""
    x = ad.leaf([1.0, 2.0])
    output = ad.np.sum(x * x)
    ad.backward(output, retain_graph=True)
    ad.backward(output)
    refuses(lambda: ad.backward(output))


@behaviour(MAY, document("000"))
def a_graph_that_saved_nothing_can_be_walked_again(ad):
    """A graph whose operations saved no values may be walked twice, although nobody asked to retain it."""
    x = ad.leaf([1.0, 1.0])
    output = ad.np.sum(x + 2)
    ad.backward(output)
    ad.backward(output)
    close(ad.gradient_of(x), [2.0, 2.0])


@behaviour(
    MUST,
    refused=torch("torch.autograd.grad", raises=RuntimeError, says="a second time"),
    repeated=(jax("jax.vjp"), torch_func("torch.func.vjp")),
)
def a_pullback_called_twice(ad):
    """A pullback called a second time is refused, or gives the same gradient again."""
    _, pullback = ad.vjp(lambda x: x * x, ad.array(3.0))
    _ = pullback(ad.array(1.0))
    return one_of(lambda: pullback(ad.array(1.0)), refused=refusal, repeated=(6.0,))


@behaviour(MUST, torch("torch.autograd.backward"), document("004"))
def retaining_follows_create_graph(ad):
    """Unless told otherwise, a backward that builds a graph of the gradient also retains the one it walks."""
    x = ad.leaf([1.0, 2.0])
    output = ad.np.sum(x * x)
    ad.backward(output, create_graph=True)
    ad.clear_gradient_(x)
    ad.backward(output)
    close(ad.gradient_of(x), [2.0, 4.0])


@behaviour(
    MUST,
    torch("torch.autograd.grad", raises=RuntimeError, says="a second time"),
    document("004"),
)
def create_graph_yields_to_retain_graph(ad):
    """Retaining can be switched off although a graph of the gradient is built: then a second walk is refused."""
    x = ad.leaf([1.0, 2.0])
    output = ad.np.sum(x * x)
    _ = ad.grad_of(output, x, create_graph=True, retain_graph=False)
    refuses(lambda: ad.grad_of(output, x))


@behaviour(SHOULD, torch("torch.autograd.backward", warns=UserWarning, says="reference cycle"), document("004"))
def backward_with_create_graph_warns(ad):
    """Backward that builds a graph of the gradient warns of the reference cycle that it leaves."""
    x = ad.leaf(3.0)
    warns(lambda: ad.backward(x * x, create_graph=True))
    ad.clear_gradient_(x)


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
    """Resetting the gradient to None breaks that cycle, and the leaf goes with its last reference."""

    def make():
        x = ad.leaf(3.0)
        ad.backward(x * x, create_graph=True)
        ad.clear_gradient_(x)
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
