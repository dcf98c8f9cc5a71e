import torch

y = torch.tensor([0.0, 2.0], requires_grad=True)
loss = torch.nn.functional.poisson_nll_loss(torch.tensor([1.0, 1.0]), y, full=True, reduction="sum")
(seen,) = torch.autograd.grad(loss, y)
print("seen", seen.tolist(), "true", [-1.0, 2.0**-2 + 0.6931472 - 1.0])  # Stirling's term is 0 for targets up to 1
assert seen[0] == -1
