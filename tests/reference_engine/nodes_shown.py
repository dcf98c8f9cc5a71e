"""What the tape shows of an operation: the names of its node and of those that come next.

Run as a script this prints, as JSON, what each expression's node is called on whatever ``torch`` is.
"""

from __future__ import annotations

import json
import warnings
from typing import Any

EXPRESSIONS = """
    a.exp(); a.sin(); a.tanh(); a.sigmoid(); -a; a.abs(); a.square(); a.relu(); a * 2; 3 / a; a.t(); a.clone();
    a.flip(0); a.cumsum(0); a.view(-1); a.reshape(3, 2); a.unsqueeze(0); a.squeeze(); a.sum(); a.mean(0);
    a.sum(-1, keepdim=True); a.prod(0); a.max(); a.amax(0); a.min(0).values; a.var(); a.logsumexp(0); a.softmax(0);
    a.log_softmax(-1); a.norm(); a.clamp(-0.5, 0.5); a.floor(); a.diagonal(); a.tril(); a.expand(2, -1, -1);
    a.permute(1, 0); a.transpose(0, 1); a[0]; a[:, 1]; a[..., 0]; a[[0, 1, 0]]; a[::2]; a.float(); a.pow(3);
    a.sort(0).values; a.roll(1, 0); a.repeat(2, 1); a.unbind(0)[0]; a.chunk(2)[1]; a.split(1)[0]; a.flatten();
    a.narrow(0, 0, 1); a.index_select(0, torch.tensor([1, 1])); a.gather(0, torch.tensor([[0, 1, 0]]));
    a.masked_fill(a > 0, 0.5); a.view_as(a); a.movedim(0, 1); a.unfold(0, 2, 1); a.diag_embed(); a.select(0, 1);
    a.cummax(0).values; a.topk(1, 0).values; a.mT; a.narrow(0, -1, 1); a.split(2, 1)[-1];
    torch.cat([a, torch.zeros(0).double()]); a / 3; torch.linalg.vector_norm(a, 1); F.elu(a); a + b; a * b; a - b;
    a / (b * b + 1); a @ b.t(); torch.maximum(a, b); torch.where(a > b, a, b); torch.stack([a, b]);
    torch.cat([a, b]); torch.atan2(a, b * b + 1); torch.lerp(a, b, 0.3); torch.addcmul(a, a, b); a.expand_as(b);
    a + 2; 2 + a; a - 2; 2 - a; 2 * a; a / 2; 2 / a; a ** 2; 2 ** a; a ** b; a.pow(2.5); a % 2; a.sqrt(); a.rsqrt();
    a.log(); a.log1p(); a.expm1(); a.cos(); a.tan(); a.asin(); a.acos(); a.atan(); a.sinh(); a.cosh(); a.erf();
    a.reciprocal(); a.neg(); a.sign(); a.ceil(); a.round(); a.trunc(); a.frac(); a.clamp(min=0); a.clamp(max=1);
    a.std(); a.var(0); a.std(0, keepdim=True); a.mean(); a.prod(); a.cumprod(0); a.max(0).values; a.min();
    a.amin(0); a.median(); a.median(0).values; a.mode(0).values; a.kthvalue(1, 0).values; a.logcumsumexp(0);
    a.norm(1); a.norm(2, dim=0); a.norm(float('inf')); a.abs().max(); a.t() @ b; a[0] @ b[0]; a @ b[0];
    torch.dot(a[0], b[0]); torch.mm(a, b.t()); torch.mv(a, b[0]); torch.bmm(a[None], b.t()[None]);
    torch.matmul(a[None], b.t()); torch.einsum('ij, kj->ik', a, b); torch.einsum('ij->i', a);
    torch.tensordot(a, b, 2); torch.addmm(a @ b.t(), a, b.t()); torch.outer(a[0], b[0]); torch.kron(a, b);
    torch.linalg.norm(a); torch.linalg.inv(s); s.det(); s.logdet(); torch.slogdet(s)[1]; torch.linalg.slogdet(s)[1];
    torch.linalg.solve(s, s); torch.linalg.cholesky(s); torch.linalg.eigh(s)[0]; torch.linalg.eigvalsh(s);
    torch.linalg.qr(s)[0]; torch.linalg.svd(s)[1]; torch.linalg.svdvals(s); torch.trace(s); s.trace();
    torch.linalg.matrix_power(s, 3); torch.linalg.pinv(s); torch.inverse(s); a.triu(); a.tril(1); a.rot90();
    a.fliplr(); a.tile(2); a.repeat_interleave(2); torch.hstack([a, b]); torch.vstack([a, b]); torch.dstack([a, b]);
    a.unflatten(1, (3, 1)); a.swapaxes(0, 1); a.T; a.H; a.adjoint(); a.broadcast_to(2, 2, 3); a.squeeze(0);
    a.masked_select(a > 1); a[a > 1]; a[torch.tensor([0, 1])]; a[0, torch.tensor([1, 2])]; a[None]; a[...];
    a[0:1, 1]; a.take(torch.tensor([0])); torch.take_along_dim(a, torch.tensor([[0]]), 1);
    a.index_add(0, torch.tensor([0]), b[:1]); a.index_copy(0, torch.tensor([0]), b[:1]);
    a.index_put((torch.tensor([0]), ), b[0]); a.scatter(0, torch.tensor([[0]]), 1.0);
    a.scatter_add(0, torch.tensor([[0, 0, 0]]), b); a.masked_scatter(a > 1, b); torch.clone(a); a.to(torch.float32);
    torch.complex(a, b); torch.polar(a, b); (a+0j).imag; (a+0j).angle(); (a+0j).abs(); (a+0j).conj();
    torch.view_as_real(a+0j); a.softmax(1); F.relu(a); F.softplus(a); F.sigmoid(a); F.tanh(a); F.gelu(a); F.silu(a);
    F.leaky_relu(a); F.selu(a); F.celu(a); F.hardtanh(a); F.relu6(a); F.logsigmoid(a); F.softsign(a);
    F.hardsigmoid(a); F.mish(a); F.mse_loss(a, b); F.l1_loss(a, b); F.smooth_l1_loss(a, b); F.huber_loss(a, b);
    F.cross_entropy(a, torch.tensor([0, 1])); F.nll_loss(a, torch.tensor([0, 1])); F.kl_div(a, b);
    F.binary_cross_entropy(a.sigmoid(), b.sigmoid().detach()); F.binary_cross_entropy_with_logits(a, b.detach());
    F.linear(a, b); F.linear(a, b, a[:, 0]); F.normalize(a); F.cosine_similarity(a, b); F.pairwise_distance(a, b);
    F.layer_norm(a, (3, )); F.embedding(torch.tensor([0]), a); F.dropout(a, 0.5); torch.logaddexp(a, b);
    torch.hypot(a, b); torch.fmod(a, b); torch.remainder(a, b); torch.fmax(a, b); torch.minimum(a, b);
    torch.max(a, b); torch.min(a, b); torch.xlogy(a, b); torch.lgamma(a); torch.digamma(a); torch.sinc(a);
    torch.logit(a.sigmoid()); torch.addcdiv(a, a, b); torch.addr(a, a[:, 0], b[0]); torch.addmv(a[:, 0], a, b[0]);
    torch.baddbmm(a.t()[None]@b[None], a.t()[None], b[None]); torch.cross(a, b, dim=1); torch.cdist(a, b);
    torch.cov(a); torch.diff(a); torch.trapezoid(a); torch.cumulative_trapezoid(a);
    torch.meshgrid(a[0], b[0], indexing='ij')[0]; torch.block_diag(a, b); torch.cartesian_prod(a[0], b[0]);
    torch.nan_to_num(a); a.lerp(b, b); a.nansum(); a.nanmean(); torch.var_mean(a)[0]; torch.std_mean(a)[1];
    torch.aminmax(a)[0]; torch.msort(a); torch.stack([a, b], 1); torch.concat([a, b]); torch.tensor_split(a, 2)[0];
    torch.hsplit(a, 3)[0]; torch.broadcast_tensors(a, b[0])[1]; torch.atleast_3d(a); a.view(3, 2); a.view_as(b);
    a.reshape(6); a.t().reshape(6); a.ravel(); a.t().flatten(); a.as_strided((2, ), (1, )); a.deg2rad(); a.exp2();
    a.log2(); a.log10(); a.logsumexp(1); torch.square(a); torch.sgn(a); a.copysign(b); a.clamp(b, a);
    torch.where(a>1, a, 0.0); torch.special.expit(a); torch.special.erfinv(a*0.1); torch.renorm(a, 2, 0, 1.0);
    torch.dist(a, b); a.dist(b); a.select_scatter(b[0], 0, 0); a.slice_scatter(b[:1], 0, 0, 1);
    a.diagonal_scatter(b[0, :2]); a.index_fill(0, torch.tensor([0]), 1.0); a.put(torch.tensor([0]), b[0, :1])"""


def shown(torch: Any, code: str) -> str:
    """The name of the node that an expression's result has, and of those that follow it, without what all end by."""
    a, b = (
        torch.tensor(rows, dtype=torch.float64, requires_grad=True)
        for rows in ([[0.5, 1.0, 1.5], [2.0, 2.5, 3.0]], [[2.0, 0.5, 1.0], [1.5, 3.0, 0.5]])
    )
    s = torch.tensor([[2.0, 0.5], [0.5, 3.0]], dtype=torch.float64, requires_grad=True)
    node = eval(code, {"torch": torch, "F": torch.nn.functional, "a": a, "b": b, "s": s}).grad_fn
    following = ["-" if n is None else _name(n) for n, _ in node.next_functions]
    return f"{_name(node)}({', '.join(following)})"


def _name(node: Any) -> str:
    name = node.name().removeprefix("torch::autograd::")
    return "leaf" if name == "AccumulateGrad" else str(name.removesuffix("0").removesuffix("Backward"))


def all_shown(torch: Any) -> dict[str, str]:
    """What each expression shows."""
    return {code: shown(torch, code) for code in (line.strip() for line in EXPRESSIONS.split(";"))}


if __name__ == "__main__":
    import torch

    warnings.simplefilter("ignore")
    print(json.dumps(all_shown(torch)))
