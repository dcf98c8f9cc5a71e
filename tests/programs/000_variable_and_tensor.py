"""Document 000, "About Variable and Tensor".

Variable and Tensor are one type, so wrapping a tensor gives a tensor; the old flag volatile is always
False, and both reading and writing it only warn.
"""

import warnings

import torch
from torch.autograd import Variable

a = torch.ones(2)
print("type of a =", type(a).__name__)
a = Variable(a)
print("type of the wrapped a =", type(a).__name__)
print("a =", a.tolist())

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print("a.volatile =", a.volatile)
print("reading warns:", [warning.category.__name__ for warning in caught])

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    a.volatile = True
print("writing warns:", [warning.category.__name__ for warning in caught])

with warnings.catch_warnings(record=True):
    warnings.simplefilter("always")
    print("a.volatile =", a.volatile)
