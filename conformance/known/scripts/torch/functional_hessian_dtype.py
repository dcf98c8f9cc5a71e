import torch

point = (torch.tensor(3.0, dtype=torch.float32), torch.tensor(4.0, dtype=torch.float64))
hessian = torch.autograd.functional.hessian(lambda x, y: 5 * x * x * y, point)
assert [block.dtype for block in hessian[0]] == [torch.float32, torch.float32]
