"""Arithmetic: elementwise functions of two or three real numbers, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

ARITHMETIC: Mapping[str, Spelling] = {}
