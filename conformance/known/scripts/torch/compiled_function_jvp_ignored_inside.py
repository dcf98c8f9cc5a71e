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


def program(x, tangent):
    with fwAD.dual_level():
        return fwAD.unpack_dual(Square.apply(fwAD.make_dual(x, tangent))).tangent


tangents = [
    run(torch.tensor(2.0), torch.tensor(3.0)).item() for run in (program, torch.compile(program, backend="aot_eager"))
]
assert tangents == [42.0, 42.0], tangents
