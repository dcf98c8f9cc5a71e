"""Graphs: what was recorded, and how to look at it."""

from conformance.behaviour import MAY, behaviour, document, torch
from conformance.expect import equal

NEXT = "torch.autograd.graph.Node.next_functions"


@behaviour(MAY, torch(NEXT), document("004"))
def the_graph_ends_at_its_leaves(ad):
    """Behind an operation on leaves stands, for each leaf, the node that accumulates its gradient."""
    product = ad.leaf(2.0) * ad.leaf(3.0)
    equal(ad.creators_behind(product), ("AccumulateGrad", "AccumulateGrad"))


@behaviour(MAY, torch(NEXT), document("004"))
def the_graph_leads_back_through_results(ad):
    """Behind an operation on a result stands the operation that made the result."""
    equal(ad.creators_behind(ad.np.exp(ad.leaf(2.0) * 3)), ("MulBackward0",))
