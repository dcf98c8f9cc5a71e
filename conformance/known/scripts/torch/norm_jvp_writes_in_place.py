import torch
import torch.autograd.forward_ad as fwAD

x = torch.tensor([1.0, -2.0], requires_grad=True)
with fwAD.dual_level():
    dual = fwAD.make_dual(x * x * x, 3 * x * x)
    tangent = fwAD.unpack_dual(torch.linalg.vector_norm(dual, 1)).tangent  # of the sum of |x|^3
    print("tangent:", tangent.item(), "true: -9")
    try:
        seen = torch.autograd.grad(tangent, x)[0].tolist()
    except RuntimeError as error:
        seen = str(error)
assert seen == [6.0, 12.0], seen
