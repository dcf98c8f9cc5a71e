import torch

x = torch.tensor(3.0, requires_grad=True)
(2 * x).mul_(x).backward()  # 2 x^2
assert x.grad == 12.0
x.grad = None
torch.compile(lambda y, x: y.mul_(x), backend="aot_eager")(2 * x, x).backward()
assert x.grad == 12.0
