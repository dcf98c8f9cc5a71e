"""Norms and distances, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

NORMS: Mapping[str, Spelling] = {
    **same("torch", "dist cdist trace"),
    **same("torch.nn.functional", "pdist pairwise_distance"),
    "norm": "torch.linalg.vector_norm",
    "vector_norm": lambda torch, x, ord=2, axis=None, keepdims=False: torch.linalg.vector_norm(
        x, ord, dim=axis, keepdim=keepdims
    ),
    "one_norm": lambda torch, x: torch.linalg.vector_norm(x, 1),
    "max_norm": lambda torch, x: torch.linalg.vector_norm(x, float("inf")),
    "min_norm": lambda torch, x: torch.linalg.vector_norm(x, -float("inf")),
    "harmonic_norm": lambda torch, x: torch.linalg.vector_norm(x, -1),
    "half_norm": lambda torch, x: torch.linalg.vector_norm(x, 0.5),
    "zero_norm": lambda torch, x: torch.linalg.vector_norm(x, 0),
    "cubic_norm": lambda torch, x: torch.linalg.vector_norm(x, 3),
    "quartic_norm": lambda torch, x: torch.linalg.vector_norm(x, 4),
    "normalize": lambda torch, x, p=2.0, axis=1, eps=1e-12: torch.nn.functional.normalize(x, p=p, dim=axis, eps=eps),
    "renorm": "torch.renorm",
    "matrix_norm": "torch.linalg.matrix_norm",
    "nuclear_norm": lambda torch, x: torch.linalg.matrix_norm(x, "nuc"),
    "spectral_norm": lambda torch, x: torch.linalg.matrix_norm(x, 2),
    "matrix_norm_of_order": "torch.linalg.matrix_norm",
    "dist_of_order_0": lambda torch, x, y: torch.dist(x, y, p=0),
    "cdist_of_order_1": lambda torch, x, y: torch.cdist(x, y, p=1.0),
    "cdist_of_order_3": lambda torch, x, y: torch.cdist(x, y, p=3.0),
    "cdist_of_order_infinity": lambda torch, x, y: torch.cdist(x, y, p=float("inf")),
    "cosine_similarity": lambda torch, x, y, axis=1, eps=1e-8: torch.nn.functional.cosine_similarity(x, y, axis, eps),
}
