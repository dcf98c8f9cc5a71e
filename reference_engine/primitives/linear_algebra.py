"""Products, and what is built on them. Leading dimensions of matrices are batch dimensions."""

import numpy as np

from ..core.primitive import Primitive

__all__ = [
    "bmm", "det", "dot", "inverse", "mm", "mv", "solve",
]  # fmt: skip

dot = Primitive("dot", np.dot)
mv = Primitive("mv", np.matmul)
mm = Primitive("mm", np.matmul)
bmm = Primitive("bmm", np.matmul)
inverse = Primitive("inverse", np.linalg.inv, node="LinalgInvExBackward0")
solve = Primitive("solve", np.linalg.solve, node="LinalgSolveExBackward0")
det = Primitive("det", np.linalg.det, node="LinalgDetBackward0")
