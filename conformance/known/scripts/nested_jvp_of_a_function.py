import torch
from torch.func import jvp


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x**3

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_forward(*inputs)

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * t


def slope(x):
    return jvp(Cube.apply, (x,), (torch.tensor(1.0),))[1]


second = jvp(slope, (torch.tensor(2.0),), (torch.tensor(1.0),))[1]
print("true", 12.0)
print("seen", second.item())
assert second == 12.0
