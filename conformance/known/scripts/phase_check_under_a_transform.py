import torch

a = torch.tensor([[2.0, 1j], [-1j, 3.0]])


def loss(a):  # depends on the phase of the eigenvectors, which is arbitrary: the backward of eigh says so
    return torch.linalg.eigh(a)[1].real.sum()


try:
    gradient = torch.func.grad(loss)(a)
except RuntimeError as error:
    assert "phase" in str(error) or "phi" in str(error), error
else:
    raise AssertionError(f"no error, but {gradient.tolist()}")
