"""Activations, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

ACTIVATIONS: Mapping[str, Spelling] = {
    "sigmoid": "autograd.scipy.special.expit",
    "relu": lambda autograd, x: autograd.numpy.maximum(x, 0.0),
    "softplus": lambda autograd, x: autograd.numpy.logaddexp(x, 0.0),
    "softmax": lambda autograd, x, axis=0: autograd.numpy.exp(
        x - autograd.scipy.special.logsumexp(x, axis, keepdims=True)
    ),
    "log_softmax": lambda autograd, x, axis=0: x - autograd.scipy.special.logsumexp(x, axis, keepdims=True),
}
