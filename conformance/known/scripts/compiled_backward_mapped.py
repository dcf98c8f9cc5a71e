import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = torch.compile(lambda x: x * x, backend="aot_eager")(x)
rows = torch.vmap(lambda g: torch.autograd.grad(y, x, g, retain_graph=True)[0])(torch.eye(2))
assert rows.tolist() == [[4.0, 0.0], [0.0, 6.0]], rows
