import torch
import torch.autograd.forward_ad as fwAD

program = torch.compile(lambda x: x**3, backend="aot_eager")
with fwAD.dual_level():
    x = fwAD.make_dual(torch.tensor(2.0, requires_grad=True), torch.tensor(1.0))
    tangent = fwAD.unpack_dual(program(x)).tangent
assert tangent == 12.0, tangent
