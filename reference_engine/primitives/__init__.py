"""The primitives, as `o.name`: every operation that has a derivative rule, with its NumPy evaluation.

Nothing here knows about derivatives; the tables in `rules` do. Called on arrays a primitive evaluates, called on
Tensors it is interpreted (see `core.primitive`), so a rule written with `o` serves both. Options keep PyTorch's
names (`dim`, `keepdim`) and are already in normal form: `functions` takes care of that.
"""

from ..core.primitive import Primitive
from .decompositions import *  # noqa: F403
from .elementwise import *  # noqa: F403
from .linear_algebra import *  # noqa: F403
from .reductions import *  # noqa: F403
from .shaping import *  # noqa: F403
from .special import *  # noqa: F403
from .storage import *  # noqa: F403

ALL = tuple(value for value in globals().copy().values() if isinstance(value, Primitive))
