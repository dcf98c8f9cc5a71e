"""Document 003, (2): changing a leaf under no_grad.

Under no_grad a leaf may be changed in place; it stays a leaf that requires grad, and takes part in what
follows.
"""

import torch

w = torch.tensor(2.0, requires_grad=True)
with torch.no_grad():
    w -= w * 2
print("w =", w.item(), "requires grad:", w.requires_grad)
print("w.is_leaf =", w.is_leaf)
(w * w).backward()
print("w.grad =", w.grad.item())
