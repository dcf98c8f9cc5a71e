"""Programs that PyTorch and the reference engine both run: values, gradients and second gradients, to be compared.

A program is an expression in ``torch``, ``x`` and perhaps ``y`` and ``w``. Run as a script this file does the programs
on PyTorch and pickles what it finds; `found_by` does them on whatever is given to it.
"""

from __future__ import annotations

import itertools
import pickle
import sys
import warnings
from typing import Any

import numpy as np

if __name__ == "__main__":
    # A script is in no package.
    import kinds_and_sizes as more
    from expressions import EXPRESSIONS, NAMES
else:
    from . import kinds_and_sizes as more
    from .expressions import EXPRESSIONS, NAMES

_SPECIAL = np.array([-np.inf, -2.0, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 2.0, np.inf, np.nan])
_FINITE = np.array([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0])
_COMPLEX = np.array([1 + 2j, -2 + 0.5j, -1 - 1j, 0.5j, 0.25 + 0j, 0j])
_INFINITE = np.array([complex(*p) for p in itertools.product((-np.inf, 1.0, np.inf, np.nan), repeat=2)])
_TIES = np.array([[-1.0, 0.0, 2.0, 2.0], [2.0, 0.5, -1.5, 0.5], [0.0, 0.0, 0.0, 0.0]])
_MATRIX = np.array([[2.0, 0.5, -1.0], [0.25, 3.0, 0.75], [-0.5, 1.5, 4.0]])
_TURNED = _MATRIX + 1j * np.array([[0.1, 0.4, -0.3], [0.6, -0.2, 0.2], [0.5, 0.3, 0.7]])

INPUTS: dict[str, dict[str, tuple[Any, ...]]] = {
    "real": {
        "special": (_SPECIAL,),
        "scalar": (np.array(0.75),),
        "empty": (np.zeros((0, 3)),),
        "turned": (_TIES.T,),
        "backward": (_FINITE[::-1],),
    },
    "complex": {"complex": (_COMPLEX,), "scalar": (np.array(0.3 - 0.4j),), "infinite": (_INFINITE,)},
    "two": {
        "special": (_SPECIAL[:, None], _SPECIAL[None]),
        "scalar": (np.array(0.75), np.array([2.0, 0.75])),
        "empty": (np.zeros((0, 3)), np.ones(3)),
        "rows": (_TIES, _TIES[0]),
    },
    "two complex": {"complex": (_COMPLEX[:, None], _COMPLEX[None, :4])},
    "along": {
        "ties": (_TIES,),
        # The numbers of `ties`, in column order.
        "turned": (_TIES.T.copy().T,),
        "infinite": (np.array([[-np.inf, -np.inf, -np.inf], [1.0, np.inf, 2.0], [1.0, -np.inf, 2.0]]),),
        "nan": (np.array([[np.nan, 1.0, 2.0], [3.0, np.nan, np.nan]]),),
        "rows": (np.zeros((0, 3)),),
        "columns": (np.zeros((2, 0)),),
        "nothing": (np.zeros(0),),
    },
    "along complex": {"complex": (np.stack([_COMPLEX[:3], _COMPLEX[3:]]),)},
    "empty": {"empty": (np.zeros((0, 3)),), "none": (np.zeros((2, 0)),)},
    "scalar": {"scalar": (np.array(0.75),)},
    "matrix": {"matrix": (_MATRIX,), "batch": (np.stack([_MATRIX, _MATRIX.T + np.eye(3)]),)},
    "complex matrix": {"complex": (_TURNED,)},
    "tall": {"tall": (_MATRIX[:, :2],), "wide": (_MATRIX[:2],), "square": (_MATRIX,)},
    "singular": {
        "flat": (np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.5]]) * [[1], [1], [0]],),
        "one": (np.outer([1.0, 2.0, 3.0], [1.0, -1.0, 2.0]),),
        "zero": (np.zeros((2, 2)),),
    },
    "products": {"matrices": (_MATRIX[:2], _MATRIX[:, :2]), "strided": (_MATRIX.T[:2], _MATRIX[:, ::2])},
    "three": {"matrices": (_MATRIX[:2], _MATRIX, _MATRIX.T[:, :2])},
}

_TYPES = ["bool", "uint8", "int32", "int64", "float32", "float64", "complex64", "complex128"]
INPUTS["types"] = {f"{a}-{b}": (np.array([1, 1], a), np.array([1, 2], b)) for a, b in itertools.product(_TYPES, _TYPES)}
INPUTS.update(more.INPUTS)

_FORMS = {"real": "torch.{}(x)", "complex": "torch.{}(x)", "two": "torch.{}(x, y)"}
PROGRAMS: dict[str, list[str]] = {
    kind: [
        *(_FORMS[kind].format(name) for name in NAMES.get(kind, "").split()),
        *(code.strip() for code in codes.split(";")),
    ]
    for kind, codes in {**EXPRESSIONS, **more.EXPRESSIONS}.items()
}
CASES = [(code, kind, name) for kind, codes in PROGRAMS.items() for code in codes for name in INPUTS[kind]]


def _leaf(torch: Any, array: Any) -> Any:
    """A leaf with the array's values and strides (as far as the engine has such strides)."""
    base = torch.as_tensor(np.array(array, order="K"))
    return base.requires_grad_(array.dtype.kind in "fc")


def _numbers(x: Any) -> Any:
    return np.array(x.detach().resolve_conj().numpy(force=True))


def _gradients(torch: Any, out: Any, leaves: Any, create_graph: bool) -> list[Any]:
    """Gradients of a sum of the elements with unequal weights; None where nothing is connected."""
    # With equal weights, a gradient that belongs to another element would not show.
    weight = torch.arange(1, out.numel() + 1).to(out.dtype).reshape(tuple(out.shape))
    return list(
        torch.autograd.grad(out, leaves, weight, retain_graph=True, create_graph=create_graph, allow_unused=True)
    )


def _of_one(torch: Any, code: str, arrays: Any, seen: Any) -> dict[str, Any]:
    """Value, gradients and second gradients of a program: arrays, or the kind of error that was raised."""
    result: dict[str, Any] = {}
    try:
        leaves = [_leaf(torch, a) for a in arrays]
        out = eval(code, {"torch": torch, **dict(zip("xyw", leaves, strict=False))})
        result["value"] = _numbers(out)
        if not out.requires_grad:
            return result
        seen(out)
        wanted = [x for x in leaves if x.requires_grad]
        first = _gradients(torch, out, wanted, True)
        result["gradient"] = [None if g is None else _numbers(g) for g in first]
        second = [_gradients(torch, g, wanted, False) for g in first if g is not None and g.requires_grad]
        totals: list[Any] = [np.zeros_like(x.detach().numpy()) for x in wanted]
        for parts in second:
            totals = [t if p is None else t + _numbers(p) for t, p in zip(totals, parts, strict=True)]
        result["second"] = totals
    except (RuntimeError, IndexError, ValueError, TypeError, NotImplementedError, AttributeError, KeyError) as error:
        known = (RuntimeError, IndexError, ValueError, TypeError)
        result["error"] = next((k.__name__ for k in known if isinstance(error, k)), type(error).__name__)
        result["message"] = str(error)
    return result


def found_by(torch: Any, seen: Any = lambda out: None) -> dict[tuple[str, str, str], dict[str, Any]]:
    """The results of an engine, by program, kind of input and name of input; `seen` is shown every result."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return {case: _of_one(torch, case[0], INPUTS[case[1]][case[2]], seen) for case in CASES}


if __name__ == "__main__":
    import torch as _pytorch

    _pytorch.set_num_threads(1)
    sys.stdout.buffer.write(pickle.dumps(found_by(_pytorch)))
