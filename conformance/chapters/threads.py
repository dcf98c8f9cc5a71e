"""Threads: derivatives computed in several threads of one process."""

from conformance.behaviour import MAY, MUST, behaviour, jax, torch
from conformance.expect import close, equal, raises


@behaviour(
    MUST,
    torch("notes/autograd", "Non-determinism"),
    jax("concurrency"),
    aliases=("thread safety", "multithreaded backward"),
)
def a_gradient_in_another_thread_changes_nothing(ad):
    """Threads compute independent gradients with grad(), even if one runs between forward and backward of another."""
    _, pullback = ad.vjp(lambda x: (x + 3) * (x + 4), ad.array(1.0))
    other = ad.in_thread(lambda: ad.grad(lambda x: 5 * x * x)(ad.array(3.0)))
    close((pullback(ad.array(1.0)), other), ((9.0,), 30.0))


@behaviour(
    MUST,
    torch("notes/autograd", "Graph retaining", raises=Exception, says="retain_graph"),
    cases={
        "grad": (lambda ad, output, x: ad.grad_of(output, x),),
        "backward": (lambda ad, output, x: ad.backward(output),),
    },
)
def a_graph_freed_in_another_thread_raises(ad, walk):
    """By default a second grad() or backward() through an operation that saved a tensor, here x², raises an error if
    another thread has freed the graph."""
    x = ad.leaf(2.0)
    output = x * x
    ad.in_thread(lambda: walk(ad, output, x))
    raises(lambda: walk(ad, output, x))


@behaviour(MUST, torch("torch.Tensor.grad"), torch("notes/autograd", "Non-determinism"), aliases=("hogwild",))
def backward_in_another_thread_accumulates(ad):
    """backward() in several threads, one after the other, accumulates the gradients in the .grad of a leaf that the
    threads share."""
    x = ad.leaf([1.0, 2.0])
    ad.in_thread(lambda: ad.backward(ad.np.sum(x * x)))
    ad.backward(ad.np.sum(3 * x))
    ad.in_thread(lambda: ad.backward(ad.np.sum(10 * x)))
    close(ad.gradient_of(x), [15.0, 17.0])


@behaviour(MAY, torch("notes/autograd", "Non-determinism"))
def grad_in_another_thread_accumulates_nothing(ad):
    """Threads that share a leaf can use grad() in place of backward(): each gets its gradient, and the .grad of the
    leaf stays None."""
    x = ad.leaf([1.0, 2.0])
    here = ad.np.sum(3 * x)
    there = ad.in_thread(lambda: ad.grad_of(ad.np.sum(x * x), x))
    close((there, ad.grad_of(here, x)), (([2.0, 4.0],), ([3.0, 3.0],)))
    equal(ad.gradient_of(x), None)
