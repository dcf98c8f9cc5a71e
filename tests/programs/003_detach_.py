"""Document 003, (2): changing a leaf after detach_.

detach_ makes the tensor itself stop requiring grad; it may then be changed in place and be made to require
grad again, as a leaf.
"""

import torch

w = torch.tensor(2.0, requires_grad=True)
w.detach_()
print("w =", w.item(), "requires grad:", w.requires_grad)
w -= w * 2
print("w =", w.item(), "requires grad:", w.requires_grad)
w.requires_grad = True
print("w =", w.item(), "requires grad:", w.requires_grad)
print("w.is_leaf =", w.is_leaf)
(w * w).backward()
print("w.grad =", w.grad.item())
