import torch
from torch.func import jvp


class Cube(torch.autograd.Function):
    forward = staticmethod(lambda x: x**3)
    setup_context = staticmethod(lambda ctx, inputs, output: ctx.save_for_forward(*inputs))
    jvp = staticmethod(lambda ctx, t: 3 * ctx.saved_tensors[0] ** 2 * t)


class Double(torch.autograd.Function):
    forward = staticmethod(lambda x: 2 * x)
    setup_context = staticmethod(lambda ctx, inputs, output: None)
    jvp = staticmethod(lambda ctx, t: 2 * t)


def second(function, at):
    one = torch.tensor(1.0)
    return jvp(lambda x: jvp(function, (x,), (one,))[1], (torch.tensor(at),), (one,))[1].item()


through_what_is_saved = second(Cube.apply, 2.0)
through_the_tangent = second(lambda x: Double.apply(x**2), 2.0)
print("true", 12.0, 4.0)
print("seen", through_what_is_saved, through_the_tangent)
assert through_what_is_saved == 12.0
assert through_the_tangent == 4.0
