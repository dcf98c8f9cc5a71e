import torch

_, jvp_fn = torch.func.linearize(torch.nanmean, torch.tensor([1.0, 2.0]))
tangent = torch.tensor([3.0, 5.0])
first, second = jvp_fn(tangent), jvp_fn(tangent)
assert first == second == 4.0, (first, second)
