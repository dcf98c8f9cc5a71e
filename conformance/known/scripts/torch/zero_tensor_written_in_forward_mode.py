import torch
import torch.autograd.forward_ad as fwAD

with fwAD.dual_level():
    y = fwAD.make_dual(torch.tensor(2.0), torch.tensor(1.0)).sgn()
    y.neg_()
