"""The operations under PyTorch's names; `import reference_engine as torch` reads the same table."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

SPELLINGS: Mapping[str, Spelling] = {
    **same(
        "torch", "exp expm1 log log1p sqrt rsqrt square reciprocal abs sin cos tan tanh sinc floor ceil round trunc"
    ),
    **same("torch", "isnan signbit digamma pow maximum minimum copysign hypot logaddexp atan2 where"),
    **same("torch", "real imag angle view_as_real"),
    **same("torch", "sum mean prod std max min amax amin count_nonzero argmax argsort nonzero searchsorted take"),
    **same("torch", "reshape broadcast_to stack zeros_like ones_like full_like rand_like"),
    **same("torch", "matmul outer dist cdist relu sigmoid"),
    **same("torch.linalg", "det eigvalsh svdvals matrix_norm"),
    **same("torch.nn.functional", "softplus relu6 leaky_relu hardtanh hardsigmoid lp_pool1d dropout embedding pdist"),
    **same("torch.nn.functional", "l1_loss smooth_l1_loss huber_loss binary_cross_entropy"),
    "sign": "torch.sgn",  # torch.sign raises for complex numbers
    "clip": "torch.clamp",
    "concat": "torch.cat",
    "unstack": "torch.unbind",
    "norm": "torch.linalg.vector_norm",
    # Conjugation is lazy, a bit that NumPy cannot read: `resolve_conj` carries it out.
    "conj": lambda torch, x: torch.conj(x).resolve_conj(),
    # The incomplete gamma function has no derivative in its first argument.
    "underived": lambda torch, x: torch.special.gammainc(x, torch.ones_like(x)),
    # PyTorch's default dtype is float32; checks count in float64.
    "zeros": lambda torch, shape: torch.zeros(shape, dtype=torch.float64),
    "eye": lambda torch, n: torch.eye(n, dtype=torch.float64),
    "transpose": lambda torch, x: torch.transpose(x, 0, 1),
    "cumsum": lambda torch, x: torch.cumsum(x, 0),
    "cumprod": lambda torch, x: torch.cumprod(x, 0),
    "logsumexp": lambda torch, x: torch.logsumexp(x, 0),
    "softmax": lambda torch, x: torch.softmax(x, 0),
    "log_softmax": lambda torch, x: torch.log_softmax(x, 0),
    "sort": lambda torch, x: torch.sort(x).values,
    "kthvalue": lambda torch, x, k: torch.kthvalue(x, k).values,
    "mode": lambda torch, x: torch.mode(x).values,
    # Plain tuples from here on: a pullback asks for cotangents in the container that a program returned.
    "sort_with_indices": lambda torch, x: tuple(torch.sort(x)),
    "max_with_index": lambda torch, x: tuple(torch.max(x, dim=0)),
    "topk": lambda torch, x, k: tuple(torch.topk(x, k)),
    "eig": lambda torch, x: tuple(torch.linalg.eig(x)),
    "eigh": lambda torch, x: tuple(torch.linalg.eigh(x)),
    "svd": lambda torch, x: tuple(torch.linalg.svd(x)),
    "qr": lambda torch, x, mode: tuple(torch.linalg.qr(x, mode)),
    "slogdet": lambda torch, x: tuple(torch.linalg.slogdet(x)),
    "gumbel_softmax": lambda torch, x, hard: torch.nn.functional.gumbel_softmax(x, hard=hard),
    "gaussian_nll_loss": lambda torch, x, target, var, eps: torch.nn.functional.gaussian_nll_loss(
        x, target, var, eps=eps
    ),
    "cross_entropy": lambda torch, x, target, ignore_index: torch.nn.functional.cross_entropy(
        x, target, ignore_index=ignore_index
    ),
}

# The namespace `ad.functional`.
FUNCTIONAL: Mapping[str, Spelling] = same("torch.autograd.functional", "jacobian hessian vjp jvp vhp hvp")
