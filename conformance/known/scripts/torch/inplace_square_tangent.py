import torch
import torch.autograd.forward_ad as fwAD

with fwAD.dual_level():
    y = fwAD.make_dual(torch.tensor(2.0), torch.tensor(3.0)).clone()
    y.mul_(y)
    tangent = fwAD.unpack_dual(y).tangent
assert tangent == 12.0, tangent  # 2 * 2 * 3, as for y * y
