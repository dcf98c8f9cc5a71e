import torch

x = torch.ones(2, requires_grad=True)
view = x.view(2)
x.detach().add_(1)
view.register_hook(print)
