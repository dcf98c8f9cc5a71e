import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
with torch.autograd.graph.allow_mutation_on_saved_tensors():
    y = x.clone()
    output = (y**2).sum()
    y[1:].mul_(10)
    output.backward()
assert x.grad.tolist() == [4.0, 6.0], x.grad
