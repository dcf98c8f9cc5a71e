import torch

x = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
compiled = torch.compile(lambda x: torch.var(x).sgn(), backend="aot_eager")
compiled(x).backward()  # a segmentation fault
print(x.grad, "true: zeros")
