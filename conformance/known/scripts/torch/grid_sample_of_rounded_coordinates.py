import torch
from torch.nn.functional import grid_sample

image = torch.arange(20.0).reshape(1, 1, 1, 20)
grid = torch.tensor([[[[0.734375, 0.0]]]])  # a number of bfloat16: pixel 16.84 of 20, which lies between 16 and 17


def gradient(dtype):
    x = image.to(dtype).requires_grad_()
    (result,) = torch.autograd.grad(grid_sample(x, grid.to(dtype), align_corners=False).sum(), x)
    return result.double()


seen, true = gradient(torch.bfloat16), gradient(torch.float64)
print("seen", seen[..., 15:].tolist(), "true", true[..., 15:].tolist())
assert (seen - true).abs().max() < 2**-7
