import torch

mean = torch.tensor([0.5], requires_grad=True)
for draw in (torch.bernoulli, torch.poisson, lambda x: torch.normal(x, 1.0), lambda x: (2 * x).exponential_()):
    try:
        gradient = torch.autograd.grad(draw(mean).sum(), mean)
    except RuntimeError:
        continue
    raise AssertionError(f"backward through a random sample gives {gradient}, and is to raise an error")
