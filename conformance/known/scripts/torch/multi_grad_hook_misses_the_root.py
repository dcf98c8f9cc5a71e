import torch

x = torch.tensor(3.0, requires_grad=True)
y = x * x
calls = []
torch.autograd.graph.register_multi_grad_hook((y, x), lambda grads: calls.append(grads))
y.backward()
assert calls == [(torch.tensor(1.0), torch.tensor(6.0))], calls
