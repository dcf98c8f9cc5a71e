import torch

layer = torch.nn.GRU(2, 3)
torch.vmap(lambda x: layer(x)[0])(torch.ones(4, 5, 2))
