import torch

x = torch.tensor(-800.0, dtype=torch.float64, requires_grad=True)
loss = torch.nn.functional.soft_margin_loss(x, torch.tensor(1.0, dtype=torch.float64))
(seen,) = torch.autograd.grad(loss, x)
print("loss seen", loss.item(), "true", 800.0, "gradient seen", seen.item(), "true", -1.0)
assert seen == -1
