import reference_engine as torch

x = torch.tensor([[1.0, 2.0], [-3.0, 1.5]], dtype=torch.float64, requires_grad=True)
weights = torch.tensor([[1.0, 2.0], [3.0, 5.0]])


def f(x, c):
    # Squares of magnitudes do not depend on the phase.
    return c * (torch.linalg.eig(x).eigenvectors.abs() ** 2 * weights).sum()


print("true", torch.autograd.grad(f(x, 1.0), x)[0].tolist())
print("seen", torch.autograd.grad(f(x, 2.0**60), x)[0].div(2.0**60).tolist())  # raises RuntimeError
