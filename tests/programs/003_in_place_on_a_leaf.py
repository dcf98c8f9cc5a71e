"""Document 003, (1): changing the value of a leaf in place.

An in-place operation on a leaf that requires grad raises an error, and leaves the leaf as it was.
"""

import torch

w = torch.tensor(2.0, requires_grad=True)
try:
    w -= w * 2
except Exception as error:
    print("w -= w * 2 raises", type(error).__name__)
print("w =", w.item())
print("w.is_leaf =", w.is_leaf)
