import torch
import torch.autograd.forward_ad as fwAD


class Square(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x * x

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_forward(*inputs)

    @staticmethod
    def jvp(ctx, tangent):
        return 7 * ctx.saved_tensors[0] * tangent


with fwAD.dual_level():
    x = fwAD.make_dual(torch.tensor(2.0), torch.tensor(3.0))
    tangents = [
        fwAD.unpack_dual(square(x)).tangent.item()
        for square in (Square.apply, torch.compile(Square.apply, backend="aot_eager"))
    ]
assert tangents == [42.0, 42.0], tangents
