"""Overrides: objects that stand in for arrays and take the engine's functions over."""

from conformance.behaviour import MUST, behaviour, document, torch
from conformance.expect import equal


@behaviour(MUST, torch("torch.overrides"), document("004"))
def a_stand_in_takes_over_grad(ad):
    """A gradient asked of an object that stands in for an array is whatever that object answers."""
    stand_in = ad.array_like(lambda name: f"my own {name}")
    equal(ad.grad_of(stand_in, ad.leaf(3.0)), "my own grad")


# Asked for in pytorch/pytorch#171473 (December 2025); before, only the tensor's own method could be taken over.
@behaviour(MUST, torch("torch.overrides", since="2.13"), document("004"))
def a_stand_in_takes_over_backward(ad):
    """Backward from an object that stands in for an array is left to that object."""
    calls = []
    ad.backward_of([ad.array_like(calls.append)])
    equal(calls, ["backward"])
