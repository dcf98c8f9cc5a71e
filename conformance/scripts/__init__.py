"""The native program of a cell: a behaviour's check in the engine's own API, copyable and runnable as it is.

It is derived from source: the check's body with each verb replaced by the adapter's own code for it.
"""

from conformance.scripts.deriving import SCRIPTED, derive, script_or_nothing
from conformance.scripts.trees import Underivable

__all__ = ["SCRIPTED", "Underivable", "derive", "script_or_nothing"]
