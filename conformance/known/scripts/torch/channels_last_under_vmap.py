import torch

batch = torch.arange(8.0).reshape(2, 1, 1, 2, 2)


def in_channels_last(x):
    return x.to(memory_format=torch.channels_last)


true = torch.stack([in_channels_last(x) for x in batch])  # each of four axes
print("true", true.shape)
seen = torch.vmap(in_channels_last)(batch)
assert torch.equal(seen, true)
