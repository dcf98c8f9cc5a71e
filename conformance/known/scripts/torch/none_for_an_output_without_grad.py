import torch

x = torch.tensor(3.0, requires_grad=True)
constant = torch.tensor(5.0)  # does not require grad: its entry of grad_tensors may be None
torch.autograd.backward([x * x, constant], [torch.tensor(1.0), None])
assert x.grad == 6.0, x.grad
