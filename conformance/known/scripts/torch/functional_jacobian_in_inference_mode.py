import torch

x = torch.tensor(3.0)
with torch.inference_mode():
    jacobian = torch.autograd.functional.jacobian(lambda x: x * x, x)
assert jacobian == 6, jacobian
