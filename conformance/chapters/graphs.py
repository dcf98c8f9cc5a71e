"""Graphs: what was recorded, and how to look at it."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, document, jax, jax_jit, torch, torch_func
from conformance.expect import an_error, close, equal, one_of

NEXT = "torch.autograd.graph.Node.next_functions"


@behaviour(MAY, torch(NEXT), document("004"))
def the_graph_ends_at_its_leaves(ad):
    """Behind an operation on leaves stands, for each leaf, the node that accumulates its gradient."""
    product = ad.leaf(2.0) * ad.leaf(3.0)
    equal(ad.next_names(product), ("AccumulateGrad", "AccumulateGrad"))


@behaviour(MAY, torch(NEXT), document("004"))
def the_graph_leads_back_through_results(ad):
    """Behind an operation on a result stands the operation that made the result."""
    equal(ad.next_names(ad.np.exp(ad.leaf(2.0) * 3)), ("MulBackward0",))


@behaviour(MUST, torch("notes/autograd", "How autograd encodes the history"))
def an_untracked_result_has_no_creator(ad):
    """A result of plain arrays alone names no operation that made it."""
    equal(ad.grad_fn_name(ad.array(1.0) + 1), None)


def _first_if_positive(x, y):
    return x * x if x > 0 else y * y


@behaviour(
    MUST,
    raises=(
        torch("torch.autograd.grad", raises=RuntimeError, says="appears to not have been used"),
        jax_jit("errors", "TracerBoolConversionError", raises="TracerBoolConversionError"),
    ),
    zero=(jax("jax.grad"), torch_func("torch.func.grad")),
)
def an_untaken_branch_gives_no_gradient(ad):
    """A variable that only the branch not taken would use has no gradient: it is refused, or zero."""
    gradients = ad.grad(_first_if_positive, argnums=(0, 1))
    return one_of(lambda: gradients(ad.array(3.0), ad.array(2.0)), raises=an_error, zero=(6.0, 0.0))


@behaviour(MAY, torch(NEXT))
def a_walk_ends_at_the_accumulator_of_its_leaf(ad):
    """The graph leads from an output to a node that holds the leaf itself."""
    x, y = ad.leaf(2.0), ad.leaf(3.0)
    product = x * y
    equal((ad.next_leaf(product, 0) is x, ad.next_leaf(product, 1) is y), (True, True))


@behaviour(MAY, torch(NEXT))
def an_edge_has_a_number_and_may_be_empty(ad):
    """Each edge is a node and the number of one of its outputs; behind an input outside the graph it has no node."""
    equal(ad.next_functions(ad.leaf(2.0) * ad.array(3.0)), (("AccumulateGrad", 0), (None, 0)))


@behaviour(MAY, torch(NEXT))
def a_leaf_used_twice_has_one_accumulator(ad):
    """Behind an operation that uses a leaf twice stands, twice, the one node that accumulates its gradient."""
    x = ad.leaf(2.0)
    first, second = ad.next_nodes(x * x)
    equal(first is second, True)


@behaviour(MAY, torch("autograd", "Autograd graph"))
def outputs_of_one_operation_share_a_node(ad):
    """Several outputs of one operation share the node that made them, and differ in their number."""
    split = ad.custom_function(lambda ctx, x: (2 * x, 3 * x), lambda ctx, g, h: 2 * g + 3 * h)
    first, second = split(ad.leaf(5.0))
    equal(ad.same_grad_fn(first, second), True)
    equal((ad.output_nr(first), ad.output_nr(second)), (0, 1))


@behaviour(MUST, torch("notes/autograd", "How autograd encodes the history"))
def a_node_runs_once_with_the_whole_gradient(ad):
    """A value used twice passes its gradient on once, and whole: of 3u + u^2 at u = 4 that is 3 + 8."""
    seen = []
    x = ad.leaf(2.0)
    u = x * x
    ad.register_hook(u, seen.append)
    ad.backward(3 * u + u * u)
    close((seen, ad.gradient_of(x)), ((11.0,), 44.0))


@behaviour(
    SHOULD,
    torch("notes/faq", "Don't accumulate history across your training loop"),
    cases={"of_losses": (lambda ad, x: x, True), "of_numbers": (lambda ad, x: ad.array(ad.number_of(x)), False)},
)
def a_sum_of_losses_keeps_their_history(ad, term, expected):
    """A running sum of losses requires grad, and holds the graph of each; a running sum of their numbers does not."""
    x = ad.leaf(2.0)
    equal(ad.requires_grad(term(ad, 3 * x) + term(ad, 5 * x)), expected)
