"""Document 004, 2, the comment on checkpointing.

Reentrant checkpointing works under a plain backward only; under autograd.grad, and under backward with
inputs, it raises an error. The document's PyTorch knew no other kind; the one without reentrance, which came
later, works with all.
"""

import torch
from torch.utils.checkpoint import checkpoint


def cube(x):
    return x * x * x


def loss(x, reentrant):
    return checkpoint(cube, x, use_reentrant=reentrant).sum()


for reentrant in (True, False):
    print("use_reentrant =", reentrant)
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    loss(x, reentrant).backward()
    print("x.grad =", x.grad.tolist())
    try:
        (gradient,) = torch.autograd.grad(loss(x, reentrant), x)
        print("gradient by autograd.grad =", gradient.tolist())
    except Exception as error:
        print("autograd.grad raises", type(error).__name__)
    x.grad = None
    try:
        loss(x, reentrant).backward(inputs=[x])
        print("x.grad with inputs =", x.grad.tolist())
    except Exception as error:
        print("backward with inputs raises", type(error).__name__)
