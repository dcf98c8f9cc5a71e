"""Activations, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

ACTIVATIONS: Mapping[str, Spelling] = {
    "sigmoid": "autograd.scipy.special.expit",
    "relu": lambda autograd, x: autograd.numpy.maximum(x, 0.0),
    "softplus": lambda autograd, x: autograd.numpy.logaddexp(x, 0.0),
    "softmax": lambda autograd, x: autograd.numpy.exp(x - autograd.scipy.special.logsumexp(x)),
    "log_softmax": lambda autograd, x: x - autograd.scipy.special.logsumexp(x),
}
