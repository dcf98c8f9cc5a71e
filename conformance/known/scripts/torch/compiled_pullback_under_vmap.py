import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.compile(lambda x: x * x, backend="aot_eager")(x)
(rows,) = torch.vmap(lambda g: torch.autograd.grad(y, x, g))(torch.eye(2))
assert rows.tolist() == [[2.0, 0.0], [0.0, 4.0]]
