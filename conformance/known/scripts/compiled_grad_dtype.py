import torch


def program():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    x.grad_dtype = None
    return x.grad_dtype


assert program() is None
assert torch.compile(program, backend="aot_eager")() is None
