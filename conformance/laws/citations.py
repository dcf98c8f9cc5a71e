"""Citations that chapters of laws share: for derivatives in reverse and in forward mode, which are exact."""

from __future__ import annotations

from conformance.behaviour import hips, jax, torch

BY_REVERSE = (
    torch("notes/autograd", "Gradients for non-differentiable functions"),
    jax("jax.grad"),
    hips("differential_operators", "grad"),
)
BY_FORWARD = (torch("notes/gradcheck", "Notations and background information"), jax("jax.jvp"), hips("README"))
