"""Document 002, "Take care when assigning to another variable".

A slice of a parameter is a view: writing through its .data changes the parameter. A clone has its own
memory, and yet the gradient still finds its way back to the parameter.
"""

import torch

v1 = torch.nn.Parameter(torch.tensor([0.2928, 0.7851, 0.0654, 0.9038, 0.8469, 0.8558]))
a = v1[:4]
a.data.copy_(torch.tensor([0.1814, 0.2235, 0.1048, 0.1320]))
print("a =", [round(value, 4) for value in a.tolist()])
print("v1 =", [round(value, 4) for value in v1.tolist()])

v2 = torch.nn.Parameter(torch.tensor([0.6647, 0.6194, 0.3355, 0.2664, 0.4136, 0.1148]))
b = v2[:4].clone()
print("b.grad_fn is", b.grad_fn.name())
b.data.copy_(torch.tensor([0.3222, 0.6089, 0.8604, 0.0538]))
print("b =", [round(value, 4) for value in b.tolist()])
print("v2 =", [round(value, 4) for value in v2.tolist()])
b.sum().backward()
print("v2.grad =", v2.grad.tolist())
