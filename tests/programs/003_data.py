"""Document 003, (2): changing a leaf through .data.

.data shows the value without the tracking, and writing through it changes the leaf, which stays a leaf that
requires grad.
"""

import torch

w = torch.tensor(2.0, requires_grad=True)
print("w.data =", w.data.item(), "requires grad:", w.data.requires_grad)
print("w =", w.item(), "requires grad:", w.requires_grad)
# The right-hand side is computed with the graph; only its value is written.
w.data -= w * 2
print("w =", w.item(), "requires grad:", w.requires_grad)
print("w.is_leaf =", w.is_leaf)
(w * w).backward()
print("w.grad =", w.grad.item())
