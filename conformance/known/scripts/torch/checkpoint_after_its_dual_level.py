import torch
import torch.autograd.forward_ad as fwAD
from torch.utils.checkpoint import checkpoint

x = torch.tensor(2.0, requires_grad=True)
with fwAD.dual_level():
    y = checkpoint(torch.exp, fwAD.make_dual(x, torch.tensor(1.0)), use_reentrant=False)
    tangent = fwAD.unpack_dual(y).tangent
gradient = torch.autograd.grad(tangent, x)[0]
assert torch.allclose(gradient, torch.exp(x)), gradient
