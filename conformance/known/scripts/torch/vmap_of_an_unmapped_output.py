import torch

batched = torch.ones(3)
found = []
for out_dims in (1, -1):
    try:
        shape = torch.vmap(lambda x: torch.ones(2, 4), out_dims=out_dims)(batched).shape
    except RuntimeError as error:
        shape = error
    print("out_dims", out_dims, "seen", shape)
    found.append(shape)
print("true", [(2, 3, 4), (2, 4, 3)])
assert found == [(2, 3, 4), (2, 4, 3)]
