"""Automatic differentiation as PyTorch defines it, in NumPy, written to be read.

``import reference_engine as torch`` gives a program the public names below; ``python -m reference_engine FILE`` runs
a program that says ``import torch``. `operations` lists what can be computed, `rules` holds the derivatives, `core`
records and differentiates; `autograd`, `func`, `nn`, `optim` and `utils` mirror PyTorch's modules.
"""

import math as _math

from . import autograd as autograd
from . import func as func
from . import linalg as linalg
from . import nn as nn
from . import optim as optim
from . import rules as _rules
from . import special as special
from . import utils as utils
from .core.dtypes import bool_ as bool  # noqa: F401
from .core.dtypes import complex64 as complex64
from .core.dtypes import complex128 as complex128
from .core.dtypes import dtype as dtype
from .core.dtypes import float16 as float16
from .core.dtypes import float32 as float32
from .core.dtypes import float64 as float64
from .core.dtypes import get_default_dtype as get_default_dtype
from .core.dtypes import int8 as int8
from .core.dtypes import int16 as int16
from .core.dtypes import int32 as int32
from .core.dtypes import int64 as int64
from .core.dtypes import promote_types as promote_types
from .core.dtypes import set_default_dtype as set_default_dtype
from .core.dtypes import uint8 as uint8
from .core.modes import enable_grad as enable_grad
from .core.modes import inference_mode as inference_mode
from .core.modes import is_anomaly_check_nan_enabled as is_anomaly_check_nan_enabled
from .core.modes import is_anomaly_enabled as is_anomaly_enabled
from .core.modes import is_grad_enabled as is_grad_enabled
from .core.modes import is_inference_mode_enabled as is_inference_mode_enabled
from .core.modes import no_grad as no_grad
from .core.modes import set_grad_enabled as set_grad_enabled
from .core.tensor import Size as Size
from .core.tensor import Tensor as Tensor
from .func import vmap as vmap
from .operations import attach as _attach
from .operations import public as _public

_rules.install()  # the derivative of every primitive
_attach(Tensor)  # every method, from the table in `operations`
globals().update(_public())  # every function, from the same table

float, double, half, int, long = float32, float64, float16, int32, int64
cfloat, cdouble = complex64, complex128
inf, nan, pi, e = _math.inf, _math.nan, _math.pi, _math.e

__version__ = "0.1.0"

_LACKING = {
    "bfloat16": "NumPy has no such numbers, nor has this engine",
    "sparse_coo_tensor": "NumPy's arrays are dense, and so are those of this engine",
}


def __getattr__(name: str) -> object:
    """AttributeError for a name that is not here; its message mentions NumPy where that is the reason."""
    reason = f": {_LACKING[name]}" if name in _LACKING else ""
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{reason}")
