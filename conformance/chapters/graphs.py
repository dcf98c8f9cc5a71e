"""Graphs: the nodes that recorded operations make, and how to look at them."""

from conformance.behaviour import MAY, MUST, behaviour, jax, jax_jit, torch, torch_func
from conformance.expect import an_error, close, equal, one_of

NEXT = "torch.autograd.graph.Node.next_functions"


@behaviour(
    MAY,
    torch(NEXT, unstated="the page has the type of next_functions only; tools that draw graphs rely on it"),
    aliases=("next_functions",),
)
def the_graph_ends_at_its_leaves(ad):
    """For a product of two leaves that require grad, grad_fn.next_functions has their AccumulateGrad nodes."""
    product = ad.leaf(2.0) * ad.leaf(3.0)
    equal(ad.next_names(product), ("AccumulateGrad", "AccumulateGrad"))


@behaviour(MAY, torch(NEXT, unstated="the page has the type of next_functions only; tools that draw graphs rely on it"))
def the_graph_leads_back_through_non_leaves(ad):
    """For an operation on a non-leaf tensor, grad_fn.next_functions has the grad_fn of that non-leaf."""
    product = ad.leaf(2.0) * 3
    first, second = ad.np.exp(product), ad.np.sin(product)
    equal(ad.next_names(first), ("MulBackward0",))
    equal(ad.next_nodes(first)[0] is ad.next_nodes(second)[0], True)


def _first_if_positive(x, y):
    return x * x if x > 0 else y * y


@behaviour(
    MUST,
    raises=(
        torch("torch.autograd.grad", raises=Exception, says="not have been used"),
        jax_jit("errors", "jax.errors.TracerBoolConversionError", raises="TracerBoolConversionError"),
    ),
    zero=(jax("jax.grad"), torch_func("torch.func.grad")),
)
def the_gradient_of_an_untaken_branch(ad):
    """The gradient of an input used only in a branch that is not taken is zero, or grad by default raises an error."""
    gradients = ad.grad(_first_if_positive, argnums=(0, 1))
    return one_of(lambda: gradients(ad.array(3.0), ad.array(2.0)), raises=an_error, zero=(6.0, 0.0))


@behaviour(
    MAY,
    torch(NEXT, unstated="the page has the type of next_functions only; tools that draw graphs rely on it"),
    aliases=("accumulategrad",),
)
def an_accumulate_node_holds_its_leaf(ad):
    """The AccumulateGrad node in next_functions holds the leaf itself as its `variable`."""
    x, y = ad.leaf(2.0), ad.leaf(3.0)
    product = x * y
    equal((ad.next_leaf(product, 0) is x, ad.next_leaf(product, 1) is y), (True, True))


@behaviour(MAY, torch(NEXT, unstated="the type on the page alone has it: pairs of a node or None and a number"))
def an_edge_is_a_node_or_none_and_an_output_number(ad):
    """next_functions has pairs (node, output_nr); the node is None for an input that does not require grad."""
    equal(ad.next_functions(ad.leaf(2.0) * ad.array(3.0)), (("AccumulateGrad", 0), (None, 0)))
    _, second = ad.custom_function(lambda ctx, x: (2 * x, 3 * x), lambda ctx, g, h: 2 * g + 3 * h)(ad.leaf(5.0))
    equal(ad.next_functions(ad.np.exp(second))[0][1], 1)


@behaviour(MAY, torch(NEXT, unstated="the page has the type of next_functions only; tools that draw graphs rely on it"))
def a_leaf_used_twice_has_one_accumulate_node(ad):
    """For a leaf x that requires grad, x * x has the same AccumulateGrad node twice in its next_functions."""
    x = ad.leaf(2.0)
    square = x * x
    first, second = ad.next_nodes(square)
    equal((first is second, ad.next_leaf(square, 0) is x), (True, True))


@behaviour(MAY, torch("notes/autograd", "Backward Hooks execution"), aliases=("output_nr",))
def outputs_of_one_operation_share_a_node(ad):
    """The outputs of one call of a custom Function share one grad_fn and differ in their output_nr."""
    split = ad.custom_function(lambda ctx, x: (2 * x, 3 * x), lambda ctx, g, h: 2 * g + 3 * h)
    first, second = split(ad.leaf(5.0))
    equal(ad.same_grad_fn(first, second), True)
    equal((ad.output_nr(first), ad.output_nr(second)), (0, 1))


@behaviour(MUST, torch("torch.autograd.graph.Node.register_hook", since="2.0"))
def a_node_runs_once_with_the_summed_gradient(ad):
    """In a backward pass a hook on the grad_fn of a tensor used twice runs once, with the summed gradient: 11 for 3u +
    u² at u = 4."""
    seen = []
    x = ad.leaf(2.0)
    u = x * x
    ad.register_node_hook(u, lambda passed, received: seen.append(received))
    ad.backward(3 * u + u * u)
    close((seen, ad.gradient_of(x)), (((11.0,),), 44.0))


@behaviour(
    MUST,
    torch("notes/faq", "Don't accumulate history across your training loop"),
    cases={
        "of_losses": (lambda ad, x: x, True, 9.0),
        "of_numbers": (lambda ad, x: ad.array(ad.number_of(x)), False, 1.0),
    },
    aliases=("memory grows total_loss += loss",),
)
def a_sum_of_losses_keeps_their_history(ad, term, required, gradient):
    """A running sum of losses that require grad requires grad and has the history of each loss; a sum of their Python
    numbers does not."""
    x = ad.leaf(2.0)
    total = term(ad, 3 * x) + term(ad, 5 * x)
    equal(ad.requires_grad(total), required)
    ad.backward(total + x)
    close(ad.gradient_of(x), gradient)


EDGE = torch("autograd", "torch.autograd.graph.get_gradient_edge", since="2.2")
EDGES = torch("autograd", "torch.autograd.graph.GradientEdge", since="2.2")


@behaviour(
    MUST,
    EDGE,
    EDGES,
    cases={"leaf": (lambda x, y: x, [12.0, 18.0]), "non_leaf": (lambda x, y: y, [3.0, 4.5])},
    aliases=("get_gradient_edge, GradientEdge",),
)
def an_edge_takes_the_place_of_an_input_of_grad(ad, chosen, expected):
    """grad(y, get_gradient_edge(t)) returns the same as grad(y, t)."""
    x = ad.leaf([2.0, 3.0])
    y = 2 * x
    close(ad.grad_of(ad.np.sum(y * x * 1.5), ad.gradient_edge(chosen(x, y))), (expected,))


@behaviour(
    MUST,
    torch("torch.autograd.grad", since="2.5"),
    torch("torch.autograd.backward", since="2.7"),
    cases={
        "grad": (lambda ad, edge, x, g: ad.grad_of([edge], x, [g]),),
        "backward": (lambda ad, edge, x, g: (ad.backward_of([edge], [g]), (ad.gradient_of(x),))[1],),
    },
)
def an_edge_takes_the_place_of_an_output(ad, differentiate):
    """grad and backward take a GradientEdge, here of the second of two outputs of one node, in place of an output."""
    x = ad.leaf([1.0, 2.0, 3.0])
    _, second = ad.view_by(5 * x, "split", [1, 2])
    close(differentiate(ad, ad.gradient_edge(second), x, ad.array([7.0, 11.0])), ([0.0, 35.0, 55.0],))


def _unrecorded(ad, x):
    with ad.no_grad():
        return 3 * x


@behaviour(
    MUST,
    torch("autograd", "torch.autograd.graph.Node"),
    cases={
        "recorded": (lambda ad: 3 * ad.leaf(2.0), True),
        "one_input": (lambda ad: ad.array(3.0) * ad.leaf(2.0), True),
        "leaf": (lambda ad: ad.leaf(2.0), False),
        "plain": (lambda ad: 3 * ad.array(2.0), False),
        "no_grad": (lambda ad: _unrecorded(ad, ad.leaf(2.0)), False),
    },
)
def the_output_of_a_recorded_operation_has_a_node(ad, make, expected):
    """The grad_fn of a tensor is a node of the graph if the tensor is the output of a recorded operation, and None
    otherwise."""
    equal(ad.grad_fn_name(make(ad)) is not None, expected)
