"""Overrides: tensor-like objects that override torch functions (__torch_function__)."""

from conformance.behaviour import MUST, behaviour, document, torch
from conformance.expect import equal

TENSOR_LIKE = "Extending torch Python API"


@behaviour(
    MUST,
    torch("notes/extending", TENSOR_LIKE),
    document("004"),
    cases={
        "output": (lambda like, x: (like, x),),
        "second_output": (lambda like, x: ((x, like), x),),
        "input": (lambda like, x: (x, like),),
    },
    aliases=("__torch_function__, tensor subclass, duck type",),
)
def a_tensor_like_object_overrides_grad(ad, arguments):
    """torch.autograd.grad with a tensor-like output or input calls its __torch_function__, and returns what that
    returns."""
    tensor_like = ad.array_like(lambda name: f"my own {name}")
    equal(ad.grad_of(*arguments(tensor_like, ad.leaf(3.0))), "my own grad")


# Asked for in pytorch/pytorch#171473 (December 2025); before, only the tensor's own method could be taken over.
@behaviour(
    MUST,
    torch("notes/extending", TENSOR_LIKE, since="2.11"),
    cases={"only": (lambda like, x: [like],), "second": (lambda like, x: [x, like],)},
)
def a_tensor_like_object_overrides_backward(ad, outputs):
    """torch.autograd.backward with a tensor-like object calls its __torch_function__."""
    calls = []
    ad.backward_of(outputs(ad.array_like(calls.append), ad.leaf(3.0)))
    equal(calls, ["backward"])
