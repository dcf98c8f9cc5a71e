"""Activations, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

ACTIVATIONS: Mapping[str, Spelling] = {
    **same(
        "jax.nn",
        "softplus relu relu6 leaky_relu elu celu selu silu mish sigmoid squareplus sparse_plus sparse_sigmoid"
        " log1mexp glu",
    ),
    "hardtanh": "jax.nn.hard_tanh",
    "hardsigmoid": "jax.nn.hard_sigmoid",
    "hardswish": "jax.nn.hard_swish",
    "softsign": "jax.nn.soft_sign",
    "logsigmoid": "jax.nn.log_sigmoid",
    "gelu": lambda jax, x: jax.nn.gelu(x, approximate=False),
    "gelu_by_tanh": lambda jax, x: jax.nn.gelu(x, approximate=True),
    "softmax": lambda jax, x, axis=0: jax.nn.softmax(x, axis),
    "log_softmax": lambda jax, x, axis=0: jax.nn.log_softmax(x, axis),
    "masked_softmax": lambda jax, x, mask, axis=0: jax.nn.softmax(x, axis, where=mask),
}
