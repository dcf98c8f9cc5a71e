import torch

x = torch.tensor(3.0, requires_grad=True)
try:
    y = torch.compile(lambda x: x * torch.from_numpy(x.numpy()), backend="aot_eager")(x)
except RuntimeError:
    pass  # as in eager mode: can't call numpy() on a tensor that requires grad
else:
    raise AssertionError(f"no error, and the gradient {torch.autograd.grad(y, x)}")
