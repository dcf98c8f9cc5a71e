"""torch.linalg: what of linear algebra has rules here."""

from .functions.products import det, solve
from .functions.products import inverse as inv

__all__ = ["det", "inv", "solve"]
