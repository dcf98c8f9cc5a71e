import torch

seen = []


def program():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    x.grad_dtype = None
    seen.append(x.grad_dtype)


torch.compile(program, backend="aot_eager")()
assert seen == [None]
