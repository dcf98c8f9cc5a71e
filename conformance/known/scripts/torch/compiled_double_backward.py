import torch

cube = torch.compile(lambda x: x**3, backend="aot_eager")
x = torch.tensor(2.0, requires_grad=True)
(first,) = torch.autograd.grad(cube(x), x, create_graph=True)
gradient = torch.autograd.grad(first + x, x)[0]
assert gradient == 13.0, gradient  # 6 x + 1
