import torch

windows = torch.compile(lambda x: (2.0 * x).unfold(0, 2, 1), backend="aot_eager")
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
cotangent = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
gradient = torch.autograd.grad(windows(x), x, cotangent)[0].tolist()
assert gradient == [2.0, 10.0, 8.0], gradient  # the second number is in both windows
