import torch
from torch.autograd import forward_ad


class Triple(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.stack([2 * x, 3 * x])[1]

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def jvp(ctx, tangent):
        return 3 * tangent


with forward_ad.dual_level():
    output = Triple.apply(forward_ad.make_dual(torch.ones(2), torch.ones(2)))
    assert forward_ad.unpack_dual(output).tangent.tolist() == [3.0, 3.0]
