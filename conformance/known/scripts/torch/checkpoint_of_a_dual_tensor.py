import torch
from torch.autograd import forward_ad
from torch.utils.checkpoint import checkpoint

x = torch.tensor(2.0, requires_grad=True)
with forward_ad.dual_level():
    cube = checkpoint(lambda x: x**3, forward_ad.make_dual(x, torch.tensor(1.0)), use_reentrant=False)
    tangent = forward_ad.unpack_dual(cube).tangent
(gradient,) = torch.autograd.grad(tangent, x)
assert gradient == 12.0, gradient
