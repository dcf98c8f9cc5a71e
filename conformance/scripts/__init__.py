"""The native program of a cell: a behaviour's check in the engine's own API, as one would paste it into an issue."""

from conformance.scripts.derivation import SCRIPTED, derive
from conformance.scripts.trees import Underivable

__all__ = ["SCRIPTED", "Underivable", "derive"]
