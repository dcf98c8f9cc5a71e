import torch
import torch.autograd.forward_ad as forward

x = torch.tensor([0.3, -0.5, 1.0], requires_grad=True)
v = torch.tensor([1.0, 2.0, 3.0])
print("true", torch.func.grad(lambda x: torch.func.jvp(lambda x: torch.softmax(x, 0), (x,), (v,))[1][0])(x.detach()))
with forward.dual_level():
    tangent = forward.unpack_dual(torch.softmax(forward.make_dual(x, v), 0)).tangent
    print("seen", torch.autograd.grad(tangent[0], x))  # raises RuntimeError
