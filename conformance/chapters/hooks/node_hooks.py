"""Hooks on nodes: functions called before and after an operation is run backward."""

from conformance.behaviour import MUST, SHOULD, behaviour, torch
from conformance.expect import close, equal

NODE_HOOK = "torch.autograd.graph.Node.register_hook"
NODE_PREHOOK = "torch.autograd.graph.Node.register_prehook"
EXECUTION = "Backward Hooks execution"


@behaviour(MUST, torch(NODE_HOOK, since="2.0"))
def a_node_hook_is_given_both_gradients(ad):
    """A hook on a node is given the gradients that the node passes on, and those that it received: 6 for 2."""
    seen = []
    x = ad.leaf(1.0)
    y = 3 * x
    ad.register_node_hook(y, lambda passed, received: seen.append((passed[:1], received)))
    ad.backward(2 * y)
    close(seen, (((6.0,), (2.0,)),))


@behaviour(MUST, torch(NODE_HOOK, since="2.0"))
def a_node_hook_may_replace_what_it_passes_on(ad):
    """What a hook on a node returns is passed on in the place of what the node computed."""
    x = ad.leaf(1.0)
    y = ad.clone(x)
    ad.register_node_hook(y, lambda passed, received: (10 * received[0] + passed[0],))
    ad.backward(2 * y)
    close(ad.gradient_of(x), 22.0)


@behaviour(MUST, torch(NODE_HOOK, since="2.0"))
def a_removed_node_hook_is_not_called(ad):
    """A node hook that was removed is not called."""
    x = ad.leaf(1.0)
    y = ad.clone(x)
    ad.remove_hook(ad.register_node_hook(y, lambda passed, received: (10 * passed[0],)))
    ad.backward(2 * y)
    close(ad.gradient_of(x), 2.0)


@behaviour(MUST, torch(NODE_PREHOOK, since="2.0"))
def a_node_prehook_may_replace_what_it_receives(ad):
    """What a node pre-hook returns is what the node computes with: 3 times 20 is 60."""
    x = ad.leaf(1.0)
    y = 3 * x
    ad.register_node_prehook(y, lambda received: (10 * received[0],))
    ad.backward(2 * y)
    close(ad.gradient_of(x), 60.0)


@behaviour(MUST, torch(NODE_PREHOOK, since="2.0"))
def a_removed_node_prehook_is_not_called(ad):
    """A node pre-hook that was removed is not called."""
    x = ad.leaf(1.0)
    y = 3 * x
    ad.remove_hook(ad.register_node_prehook(y, lambda received: (10 * received[0],)))
    ad.backward(2 * y)
    close(ad.gradient_of(x), 6.0)


@behaviour(SHOULD, torch(NODE_HOOK, since="2.0"))
def a_node_passes_nothing_to_a_constant(ad):
    """A hook on the node of a product sees None in the place of a factor that requires no gradient."""
    seen = []
    y = ad.leaf(1.0) * ad.array(3.0)
    ad.register_node_hook(y, lambda passed, received: seen.append(passed))
    ad.backward(2 * y)
    close(seen, ((6.0, None),))


@behaviour(MUST, torch("notes/autograd", EXECUTION), cases={"not_needed": ("y", []), "needed": ("x", ["called"])})
def a_node_hook_runs_only_if_the_node_does(ad, wanted, expected):
    """A hook on the node that made y from x is called for the gradient of x, and not for the gradient of y."""
    calls = []
    x = ad.leaf(1.0)
    y = 3 * x
    ad.register_node_hook(y, lambda passed, received: calls.append("called"))
    _ = ad.grad_of(2 * y, {"x": x, "y": y}[wanted])
    equal(calls, expected)
