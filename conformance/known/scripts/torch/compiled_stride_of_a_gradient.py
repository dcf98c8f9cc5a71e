import torch

x = torch.ones(2, 4).t()[::2].requires_grad_()
x.sum().backward()
try:
    strides = torch.compile(lambda x: x.grad.stride(), backend="eager")(x)
except AssertionError as error:
    raise AssertionError("an assertion of Dynamo's") from error
assert strides == (2, 1)
