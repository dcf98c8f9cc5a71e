import torch

exp = torch.compile(torch.exp, backend="aot_eager")  # saves its output for backward, and no input
x = torch.tensor(0.0, requires_grad=True)
(first,) = torch.autograd.grad(exp(x), x, create_graph=True)
try:
    gradient = torch.autograd.grad(first + x, x)[0]  # (first + x).backward() raises an error
except RuntimeError:
    pass
else:
    assert gradient == 2.0, gradient  # exp(x) + 1; the compiled gradient was taken for a constant
