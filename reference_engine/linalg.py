"""torch.linalg: products, decompositions and norms of matrices, as `operations` lists them."""

from .operations import public
from .primitives.linear_algebra import LinAlgError as LinAlgError

globals().update(public("linalg"))
