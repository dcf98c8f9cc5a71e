"""Complex numbers and their parts, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

COMPLEX_NUMBERS: Mapping[str, Spelling] = {
    **same("torch", "real imag angle view_as_real complex polar sgn adjoint"),
    "angle_of_real": "torch.angle",
    "abs_of_complex": "torch.abs",
    "real_of_real": "torch.real",
    # The last axis is to have stride 1.
    "view_as_complex": lambda torch, x: torch.view_as_complex(x.contiguous()),
    # Conjugation is lazy, a bit that NumPy cannot read: `resolve_conj` carries it out.
    "conj": lambda torch, x: torch.conj(x).resolve_conj(),
    "conj_of_real": lambda torch, x: torch.conj(x).resolve_conj(),
    "conj_physical": "torch.conj_physical",
}
