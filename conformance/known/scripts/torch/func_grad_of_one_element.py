import torch

# The page: func must return a single-element tensor.
gradient = torch.func.grad(lambda x: x * x)(torch.tensor([3.0]))
assert gradient.tolist() == [6.0]
