import torch

x = torch.ones(3)
view = x.unsqueeze(0)
x += torch.ones(3, requires_grad=True) * 2.0  # now both have a history
# view.grad_fn  # reading it here prevents the error
view.neg_()
