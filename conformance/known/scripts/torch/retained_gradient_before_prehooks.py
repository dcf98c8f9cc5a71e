import torch

y = 3 * torch.tensor(1.0, requires_grad=True)
y.retain_grad()
y.grad_fn.register_prehook(lambda received: (10 * received[0],))
(2 * y).backward()
assert y.grad.item() == 20.0, y.grad
