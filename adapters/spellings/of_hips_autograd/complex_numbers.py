"""Complex numbers and their parts, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

COMPLEX_NUMBERS: Mapping[str, Spelling] = {
    **same("autograd.numpy", "real_if_close"),
    # NumPy's sign of a complex number is x / |x|.
    "sgn": "autograd.numpy.sign",
}
