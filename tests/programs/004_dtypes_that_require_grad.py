"""Document 004, 2, the opening of the source: which dtypes can require grad.

Floating point and complex tensors can require grad; integers and booleans cannot. The source also lists
bfloat16, which is left out here because NumPy, and so the reference engine, has no such dtype.
"""

import torch

FLOATING = (torch.half, torch.float, torch.double)
COMPLEX = (torch.cfloat, torch.cdouble)


def try_to_require_grad(dtype):
    try:
        x = torch.ones(2, dtype=dtype, requires_grad=True)
        print(dtype, "requires grad:", x.requires_grad)
    except Exception as error:
        print(dtype, "raises", type(error).__name__)


for dtype in (*FLOATING, *COMPLEX, torch.int32, torch.int64, torch.bool):
    try_to_require_grad(dtype)

x = torch.ones(2, dtype=torch.int64)
try:
    x.requires_grad_()
except Exception as error:
    print("requires_grad_ of integers raises", type(error).__name__)
try:
    x.requires_grad = True
except Exception as error:
    print("requires_grad = True of integers raises", type(error).__name__)
