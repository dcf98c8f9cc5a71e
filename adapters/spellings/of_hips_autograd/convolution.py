"""Convolution and pooling, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

CONVOLUTION: Mapping[str, Spelling] = {}
