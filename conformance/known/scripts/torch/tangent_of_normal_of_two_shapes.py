import torch

mean = torch.zeros(1, 3, dtype=torch.float64)
deviation = torch.ones(2, 3, dtype=torch.float64)
# Raises RuntimeError: the tangent has the shape of the mean, (1, 3), and the output (2, 3).
output, tangent = torch.func.jvp(lambda mean: torch.normal(mean, deviation), (mean,), (torch.ones_like(mean),))
assert tangent.shape == output.shape
