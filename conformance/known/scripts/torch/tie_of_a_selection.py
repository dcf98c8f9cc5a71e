import torch

# Of equal elements the first one is taken by NumPy's order, on which the reference engine is built.
gradient = torch.func.grad(lambda x: x.kthvalue(2).values)(torch.ones(3))
assert gradient.tolist() == [0.0, 1.0, 0.0], gradient
