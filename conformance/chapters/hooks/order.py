"""The order of hooks: who comes first where hooks of several kinds meet at one place."""

from conformance.behaviour import MUST, behaviour, torch
from conformance.expect import close, equal

EXECUTION = "Backward Hooks execution"
SINCE = "2.1"


@behaviour(MUST, torch("notes/autograd", EXECUTION))
def hooks_of_an_array_precede_those_of_its_node(ad):
    """The hooks of an array run before its node's, whatever was registered first; the node runs between its own."""
    order = []
    y = 3 * ad.leaf(1.0)
    ad.register_node_hook(y, lambda passed, received: order.append("after the node"))
    ad.register_node_prehook(y, lambda received: order.append("before the node"))
    ad.register_hook(y, lambda g: order.append("array"))
    ad.backward(y)
    equal(order, ["array", "before the node", "after the node"])


@behaviour(MUST, torch("notes/autograd", EXECUTION))
def a_kept_gradient_has_passed_all_hooks(ad):
    """A result retains its gradient as all its hooks leave it, registered before retain_grad or after: 2 to 200."""
    y = 3 * ad.leaf(1.0)
    ad.register_hook(y, lambda g: 10 * g)
    ad.retain_gradient_(y)
    ad.register_hook(y, lambda g: 10 * g)
    ad.backward(2 * y)
    close(ad.gradient_of(y), 200.0)


@behaviour(MUST, torch("notes/autograd", EXECUTION, since=SINCE))
def storing_lies_between_the_hooks_of_a_leaf(ad):
    """At a leaf its hooks run first, then its node's pre-hooks, storing, hooks on accumulation, its node's hooks."""
    order = []
    x = ad.leaf(1.0)
    y = 2 * x
    ad.register_node_hook(x, lambda passed, received: order.append(("after", ad.number_of(ad.gradient_of(x)))))
    ad.register_post_accumulate_hook(x, lambda leaf: order.append(("stored", ad.number_of(ad.gradient_of(x)))))
    ad.register_node_prehook(x, lambda received: order.append(("before", ad.gradient_of(x))))
    ad.register_hook(x, lambda g: order.append(("array", ad.gradient_of(x))))
    ad.backward(y)
    equal(order, [("array", None), ("before", None), ("stored", 2.0), ("after", 2.0)])


@behaviour(
    MUST,
    torch("notes/autograd", EXECUTION, since=SINCE),
    cases={
        "before_the_node": (lambda ad, x, note: ad.register_node_prehook(x, note),),
        "on_accumulation": (lambda ad, x, note: ad.register_post_accumulate_hook(x, note),),
        "after_the_node": (lambda ad, x, note: ad.register_node_hook(x, note),),
    },
)
def hooks_of_one_kind_run_as_registered(ad, register):
    """Of several hooks of one kind at one place, the one that was registered first runs first."""
    order = []
    x = ad.leaf(1.0)
    y = 2 * x
    register(ad, x, lambda *gradients: order.append("first"))
    register(ad, x, lambda *gradients: order.append("second"))
    ad.backward(y)
    equal(order, ["first", "second"])


@behaviour(MUST, torch("notes/autograd", EXECUTION))
def a_later_hook_sees_what_an_earlier_one_made(ad):
    """A node's second pre-hook is given what its first returned: 2 becomes 20, then 21, and the node makes it 63."""
    x = ad.leaf(1.0)
    y = 3 * x
    ad.register_node_prehook(y, lambda received: (10 * received[0],))
    ad.register_node_prehook(y, lambda received: (received[0] + 1,))
    ad.backward(2 * y)
    close(ad.gradient_of(x), 63.0)
