"""Document 004, 2, the calls of handle_torch_function.

A class of one's own with __torch_function__ takes over grad and backward when it is among their
arguments.
"""

import torch


class Recorder:
    """Answers every function of torch that it is given to with that function's name."""

    @classmethod
    def __torch_function__(cls, function, types, arguments=(), keywords=None):
        return f"{function.__name__} taken over"


x = torch.tensor([1.0, 2.0], requires_grad=True)
print("grad of a Recorder:", torch.autograd.grad(Recorder(), x))
print("grad by a Recorder:", torch.autograd.grad(x.sum(), Recorder()))
print("backward of a Recorder:", torch.autograd.backward(Recorder()))
