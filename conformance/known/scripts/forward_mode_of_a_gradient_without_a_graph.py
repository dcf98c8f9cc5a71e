import torch
import torch.autograd.forward_ad as forward


def tangent_of_the_gradient(create_graph):
    with forward.dual_level():
        x = forward.make_dual(torch.tensor([0.5], requires_grad=True), torch.ones(1))
        (gradient,) = torch.autograd.grad(torch.nn.functional.silu(x).sum(), x, create_graph=create_graph)
        return forward.unpack_dual(gradient).tangent.item()


print("with create_graph=True", tangent_of_the_gradient(True))
print("without", tangent_of_the_gradient(False))  # raises NotImplementedError
