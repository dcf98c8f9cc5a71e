import torch
import torch.autograd.forward_ad as fwAD

x = torch.tensor([1.0, 3.0, 2.0], requires_grad=True)
weight = torch.tensor(5.0)
seen = []
for both in (lambda x: (torch.amin(x), torch.amax(x)), torch.aminmax):
    with fwAD.dual_level():
        least, greatest = both(fwAD.make_dual(x * x, 2 * x))
        tangent = fwAD.unpack_dual(weight * least + weight * greatest).tangent  # 10 x at the least and greatest
        print("tangent:", tangent.item(), "true: 40")
        try:
            seen.append(torch.autograd.grad(tangent, x)[0].tolist())
        except RuntimeError as error:
            seen.append(str(error))
    print("its gradient:", seen[-1])
assert seen[0] == seen[1], seen
