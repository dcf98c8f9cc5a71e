"""Hooks on nodes: functions called before and after a node of the graph runs backward."""

from conformance.behaviour import MAY, MUST, behaviour, torch
from conformance.expect import close, equal, raises

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


@behaviour(MUST, torch(NODE_HOOK, since="2.0"), torch("torch.autograd.Function.backward"))
def a_node_hook_is_given_the_gradients_in_order(ad):
    """A hook on the node of a custom Function is given the gradients of its inputs and of its outputs, each in their
    order, here where both inputs require grad and both outputs are used."""
    seen = []
    function = ad.custom_function(lambda ctx, x, y: (2 * x + 5 * y, 3 * x), lambda ctx, g, h: (2 * g + 3 * h, 5 * g))
    first, second = function(ad.leaf(3.0), ad.leaf(4.0))
    ad.register_node_hook(second, lambda passed, received: seen.append((passed, received)))
    ad.backward(13 * first + 17 * second)
    close(seen, (((77.0, 65.0), (13.0, 17.0)),))


@behaviour(MUST, torch(NODE_HOOK, since="2.1"))
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
    handle = ad.register_node_hook(y, lambda passed, received: (10 * passed[0],))
    ad.backward(2 * y, retain_graph=True)
    ad.remove_hook(handle)
    ad.backward(2 * y)
    close(ad.gradient_of(x), 22.0)


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
    handle = ad.register_node_prehook(y, lambda received: (10 * received[0],))
    ad.backward(2 * y, retain_graph=True)
    ad.remove_hook(handle)
    ad.backward(2 * y)
    close(ad.gradient_of(x), 66.0)


@behaviour(MAY, torch(NODE_HOOK, since="2.0", unstated="the page does not mention inputs that do not require grad"))
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


@behaviour(
    MUST,
    torch("notes/autograd", EXECUTION),
    torch(NODE_PREHOOK, since="2.0"),
    cases={
        "backward": (lambda ad, output, x: (ad.backward(output), ad.gradient_of(x))[1:], 42.0),
        "grad": (lambda ad, output, x: ad.grad_of(output, x), 6.0),
    },
)
def a_prehook_on_the_node_of_a_leaf_runs_only_for_backward(ad, differentiate, expected):
    """A pre-hook on the AccumulateGrad node of a leaf changes the gradient that backward() accumulates, but not the one
    that grad returns, as grad does not execute that node."""
    x = ad.leaf(1.0)
    output = 6 * x
    ad.register_node_prehook(x, lambda received: (7 * received[0],))
    close(differentiate(ad, output, x), (expected,))


@behaviour(MAY, torch(NODE_HOOK, since="2.5"))
def a_node_hook_registered_while_the_node_runs_can_replace_its_gradients(ad):
    """A hook that is registered on a node by a pre-hook of this node can replace the gradients of the node's inputs."""
    x = ad.leaf(1.0)
    y = ad.clone(x)
    ad.register_node_prehook(y, lambda received: (ad.register_node_hook(y, lambda *given: (5 * given[0][0],)), None)[1])
    ad.backward(3 * y)
    close(ad.gradient_of(x), 15.0)


CREATION = torch("autograd", "torch.autograd.graph.node_creation_hook", since="2.14")


@behaviour(MUST, CREATION, aliases=("node_creation_hook",))
def a_creation_hook_is_called_with_each_node(ad):
    """Within node_creation_hook, the hook is called once with each node that is created; an operation on a tensor with
    requires_grad=False creates none."""
    seen = []
    y = 3 * ad.leaf(2.0)
    with ad.node_creation_hook(seen.append):
        product = 5 * y
        _ = 5 * ad.array(2.0)
        power = ad.np.exp(product)
    z = ad.np.sin(power)
    equal(len(seen), 2)
    equal((ad.next_nodes(power)[0] is seen[0], ad.next_nodes(z)[0] is seen[1]), (True, True))


@behaviour(MUST, CREATION)
def nested_creation_hooks_are_all_called(ad):
    """In nested scopes of node_creation_hook every hook is called, that of the outermost scope first."""
    order = []
    y = 3 * ad.leaf(2.0)
    with ad.node_creation_hook(lambda node: order.append("outer")):
        with ad.node_creation_hook(lambda node: order.append("inner")):
            y = 5 * y
        _ = 7 * y
    equal(order, ["outer", "inner", "outer"])


@behaviour(MUST, CREATION)
def a_creation_hook_is_called_in_backward(ad):
    """Within node_creation_hook, the hook is called with the nodes that grad creates with create_graph=True, here with
    that of each of two gradients."""
    seen = []
    x, w = ad.leaf(2.0), ad.leaf(3.0)
    y = x**3 + w**5
    with ad.node_creation_hook(seen.append):
        first, second = ad.grad_of(y, (x, w), create_graph=True)
    equal((ad.next_nodes(7 * first)[0] in seen, ad.next_nodes(7 * second)[0] in seen), (True, True))


@behaviour(MUST, CREATION, torch("releases/2.14", "Autograd", since="2.14"))
def a_creation_hook_is_called_in_recomputation(ad):
    """Within node_creation_hook, the hook is called with the nodes that a checkpoint creates when it is computed again
    in backward()."""
    seen, calls = [], []

    def program(x):
        calls.append(ad.np.sin(x))
        calls.append(ad.np.cos(calls[-1]))
        return ad.np.exp(calls[-1])

    y = ad.checkpoint(program, use_reentrant=False)(ad.leaf(2.0))
    with ad.node_creation_hook(seen.append):
        ad.backward(y)
    equal((ad.next_nodes(5 * calls[2])[0] in seen, ad.next_nodes(5 * calls[3])[0] in seen), (True, True))


@behaviour(MUST, CREATION, torch("releases/2.14", "Autograd", since="2.14"))
def a_creation_hook_is_not_called_in_another_thread(ad):
    """The hook of node_creation_hook is not called with the nodes of operations that run in another thread, which the
    program starts; it is with those of the thread that registered it."""
    seen = []
    y = 3 * ad.leaf(2.0)
    with ad.node_creation_hook(seen.append):
        ad.in_thread(lambda: ad.np.sin(ad.np.exp(y)))
        z = ad.np.sin(y)
    equal((len(seen), ad.next_nodes(7 * z)[0] in seen), (1, True))


@behaviour(MUST, CREATION)
def an_accumulate_node_is_created_once_for_its_graphs(ad):
    """The AccumulateGrad node of a leaf is created when the leaf is first used in a graph, and used again by later
    operations while that graph lives: three nodes are created for two products of one leaf."""
    seen = []
    x = ad.leaf(2.0)
    with ad.node_creation_hook(lambda node: seen.append("created")):
        y = 3 * x
        first = len(seen)
        z = 5 * x
    ad.backward(y + z)
    equal((first, len(seen)), (2, 3))


@behaviour(
    MUST,
    torch(
        "autograd", "torch.autograd.graph.node_creation_hook", since="2.14", raises=Exception, says="node creation hook"
    ),
)
def a_creation_hook_must_not_create_a_node(ad):
    """A hook of node_creation_hook that itself creates a node of the graph makes the operation raise an error."""
    y = 3 * ad.leaf(2.0)
    with ad.node_creation_hook(lambda node: (5 * y, None)[1]):
        raises(lambda: 7 * y)
