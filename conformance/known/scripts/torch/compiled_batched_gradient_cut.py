import torch

cube = torch.compile(lambda x: x**3, backend="aot_eager")
x = torch.tensor([1.0, 2.0], requires_grad=True)
(rows,) = torch.autograd.grad(cube(x), x, torch.eye(2), create_graph=True, is_grads_batched=True)
try:
    gradient = torch.autograd.grad(rows.sum() + x.sum(), x)[0]
except RuntimeError:
    pass  # double backward is not supported
else:
    assert gradient.tolist() == [7.0, 13.0], gradient  # 6 x + 1; the compiled rows were taken for constants
