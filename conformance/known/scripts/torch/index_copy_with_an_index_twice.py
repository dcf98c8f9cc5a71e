import torch

index = torch.tensor([0, 0])
source = torch.tensor([1.0, 2.0], requires_grad=True)
result = torch.zeros(2).index_copy(0, index, source)  # [2, 0]: the second number overwrites the first
(gradient,) = torch.autograd.grad(result.sum(), source)
print("result", result.tolist(), "seen", gradient.tolist(), "true, if the second is copied last", [0.0, 1.0])
assert gradient.tolist() == [0.0, 1.0]
