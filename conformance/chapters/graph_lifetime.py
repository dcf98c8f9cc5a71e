"""Lifetime of the graph: how often it can be used for backward(), and what keeps it alive."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, document, jax, torch, torch_func
from conformance.expect import an_error, close, equal, one_of, raises, warns

FREED = torch("notes/autograd", "Graph retaining", raises=Exception, says="retain_graph")


@behaviour(
    MUST,
    FREED,
    torch("torch.Tensor.backward"),
    document("000"),
    aliases=("trying to backward through the graph a second time", "backward twice"),
)
def a_second_backward_without_retain_graph_raises(ad):
    """By default backward() frees the graph: a second one through an operation that saved tensors raises an error."""
    x = ad.leaf([1.0, 2.0])
    output = ad.np.sum(x * x)
    ad.backward(output)
    raises(lambda: ad.backward(output))


@behaviour(MUST, torch("torch.Tensor.backward"), document("000"), aliases=("retain_graph=true",))
def a_retained_graph_allows_a_second_backward(ad):
    """After backward(retain_graph=True) a second backward() through the graph works, and accumulates."""
    x = ad.leaf([1.0, 2.0])
    output = ad.np.sum(x * x)
    ad.backward(output, retain_graph=True)
    ad.backward(output)
    close(ad.gradient_of(x), [4.0, 8.0])


@behaviour(MUST, FREED, torch("torch.autograd.backward"), document("000"))
def retain_graph_holds_for_one_backward(ad):
    """retain_graph=True holds for one backward() only: after a second from x² without it, a third raises an error."""
    x = ad.leaf([1.0, 2.0])
    output = ad.np.sum(x * x)
    ad.backward(output, retain_graph=True)
    ad.backward(output)
    raises(lambda: ad.backward(output))


@behaviour(
    MAY,
    torch(
        "torch.autograd.backward",
        unstated="the page states that the graph is freed, not what a second pass does; programs run on it unnoticed",
    ),
)
def a_graph_that_saved_nothing_allows_a_second_backward(ad):
    """A second backward() without retain_graph=True works where no operation saved a tensor, here x + 2."""
    x = ad.leaf([1.0, 1.0])
    output = ad.np.sum(x + 2)
    ad.backward(output)
    ad.backward(output)
    close(ad.gradient_of(x), [2.0, 2.0])


@behaviour(
    MUST,
    raises=(FREED, torch("torch.autograd.grad")),
    repeated=(jax("jax.vjp"), torch_func("torch.func.vjp")),
    aliases=("call vjp_fn twice",),
)
def a_pullback_called_twice(ad):
    """A pullback (VJP function) called a second time raises an error, or returns the VJP of the second cotangent."""
    _, pullback = ad.vjp(lambda x: x * x, ad.array(3.0))
    _ = pullback(ad.array(1.0))
    return one_of(lambda: pullback(ad.array(10.0)), raises=an_error, repeated=(60.0,))


@behaviour(MUST, torch("torch.autograd.backward"), document("004"))
def retain_graph_defaults_to_create_graph(ad):
    """retain_graph defaults to create_graph: after backward(create_graph=True) a second backward() works."""
    x = ad.leaf([1.0, 2.0])
    output = ad.np.sum(x * x)
    ad.backward(output, create_graph=True)
    ad.set_gradient_(x, None)
    ad.backward(output)
    close(ad.gradient_of(x), [2.0, 4.0])


@behaviour(MUST, FREED, torch("torch.autograd.grad"), document("004"))
def retain_graph_false_overrides_create_graph(ad):
    """grad with create_graph=True and retain_graph=False frees the graph: for sum(x²) a second grad raises an error."""
    x = ad.leaf([1.0, 2.0])
    output = ad.np.sum(x * x)
    _ = ad.grad_of(output, x, create_graph=True, retain_graph=False)
    raises(lambda: ad.grad_of(output, x))


@behaviour(
    SHOULD,
    torch("torch.autograd.backward", warns=Warning, says="cycle"),
    document("004"),
    aliases=("using backward() with create_graph=true will create a reference cycle",),
)
def backward_with_create_graph_warns(ad):
    """backward(create_graph=True) warns of the reference cycle between a leaf and its `.grad`."""
    x = ad.leaf(3.0)
    warns(lambda: ad.backward(x * x, create_graph=True))
    ad.set_gradient_(x, None)


@behaviour(MAY, torch("torch.autograd.backward"), document("004"), aliases=("memory leak create_graph",))
def backward_with_create_graph_leaks_its_leaf(ad):
    """After backward(create_graph=True) of x² the leaf x and `x.grad` keep each other alive (a memory leak)."""

    def make():
        x = ad.leaf(3.0)
        ad.backward(x * x, create_graph=True)
        return x

    equal(ad.survives(make), True)


@behaviour(SHOULD, torch("torch.autograd.backward"), document("004"))
def clearing_the_gradient_frees_its_leaf(ad):
    """Setting `.grad` to None after backward(create_graph=True) breaks the reference cycle, and the leaf is freed."""

    def make():
        x = ad.leaf(3.0)
        ad.backward(x * x, create_graph=True)
        ad.set_gradient_(x, None)
        return x

    equal(ad.survives(make), False)


@behaviour(SHOULD, torch("torch.autograd.backward"), document("004"))
def grad_with_create_graph_leaves_no_cycle(ad):
    """grad with create_graph=True leaves no reference cycle: unlike after backward(), the leaf is freed."""

    def make():
        x = ad.leaf(3.0)
        _ = ad.grad_of(x * x, x, create_graph=True)
        return x

    equal(ad.survives(make), False)


@behaviour(MUST, torch("torch.Tensor.backward"))
def backward_frees_saved_tensors(ad):
    """By default backward() frees a saved tensor that only the graph kept alive, although the output still exists."""
    seen = []

    def make():
        weight = ad.array([3.0, 5.0])
        output = ad.np.sum(ad.leaf([1.0, 2.0]) * weight)
        seen.append(output)
        ad.backward(output)
        return weight

    equal(ad.survives(make), False)


@behaviour(MUST, FREED, torch("torch.Tensor.backward"), aliases=("two losses shared graph",))
def backward_frees_a_shared_part_of_the_graph(ad):
    """By default backward() from 3x² frees the graph of x²: backward() from 4x², which shares it, raises an error."""
    x = ad.leaf(2.0)
    shared = x * x
    ad.backward(3 * shared)
    raises(lambda: ad.backward(4 * shared))


@behaviour(
    MAY,
    torch(
        "notes/autograd",
        "Saved tensors",
        raises=Exception,
        says="second time",
        unstated="only the message of the error states it",
    ),
)
def saved_tensors_cannot_be_read_after_backward(ad):
    """Reading a saved tensor of a grad_fn raises an error once backward() has freed it."""
    x = ad.leaf(2.0)
    y = x * x
    ad.backward(y)
    raises(lambda: ad.saved_value(y, "self"))


@behaviour(
    MUST,
    FREED,
    torch("torch.autograd.grad"),
    cases={
        "grad": ({}, lambda ad, y, x: ad.grad_of(y, x)),
        "backward": ({}, lambda ad, y, x: ad.backward(y)),
        "retain_graph_false": ({"retain_graph": False}, lambda ad, y, x: ad.grad_of(y, x)),
    },
)
def grad_frees_the_graph(ad, options, walk):
    """By default and with retain_graph=False grad frees the graph, as backward() does: a second grad or a backward() of
    x² raises an error."""
    x = ad.leaf(2.0)
    y = x * x
    close(ad.grad_of(y, x, **options), (4.0,))
    raises(lambda: walk(ad, y, x))


@behaviour(
    MUST,
    torch("notes/autograd", "In-place correctness checks", raises=Exception, says="inplace"),
    aliases=("backward after optimizer step",),
)
def backward_after_an_inplace_update_of_a_saved_leaf_raises(ad):
    """By default backward() through a retained graph raises an error once a saved leaf was updated in-place under
    no_grad."""
    x = ad.leaf(2.0)
    y = x * x
    ad.backward(y, retain_graph=True)
    with ad.no_grad():
        ad.sub_(x, 0.5)
    raises(lambda: ad.backward(y))


@behaviour(MUST, torch("torch.autograd.grad"), aliases=("retain_graph vs create_graph",))
def retain_graph_does_not_make_the_gradient_differentiable(ad):
    """retain_graph=True is not create_graph=True: the gradient that grad returns does not require grad."""
    x = ad.leaf(2.0)
    (gradient,) = ad.grad_of(x**3, x, retain_graph=True)
    equal(ad.requires_grad(gradient), False)


@behaviour(MUST, FREED, torch("torch.Tensor.backward"))
def a_graph_with_hooks_is_freed_too(ad):
    """A hook on a node does not keep the graph from being freed: a second backward() from x² raises an error."""
    x = ad.leaf(3.0)
    y = x * x
    ad.register_node_hook(y, lambda passed, received: None)
    ad.backward(y)
    raises(lambda: ad.backward(y))


@behaviour(MUST, torch("torch.autograd.grad"), FREED)
def a_gradient_with_a_graph_survives_the_freed_graph(ad):
    """With create_graph=True and retain_graph=False the gradient of x³ is differentiable, but the graph of x³ is freed:
    a second call of grad for x³ raises an error."""
    x = ad.leaf(3.0)
    y = x**3
    (gradient,) = ad.grad_of(y, x, create_graph=True, retain_graph=False)
    raises(lambda: ad.grad_of(y, x))
    close(ad.grad_of(gradient, x), (18.0,))


@behaviour(MAY, torch("torch.autograd.grad"))
def a_part_of_the_graph_that_did_not_run_is_not_freed(ad):
    """grad of a sum with respect to one leaf does not free the part of the graph that leads only to another leaf: grad
    through that part works afterwards."""
    x, y = ad.leaf(3.0), ad.leaf(5.0)
    square = y * y
    close(ad.grad_of(x * x + square, x), (6.0,))
    close(ad.grad_of(square, y), (10.0,))


@behaviour(
    MUST,
    FREED,
    torch("torch.autograd.backward"),
    cases={"by_itself": (1, {}), "first_of_two": (0, {}), "create_graph": (1, {"create_graph": True})},
)
def backward_with_retain_graph_false_frees_the_graph(ad, index, options):
    """backward(retain_graph=False) of several tensors frees the graph of each, also with create_graph=True: for x³ and
    x², a second backward() from one of them raises an error."""
    x = ad.leaf([1.0, 2.0])
    outputs, one = [x**3, x * x], ad.array([1.0, 1.0])
    ad.backward_of(outputs, [one, one], retain_graph=False, **options)
    close(ad.gradient_of(x), [5.0, 16.0])
    ad.set_gradient_(x, None)
    raises(lambda: ad.backward_of([outputs[index]], [one]))
