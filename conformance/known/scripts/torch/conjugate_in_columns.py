import torch


def program(x):
    return torch.real(torch.conj(x * (1 + 1j)) * (2 + 1j))


x = torch.tensor(2.0)
jacobian = torch.autograd.functional.jacobian(program, x, vectorize=True, strategy="forward-mode")
assert jacobian == 3.0, jacobian
