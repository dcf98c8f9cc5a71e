import torch
import torch.autograd.forward_ad as fwAD

x = torch.tensor([1.0, -2.0], requires_grad=True)
with fwAD.dual_level():
    dual = fwAD.make_dual(x * 1.0, torch.ones(2))
    tangent = fwAD.unpack_dual(torch.logcumsumexp(dual, 0)).tangent
    print("tangent:", tangent.tolist(), "true: 1, 1, as logcumsumexp(x + t) = logcumsumexp(x) + t")
    try:
        seen = torch.autograd.grad(tangent.sum(), x)[0]
    except RuntimeError as error:
        seen = error
assert isinstance(seen, torch.Tensor), seen
assert seen.abs().max() < 1e-6, seen
