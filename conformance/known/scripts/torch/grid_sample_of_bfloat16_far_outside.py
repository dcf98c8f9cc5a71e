import torch
from torch.nn.functional import grid_sample

image = torch.arange(1.0, 10.0).reshape(1, 1, 3, 3)
grid = torch.tensor([[[[2.0**17, 0.0]]]])  # outside of -1 to 1 is padding, which is zero
seen = [
    grid_sample(image.to(dtype), grid.to(dtype), align_corners=False).item()
    for dtype in (torch.float32, torch.bfloat16)
]
print("seen", seen, "true", [0.0, 0.0])
assert seen == [0.0, 0.0]
