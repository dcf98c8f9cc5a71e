import functools

import torch
from torch.utils.checkpoint import checkpoint, create_selective_checkpoint_contexts

contexts = functools.partial(create_selective_checkpoint_contexts, [torch.ops.aten.sin.default])


def doubled(x):
    sine, cosine = torch.sin(x), torch.cos(x)
    return sine.mul_(2) + cosine  # the sine was saved


def program(x):
    return checkpoint(doubled, x, use_reentrant=False, context_fn=contexts)


x = torch.tensor(0.0, requires_grad=True)
try:
    torch.compile(program, backend="aot_eager")(x).backward()
except RuntimeError:
    pass  # as in eager mode: a cached tensor has been mutated
else:
    raise AssertionError(f"no error, and the gradient {x.grad}")
