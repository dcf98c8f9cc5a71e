"""The order of hooks: which runs first, of one kind and of several."""

from conformance.behaviour import MUST, SHOULD, behaviour, torch
from conformance.expect import close, equal, raises

EXECUTION = "Backward Hooks execution"
SINCE = "2.1"


@behaviour(MUST, torch("notes/autograd", EXECUTION), aliases=("order of hooks",))
def tensor_hooks_run_before_node_hooks(ad):
    """Tensor hooks run before the pre-hooks and the hooks of the tensor's grad_fn, even if registered last."""
    order = []
    y = 3 * ad.leaf(1.0)
    ad.register_node_hook(y, lambda passed, received: order.append("after the node"))
    ad.register_node_prehook(y, lambda received: order.append("before the node"))
    ad.register_hook(y, lambda g: order.append("tensor"))
    ad.backward(y)
    equal(order, ["tensor", "before the node", "after the node"])


@behaviour(MUST, torch("notes/autograd", EXECUTION))
def retain_grad_stores_the_gradient_after_all_hooks(ad):
    """retain_grad() stores a non-leaf's gradient after all its tensor hooks, also those registered later."""
    y = 3 * ad.leaf(1.0)
    ad.register_hook(y, lambda g: 10 * g)
    ad.retain_gradient_(y)
    ad.register_hook(y, lambda g: 10 * g)
    ad.backward(2 * y)
    close(ad.gradient_of(y), 200.0)


@behaviour(MUST, torch("notes/autograd", EXECUTION, since=SINCE))
def a_leaf_accumulates_between_its_hooks(ad):
    """At a leaf, tensor hooks and node pre-hooks run before `.grad` is set, post-accumulate and node hooks after it."""
    order = []
    x = ad.leaf(1.0)
    y = 2 * x
    ad.register_node_hook(x, lambda passed, received: order.append(("after", ad.number_of(ad.gradient_of(x)))))
    ad.register_post_accumulate_hook(x, lambda leaf: order.append(("stored", ad.number_of(ad.gradient_of(x)))))
    ad.register_node_prehook(x, lambda received: order.append(("before", ad.gradient_of(x))))
    ad.register_hook(x, lambda g: order.append(("tensor", ad.gradient_of(x))))
    ad.backward(y)
    equal(order, [("tensor", None), ("before", None), ("stored", 2.0), ("after", 2.0)])


@behaviour(
    MUST,
    torch("notes/autograd", EXECUTION, since=SINCE),
    cases={
        "before_the_node": (lambda ad, x, note: ad.register_node_prehook(x, note),),
        "on_accumulation": (lambda ad, x, note: ad.register_post_accumulate_hook(x, note),),
        "after_the_node": (lambda ad, x, note: ad.register_node_hook(x, note),),
    },
)
def hooks_of_one_kind_run_in_order_of_registration(ad, register):
    """Several hooks of one kind on one leaf or its node run in the order in which they were registered."""
    order = []
    x = ad.leaf(1.0)
    y = 2 * x
    register(ad, x, lambda *gradients: order.append("first"))
    register(ad, x, lambda *gradients: order.append("second"))
    ad.backward(y)
    equal(order, ["first", "second"])


@behaviour(MUST, torch("notes/autograd", EXECUTION))
def a_later_prehook_is_given_what_an_earlier_one_returned(ad):
    """The second pre-hook on a node is given the gradients that the first one returned."""
    x = ad.leaf(1.0)
    y = 3 * x
    ad.register_node_prehook(y, lambda received: (10 * received[0],))
    ad.register_node_prehook(y, lambda received: (received[0] + 1,))
    ad.backward(2 * y)
    close(ad.gradient_of(x), 63.0)


@behaviour(
    MUST,
    torch("notes/autograd", EXECUTION),
    torch("torch.autograd.graph.Node.register_prehook", since="2.0"),
    aliases=("retains_grad hook before pre hook",),
)
def retain_grad_stores_the_gradient_after_node_prehooks(ad):
    """retain_grad() stores the gradient that the pre-hooks on the tensor's grad_fn return."""
    y = 3 * ad.leaf(1.0)
    ad.retain_gradient_(y)
    ad.register_node_prehook(y, lambda received: (10 * received[0],))
    ad.backward(2 * y)
    close(ad.gradient_of(y), 20.0)


QUEUE = torch("autograd", "torch.autograd.graph.queue_callback", since="2.15")


@behaviour(MUST, QUEUE, aliases=("queue_callback",))
def a_queued_callback_runs_after_the_backward_pass(ad):
    """A function that a tensor hook gives to queue_callback runs once the backward pass is complete, when the gradients
    of the leaves are accumulated."""
    seen = []
    x, w = ad.leaf(2.0), ad.leaf(3.0)
    y = 5 * x
    ad.register_hook(y, lambda g: ad.queue_callback_(lambda: seen.append((ad.gradient_of(x), ad.gradient_of(w)))))
    ad.backward(y * w)
    close(seen, ((15.0, 10.0),))


@behaviour(MUST, QUEUE)
def queued_callbacks_run_in_order(ad):
    """Functions given to queue_callback run in queueing order, and one that was given three times runs three
    times."""
    order = []
    x = ad.leaf(2.0)
    y = 5 * x
    first, second = lambda: order.append("first"), lambda: order.append("second")
    ad.register_hook(y, lambda g: (ad.queue_callback_(first), ad.queue_callback_(second), None)[2])
    ad.register_hook(x, lambda g: (ad.queue_callback_(first), ad.queue_callback_(first), None)[2])
    ad.backward(y)
    equal(order, ["first", "second", "first", "first"])


def _fail():
    raise RuntimeError("over")


@behaviour(MUST, QUEUE)
def a_queued_callback_does_not_run_after_an_error(ad):
    """A function given to queue_callback is not run if the backward pass raises an error, nor after a later pass."""
    calls = []
    x = ad.leaf(2.0)
    y = 5 * x
    ad.register_hook(y, lambda g: ad.queue_callback_(lambda: calls.append("called")))
    handle = ad.register_hook(x, lambda g: _fail())
    raises(lambda: ad.backward(y, retain_graph=True))
    after_the_error = len(calls)
    ad.remove_hook(handle)
    ad.backward(y)
    equal((after_the_error, calls), (0, ["called"]))


@behaviour(
    SHOULD,
    torch("autograd", "torch.autograd.graph.queue_callback", since="2.15", raises=Exception, says="backward pass"),
)
def a_callback_is_queued_during_a_backward_pass(ad):
    """queue_callback raises an error if no backward pass is running."""
    raises(lambda: ad.queue_callback_(lambda: None))
