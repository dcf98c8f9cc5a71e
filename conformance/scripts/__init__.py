"""The native program of a cell: a behaviour's check in the engine's own API, ready for an issue."""

from conformance.scripts.derivation import SCRIPTED, derive
from conformance.scripts.trees import Underivable

__all__ = ["SCRIPTED", "Underivable", "derive"]
