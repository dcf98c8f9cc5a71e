"""Hooks on nodes: functions called before and after a node of the graph runs backward."""

from conformance.behaviour import MAY, MUST, behaviour, torch
from conformance.expect import close, equal

NODE_HOOK = "torch.autograd.graph.Node.register_hook"
NODE_PREHOOK = "torch.autograd.graph.Node.register_prehook"
EXECUTION = "Backward Hooks execution"


@behaviour(MUST, torch(NODE_HOOK, since="2.0"), aliases=("grad_fn register_hook",))
def a_node_hook_is_given_both_gradients(ad):
    """A hook on a node is given the gradients of its inputs and of its outputs: 6 and 2 for 3x with cotangent 2."""
    seen = []
    x = ad.leaf(1.0)
    y = 3 * x
    ad.register_node_hook(y, lambda passed, received: seen.append((passed[:1], received)))
    ad.backward(2 * y)
    close(seen, (((6.0,), (2.0,)),))


@behaviour(MUST, torch(NODE_HOOK, since="2.0"))
def a_node_hook_can_replace_the_input_gradients(ad):
    """A tuple that a hook on a node returns replaces the gradients of the node's inputs."""
    x = ad.leaf(1.0)
    y = ad.clone(x)
    ad.register_node_hook(y, lambda passed, received: (10 * received[0] + passed[0],))
    ad.backward(2 * y)
    close(ad.gradient_of(x), 22.0)


@behaviour(MUST, torch(NODE_HOOK, since="2.0"))
def a_removed_node_hook_is_not_called(ad):
    """A hook on a node is no longer called after handle.remove()."""
    x = ad.leaf(1.0)
    y = ad.clone(x)
    ad.remove_hook(ad.register_node_hook(y, lambda passed, received: (10 * passed[0],)))
    ad.backward(2 * y)
    close(ad.gradient_of(x), 2.0)


@behaviour(MUST, torch(NODE_PREHOOK, since="2.0"), aliases=("register_prehook",))
def a_node_prehook_can_replace_the_output_gradients(ad):
    """A tuple that a pre-hook on a node returns replaces the gradients of the node's outputs."""
    x = ad.leaf(1.0)
    y = 3 * x
    ad.register_node_prehook(y, lambda received: (10 * received[0],))
    ad.backward(2 * y)
    close(ad.gradient_of(x), 60.0)


@behaviour(MUST, torch(NODE_PREHOOK, since="2.0"))
def a_removed_node_prehook_is_not_called(ad):
    """A pre-hook on a node is no longer called after handle.remove()."""
    x = ad.leaf(1.0)
    y = 3 * x
    ad.remove_hook(ad.register_node_prehook(y, lambda received: (10 * received[0],)))
    ad.backward(2 * y)
    close(ad.gradient_of(x), 6.0)


@behaviour(MAY, torch(NODE_HOOK, since="2.0"))
def a_node_hook_is_given_none_for_a_constant_factor(ad):
    """A hook on the node of a product is given None as the gradient of a factor with requires_grad=False."""
    seen = []
    y = ad.leaf(1.0) * ad.array(3.0)
    ad.register_node_hook(y, lambda passed, received: seen.append(passed))
    ad.backward(2 * y)
    close(seen, ((6.0, None),))


@behaviour(MUST, torch("notes/autograd", EXECUTION), cases={"not_needed": ("y", []), "needed": ("x", ["called"])})
def a_node_hook_runs_only_if_the_node_does(ad, wanted, expected):
    """A hook on the grad_fn of y = 3x is called by grad with respect to x, but not by grad with respect to y."""
    calls = []
    x = ad.leaf(1.0)
    y = 3 * x
    ad.register_node_hook(y, lambda passed, received: calls.append("called"))
    _ = ad.grad_of(2 * y, {"x": x, "y": y}[wanted])
    equal(calls, expected)
