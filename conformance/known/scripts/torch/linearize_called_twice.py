import torch

tangent = torch.tensor([3.0, 5.0])
_, of_mean = torch.func.linearize(torch.nanmean, torch.tensor([1.0, 2.0]))
first, second = of_mean(tangent).item(), of_mean(tangent).item()


def reflection(x):  # of the vector x, twice its product with itself taken from the identity
    return torch.linalg.householder_product(x[:, None], torch.tensor([2.0]))[1, 0]


x = torch.tensor([1.0, 0.5])  # the first element counts as 1
_, of_reflection = torch.func.linearize(reflection, x)
print("mean, seen", first, second, "true", 4.0, "reflection, seen", of_reflection(tangent).item(), "true", -10.0)
assert first == second == 4.0
assert of_reflection(tangent).item() == torch.func.jvp(reflection, (x,), (tangent,))[1].item() == -10.0
