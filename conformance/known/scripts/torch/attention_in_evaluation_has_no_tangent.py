import torch

layer = torch.nn.MultiheadAttention(4, 2, batch_first=True).eval().requires_grad_(False)
x = torch.ones(1, 3, 4)
torch.func.jvp(lambda z: layer(z, z, z)[0], (x,), (x,))
