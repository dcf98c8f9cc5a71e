import torch

gradient = torch.func.grad(lambda x: torch.vmap(torch.max)(x[None]).sum())
assert gradient(torch.ones(2)).tolist() == [0.5, 0.5], gradient(torch.ones(2))
