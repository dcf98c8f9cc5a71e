"""The native program of a cell: a behaviour's check in the engine's own API, copyable and runnable as it is.

It is derived from source: the check's body with each verb replaced by the adapter's own code for it.
"""

from conformance.scripts.deriving import Underivable, derive, script_or_nothing

__all__ = ["Underivable", "derive", "script_or_nothing"]
