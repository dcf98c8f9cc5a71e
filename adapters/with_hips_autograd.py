"""HIPS autograd, which differentiates programs of NumPy's functions.

Made with `autograd-conformance adapter new` (see `docs/adding-an-engine.md`). What the engine lacks by design is
declared in `adapters.absences.of_hips_autograd`.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, ClassVar

import numpy

from adapters.absences.of_hips_autograd import UNSTAGED_FEATURES, UNTAPED_FEATURES
from adapters.of_hips_autograd.arrays import HipsArrayVerbs
from adapters.of_hips_autograd.rules import HipsRuleVerbs
from adapters.of_hips_autograd.transforms import HipsTransformVerbs
from conformance.protocol import Absence, Adapter


class HipsAutogradAdapter(HipsArrayVerbs, HipsTransformVerbs, HipsRuleVerbs, Adapter):
    """HIPS autograd on NumPy's arrays."""

    name: ClassVar[str] = "hips_autograd"
    absences: ClassVar[tuple[Absence, ...]] = UNTAPED_FEATURES + UNSTAGED_FEATURES

    @property
    def version(self) -> str:
        return version("autograd")

    @property
    def held_to(self) -> Mapping[str, str]:
        return {"hips": self.version}

    def to_numpy(self, x: Any) -> Any:
        return numpy.asarray(x)
