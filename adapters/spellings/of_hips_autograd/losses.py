"""Losses, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

LOSSES: Mapping[str, Spelling] = {"normal_log_prob": "autograd.scipy.stats.norm.logpdf"}
