import torch
import torch.autograd.forward_ad as fwAD


@torch.compile(backend="aot_eager")
def scaled_tangent(x):
    tangent = fwAD.unpack_dual(x).tangent
    return None if tangent is None else 2 * tangent


with fwAD.dual_level():
    x = fwAD.make_dual(torch.tensor(2.0), torch.tensor(3.0))
    scaled = scaled_tangent(x)
assert scaled == torch.tensor(6.0), scaled
