"""Products of vectors, matrices and tensors, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping

from adapters.spellings.of_numpy import SHAPES
from conformance.protocol import Spelling, same

PRODUCTS: Mapping[str, Spelling] = {
    **same("torch", "matmul outer dot vdot inner kron mv mm bmm addmm addmv addr baddbmm addbmm"),
    **{f"{name}_{shape}": f"torch.{name}" for name in ("matmul", "inner", "kron") for shape in SHAPES[name].split()},
    **dict.fromkeys(("linear", "linear_of_stack", "linear_of_vector"), "torch.nn.functional.linear"),
    "bilinear": "torch.nn.functional.bilinear",
    "addmm_broadcast": "torch.addmm",
    "tensordot": lambda torch, x, y, axes=2: torch.tensordot(x, y, dims=axes),
    "vecdot": lambda torch, x, y, axis=-1: torch.linalg.vecdot(x, y, dim=axis),
    "vecdot_broadcast": "torch.linalg.vecdot",
    "cross": lambda torch, x, y, axis=-1: torch.linalg.cross(x, y, dim=axis),
    "cross_broadcast": "torch.linalg.cross",
    "einsum": lambda torch, x, y, subscripts: torch.einsum(subscripts, x, y),
    "einsum_of_diagonals": lambda torch, x, y, subscripts: torch.einsum(subscripts, x, y),
    "einsum_diagonal": lambda torch, x, subscripts: torch.einsum(subscripts, x),
    "einsum_of_one": lambda torch, x, subscripts: torch.einsum(subscripts, x),
    "einsum_of_three": lambda torch, x, y, z, subscripts: torch.einsum(subscripts, x, y, z),
    "einsum_broadcast": lambda torch, x, y: torch.einsum("ij,ij->j", x, y),
    "multi_dot": "torch.linalg.multi_dot",
    "multi_dot_of_vectors": "torch.linalg.multi_dot",
    "chain_matmul": lambda torch, xs: torch.chain_matmul(*xs),
}
