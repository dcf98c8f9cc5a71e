import torch

exponents = torch.tensor([1, 2])
_, jvp_fn = torch.func.linearize(lambda x: torch.ldexp(x, exponents), torch.tensor([1.0, 2.0]))  # SIGSEGV
tangent = jvp_fn(torch.tensor([3.0, 5.0]))
assert tangent.tolist() == [6.0, 20.0], tangent
