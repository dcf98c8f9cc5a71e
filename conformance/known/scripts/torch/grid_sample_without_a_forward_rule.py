import torch

image, grid = torch.tensor([[[[0.0, 1.0]]]]), torch.zeros(1, 1, 1, 2)


def f(image):
    return torch.nn.functional.grid_sample(image, grid, align_corners=True).sum()


print("gradient", torch.func.grad(f)(image))
print("tangent", torch.func.jvp(f, (image,), (torch.ones_like(image),)))  # raises NotImplementedError
