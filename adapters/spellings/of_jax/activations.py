"""Activations, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

ACTIVATIONS: Mapping[str, Spelling] = {
    **same("jax.nn", "softplus relu relu6 leaky_relu sigmoid softmax log_softmax"),
    "hardtanh": "jax.nn.hard_tanh",
    "hardsigmoid": "jax.nn.hard_sigmoid",
}
