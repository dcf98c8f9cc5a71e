"""More of what both engines evaluate (see `comparison`): every type of number, and shapes at the edge.

An operation that PyTorch does not have for a type, a dimension or a size is refused by both, with the same exception.
"""

import itertools
from typing import Any

import numpy as np

_NUMBERS = np.array([[1.0, 0.0, -2.0], [3.0, 1.0, 0.5]])
_CUBE = np.arange(12.0).reshape(2, 3, 2) % 5 - 2
_SYMMETRIC = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 5.0]])
_TURNING = np.array([[0, 0.5, -0.25], [-0.5, 0, 1.0], [0.25, -1.0, 0]]) * 1j

TYPES = ("float32", "float64", "complex64", "complex128", "int64", "bool")
WIDE = ("float64", "complex128", "int64", "bool")
INPUTS: dict[str, dict[str, tuple[Any, ...]]] = {
    "every type": {name: (_NUMBERS.astype(name),) for name in TYPES},
    "every wide type": {name: (_NUMBERS[:, ::-1].astype(name),) for name in WIDE},
    "two types": {
        f"{a}-{b}": (_NUMBERS[0].astype(a), _NUMBERS[1].astype(b)) for a, b in itertools.product(TYPES, TYPES)
    },
    "every size": {
        "scalar": (np.array(0.75),),
        "one": (np.array([0.75]),),
        "nothing": (np.zeros(0),),
        "no rows": (np.zeros((0, 3)),),
        "no columns": (np.zeros((2, 0)),),
        "neither": (np.zeros((0, 0)),),
        "row": (_NUMBERS[1],),
        "steps": (_NUMBERS[:, ::2],),
        "spread": (np.broadcast_to(_NUMBERS[0], (2, 3)),),
        "cube": (_CUBE,),
    },
    "powers": {
        "negative": (_NUMBERS[:, :2], np.array([1j, 2 + 0.5j])),
        "integers": (np.array([1, -1, 2, 3]), np.array([-1, -3, -2, 2])),
    },
    "hermitian": {"real": (_SYMMETRIC,), "complex": (_SYMMETRIC + _TURNING,), "not": (_NUMBERS[:, :2] + 2,)},
    "with nan": {"nan": (np.array([[np.nan, 1.0], [2.0, 3.0]]),)},
}  # fmt: skip

_OF_DIMENSIONS = """
    sum mean prod amax amin logsumexp norm argmax cumsum cumprod softmax log_softmax var std max min mode sort unbind"""
_CHOOSING = ("max", "min", "mode", "sort", "unbind")
# Each along the first dimension, the last, and beyond either end.
_ALONG = [
    f"x.{name}(dim={dim})" + ("[0]" if name in _CHOOSING else "")
    for name in _OF_DIMENSIONS.split()
    for dim in (0, 1, -1, 2, -3)
]

EXPRESSIONS = {
    "every type": """
        x.abs(); x.acos(); x.asin(); x.atan(); x.ceil(); x.clamp(-1, 1); x.clamp(x * 0, x * 0 + 1); x.cos();
        x.cosh(); x.erf(); x.exp(); x.expm1(); x.floor(); x.frac(); x.log(); x.log1p(); -x; x.reciprocal(); x.relu();
        x.round(); x.rsqrt(); x.sgn(); x.sigmoid(); x.sign(); x.sin(); x.sinh(); x.sqrt(); x.square(); x.tan();
        x.tanh(); x.trunc(); x.pow(2); x.pow(0.5); 2 ** x.abs(); x + 1; x * 2.5; x * 1j; x / 2; x % 2; x == 0; x < 1;
        torch.pow(x, x.abs() + 1) if x.dtype != torch.bool else torch.pow(x, x); torch.maximum(x, x * 0);
        torch.nn.functional.softplus(x); torch.nn.functional.leaky_relu(x); torch.atan2(x, x + 1);
        torch.where(x == 0, x, x * 2); x.to(torch.complex64); x.long(); x.sum(); x.mean(); x.prod(); x.amax();
        x.argmax(); x.argmax(1); x.max(); x.max(0)[0]; x.min(1)[1]; x.mode(0)[0]; x.sort(1)[0]; x.topk(1, 0)[0];
        x.kthvalue(1, 0)[0]; x.cumsum(0); x.cumprod(1); x.var(); x.norm(); x.logsumexp(1); x.softmax(1); x @ x.mT;
        x.matmul(x[0]); x[0].dot(x[1]); torch.outer(x[0], x[1]); x.masked_fill(x == 0, 7); x.masked_fill(x == 0, 1j);
        x.clone().fill_(1j); x.index_put((torch.tensor([0]),), torch.ones(3, dtype=torch.float16));
        (lambda z: (z.__setitem__([0], torch.ones(3, dtype=torch.float16)), z)[1])(x.clone())""",
    "every wide type": """
        x.std(0); x[:, :2].det(); x[:, :2].inverse(); torch.linalg.solve(x[:, :2], x); torch.linalg.qr(x)[1];
        torch.linalg.svdvals(x); torch.linalg.eigvals(x[:, :2]).abs(); x[:, :2].slogdet()[0]""",
    "two types": """
        x @ y; torch.dot(x, y); torch.outer(x, y)""",
    "every size": ";".join([*_ALONG, """
        x.sum((0, 1)); x.amax((0, 1)); x.mean((0, 0)); x.argmax(); x.max(); x.var(correction=0); x.norm(1);
        x.norm(float('inf'), dim=0); x.topk(1)[0]; x.topk(99)[0]; x.transpose(0, 1); x.transpose(-1, 0);
        x.permute(1, 0); x.mT; x.mH; x.H; x.t(); x.T; x.squeeze(0); x.squeeze((0, 1)); x.unsqueeze(2);
        x.expand(2, -1, 3); x.flip(0); x.flip(-1); x.diagonal(); x.diagonal(1); x.tril(); x.triu(-1); x.reshape(-1);
        x.reshape(2, -1); x.view(3, 2); x.narrow(0, 0, 1); x.narrow(0, 1, 1); x.narrow(0, 0, 9); x.narrow(0, -1, 1);
        x.narrow(-1, 0, 0); x.select(0, 0); x.split(1)[0]; x.split(2)[0]; x.split(2, 1)[-1]; x.split([1, 1])[0];
        x.split(-1)[0]; x.chunk(2)[0]; x.unbind(1)[0]; torch.cat([x, x]); torch.cat([x, x], 1);
        torch.cat([torch.zeros(0, dtype=x.dtype), x]); torch.cat([x, x[:1]]); torch.stack([x, x]);
        torch.stack([x, x], -1); x[0]; x[None, 0]; x[x != 0]; x[[0, 0]]; x[..., -1]; x[1:, None]; x.det();
        x.inverse(); torch.linalg.solve(x, x); x @ x; x @ x.mT if x.ndim > 1 else x"""]),
    "powers": """
        x ** y; x.abs() ** y; torch.pow(-2, y); torch.pow(x, -1)""",
    "hermitian": """
        torch.linalg.eigh(x)[0]; torch.linalg.eigh(x)[1].abs(); torch.linalg.eigh(x, UPLO='U')[1].abs();
        torch.linalg.eigvalsh(x)""",
    "with nan": """
        x.det(); x.max(); x.sort()[0]; x.argmax(); x.amax(0); x.norm(); x.cumsum(0); x.prod(); x.mean(); x.sum(1)""",
}  # fmt: skip
