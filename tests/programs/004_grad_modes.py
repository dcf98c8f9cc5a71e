"""Document 004, 2, the names imported from grad_mode.

no_grad and inference_mode stop the recording, enable_grad resumes it inside no_grad, and set_grad_enabled
does either.
"""

import torch
from torch.autograd.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled

x = torch.tensor([1.0, 2.0], requires_grad=True)
print("outside:", (x * 2).requires_grad)
with no_grad():
    print("under no_grad:", (x * 2).requires_grad)
    with enable_grad():
        print("under enable_grad inside:", (x * 2).requires_grad)
    with set_grad_enabled(True):
        print("under set_grad_enabled(True) inside:", (x * 2).requires_grad)
with set_grad_enabled(False):
    print("under set_grad_enabled(False):", (x * 2).requires_grad)
with inference_mode():
    y = x * 2
print("under inference_mode:", y.requires_grad, y.is_inference())
print("outside again:", (x * 2).requires_grad)
