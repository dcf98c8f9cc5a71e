import torch
from torch.nn.utils.rnn import pack_padded_sequence

x = torch.ones(3, 2, 1)
torch.func.grad(lambda z: pack_padded_sequence(z, torch.tensor([3, 1])).data.sum())(x)
