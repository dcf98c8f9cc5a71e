"""torch.special: special functions, as `operations` lists them."""

from .operations import public

globals().update(public("special"))
