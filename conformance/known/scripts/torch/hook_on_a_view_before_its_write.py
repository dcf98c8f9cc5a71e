import torch

x = torch.ones(3, requires_grad=True)
view = x.clone()[0:2]
seen = []
view.register_hook(seen.append)  # of the values before the write
view.sin_()
view.sum().backward()
assert len(seen) == 1, seen
