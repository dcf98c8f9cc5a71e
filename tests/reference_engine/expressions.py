"""What both engines evaluate, by the kind of input (see `comparison`): expressions set apart by semicolons."""

# Functions of x, or of x and y, by name.
NAMES = {
    "real": """
        lgamma digamma erfinv abs acos acosh asin asinh atan atanh ceil cos cosh deg2rad erf erfc exp exp2 expm1
        floor frac log log10 log1p log2 logit neg rad2deg reciprocal relu round rsqrt sgn sigmoid sign sin sinc sinh
        sqrt square tan tanh trunc nan_to_num angle clone real conj""",
    "complex": """
        abs acos acosh angle asin asinh atan atanh conj cos cosh exp expm1 imag log log10 log2 neg reciprocal real
        rsqrt sgn sigmoid sin sinc sinh sqrt square tan tanh view_as_real log1p""",
    "two": """
        add atan2 copysign div eq fmax fmin fmod floor_divide ge gt hypot le logaddexp lt maximum minimum mul ne pow
        remainder sub xlogy clamp_min clamp_max heaviside""",
}

EXPRESSIONS = {
    "real": """
        x.clamp(-1, 1); x.clamp(max=0.5); x.pow(2); x.pow(3); x.pow(0.5); x.pow(0); x.pow(-1); x**1; 2.0**x; 0.0**x;
        torch.nn.functional.softplus(x * 12); torch.nn.functional.relu6(x * 4);
        torch.nn.functional.hardsigmoid(x * 2); torch.special.gammainc(torch.ones_like(x), x.abs() + 0.25);
        torch.where(x > 0, x, x * 0); x.masked_fill(x > 0, 7); torch.logit(x, 0.1);
        torch.nan_to_num(x, 1.0, 2.0, 3.0); x.round(decimals=1); x / 2; 2 / x; x - 1; 1 - x; x.float().double();
        torch.complex(x, x); x.clamp(x * 0, x * 0 + 1); x.flip(0); torch.polygamma(1, x.abs() + 0.25);
        torch.special.ndtr(x); torch.nn.functional.leaky_relu(x); torch.nn.functional.elu(x);
        torch.nn.functional.gelu(x); torch.nn.functional.silu(x); torch.nn.functional.hardtanh(x);
        torch.nn.functional.relu6(x); torch.nn.functional.softsign(x); torch.nn.functional.logsigmoid(x); x % 2;
        3 % x; x // 2; x.flatten(); x.ravel(); x.reshape(-1); x.clone().exp_(); x.clone().clamp_(-1, 1);
        x.clone().relu_(); x.clone().mul_(x); x.clone().zero_(); x.clone().fill_(2);
        x.clone().addcmul_(x, x, value=2); x.clone().tanh_(); x.clone().sub_(x, alpha=3); x.clone().floor_();
        x.clone().pow_(2); x.clone().masked_fill_(x > 0, 1); torch.addcmul(x, x, x, value=0.5);
        x.expand(2, *x.shape); x.norm(); x.norm(1); x.norm(3); x.norm(0.5); x.norm(0); x.sum(); x.cos().add_(1);
        x.unsqueeze(0); x.lerp(x * 2, 0.3); x.nansum(); torch.view_as_complex(torch.stack([x, x], -1))""",
    "complex": """
        x**2; x**0.5; x * x.conj(); x.abs() ** 2; 2**x; x.real + x.imag; torch.view_as_real(x).sum(-1); x.sum();
        x.mean(); x.prod(0); x.norm(); x.norm(1); x.norm(3); x.norm(float('inf')); x.to(torch.complex64); x.var();
        x.std(); x / (1 + x); x.mH if x.ndim > 1 else x.conj(); x.lerp(x * 2, 0.3); x.cumsum(0); x.cumprod(0)""",
    "two": """
        x.lerp(y, 0.3); torch.lerp(x, y, x * y); torch.where(x > y, x, y); x.clamp(y, y + 1); x.clamp(y + 1, y);
        torch.nn.functional.l1_loss(x, y); torch.nn.functional.smooth_l1_loss(x, y, beta=0.5);
        torch.nn.functional.huber_loss(x, y, reduction='sum'); x.div(y, rounding_mode='floor');
        x.div(y, rounding_mode='trunc'); x.add(y, alpha=2); torch.broadcast_tensors(x, y)[1]; y - x""",
    "two complex": """
        x + y; x - y; x * y; x / y; x**y; torch.where(x.real > 0, x, y); torch.lerp(x, y, 0.5)""",
    "along": """
        x.max(); x.min(); x.max(1).values; x.min(0).values; x.amax(1); x.amin((0, 1)); x.amax(); x.sort(1).values;
        x.sort(0, descending=True).values; x.sort(dim=1, stable=True).indices; x.argsort(dim=1, stable=True);
        x.argsort(dim=1, descending=True, stable=True); x.topk(2).values; x.topk(2, 0, largest=False).values;
        x.median(); x.median(1).values; x.kthvalue(2).values; x.mode(1).values; x.cummax(1).values;
        x.cummax(0).indices; x.cummin(1).values; x.argmax(1); x.argmin(0); x.argmax(); x.argmin(1, keepdim=True);
        x.sum(1); x.sum((0, 1), keepdim=True); x.mean(0); x.prod(); x.prod(1); x.prod(0, keepdim=True); x.cumsum(1);
        x.cumprod(1); x.cumprod(0); x.logsumexp(1); x.logsumexp((0, 1)); x.softmax(0); x.softmax(1);
        x.log_softmax(1); x.var(); x.var(1); x.std(1); x.std(); x.var(0, correction=0); x.std(1, keepdim=True);
        x.var(1, correction=4); x.norm(dim=1); x.norm(1, dim=1); x.norm(float('inf'), dim=1);
        x.norm(float('-inf'), dim=1); x.norm(3, dim=1); x.norm(1.5, dim=1); x.norm(0, dim=1);
        torch.linalg.vector_norm(x, 4, 1); torch.linalg.vector_norm(x, 0.5); torch.norm(x, 'fro', dim=(0, 1));
        x.dist(x * 2); x.nansum(1); x.nanmean(1); x.all(1); x.any(0); x.count_nonzero(1); x.isnan(); x.isinf();
        x.isfinite(); x.signbit(); x.t(); x.transpose(0, 1); x.permute(1, 0); x.view(-1); x.reshape(1, -1);
        x.flip(1); x.roll(1, 0); x.roll((1, 2), (0, 1)); x.roll(2); x.tril(); x.triu(1); x.diagonal(); x.diagonal(1);
        x.diag(); x[0].diag(1); x.diag_embed(); x.squeeze(); x.unsqueeze(1).squeeze(1); x[1]; x[:, ::2]; x[..., -1];
        x[None]; x[[0, 0, 1]]; x[x > 0]; x[[0, 1], [1, 1]]; x[torch.tensor([True, False] + [True] * (len(x) - 2))];
        x.gather(1, torch.tensor([[0, 0], [2, 1]])); x.gather(0, torch.tensor([[1, 0]]));
        x.scatter(1, torch.tensor([[0, 0], [2, 1]]), x[:2, 1:3] * 2); x.scatter(0, torch.tensor([[0, 1]]), x);
        x.scatter(0, torch.tensor([[1, 1]]), 3.0); x.scatter_add(1, torch.tensor([[0, 0], [2, 1]]), x[:2, 1:3]);
        x.index_add(0, torch.tensor([0, 0]), x[:2], alpha=2); x.index_select(1, torch.tensor([2, 0, 0]));
        x.index_fill(0, torch.tensor([1]), 5); x.index_put((torch.tensor([0, 0]),), x[1], accumulate=True);
        x.take(torch.tensor([0, 3, 3])); x.masked_select(x > 0); x.nonzero();
        x.clone().index_add_(0, torch.tensor([0, 0]), x[:2]);
        x.clone().scatter_(1, torch.tensor([[0, 1]]), x[:1, :2] * 3); x.unfold(1, 2, 1); x.unfold(0, 2, 2);
        x.as_strided((2, 2), (1, 2)); x.t().as_strided((2, 3), (1, 1), 1); x.select_scatter(x[1], 0, 0);
        x.slice_scatter(x[:1], 0, 1, 2); x.diagonal_scatter(x[0, :len(x.diagonal())]); x.clone().t_();
        x.logcumsumexp(1); torch.cdist(x, x[:1] * 2); torch.searchsorted(torch.tensor([-1.0, 0, 2]).to(x), x);
        x[:, None].clone().squeeze_(1); x.clone().unsqueeze_(0); x.clone().transpose_(0, 1); x.lerp(x.exp(), 0.75);
        torch.cat([x, x[:1]]); torch.stack([x, x], 1); x.split(1)[1]; x.split([1, len(x) - 1])[1]; x.chunk(2, 1)[0];
        x.unbind(1)[2]; x.tensor_split(2, 1)[1]; x.narrow(1, 1, 2); x.select(1, 0); x.repeat(2, 1, 2); x.tile(2);
        x.movedim(0, 1); x.swapaxes(0, 1); x.unflatten(1, (1, -1)); x.diff();
        torch.meshgrid(x[0], x[1], indexing='ij')[1]; torch.inner(x, x); torch.kron(x, x[:1]); x.trace();
        torch.tensordot(x, x, ([1], [1])); x @ x.t(); x @ x[0]; x[0] @ x[1]; x.mv(x[0]); torch.vdot(x[0], x[1]);
        x.unsqueeze(0) @ x.t(); torch.einsum('ij,kj->ik', x, x); torch.einsum('ij->j', x);
        torch.einsum('ij,ij', x, x);
        torch.einsum('ij,j,i->', x, x[0], x[:, 0]); torch.einsum('ii->i', x[:2, :2]);
        torch.einsum('ij,jk', x, x.t()); x.adjoint(); x.mT; x.isclose(x + 1e-9); x.expand(2, -1, -1);
        x.broadcast_to(2, *x.shape); x.clone().cumsum_(1); torch.addmm(x, x, x.t() @ x, beta=0.5, alpha=2);
        x.double() * 2; x.clone().copy_(x * 2); (lambda z: (z[0].mul_(2), z)[1])(x.clone());
        (lambda z, v: (z.mul_(2), v)[1])(*(lambda z: (z, z.t()[1:]))(x * 1)); torch.nn.functional.mse_loss(x, x * 2);
        torch.nn.functional.l1_loss(x, x * 2);
        torch.nn.functional.embedding(torch.tensor([0, 1, 1]), x, padding_idx=0, scale_grad_by_freq=True);
        torch.nn.functional.huber_loss(x, x * 2, delta=0.5); torch.nn.functional.smooth_l1_loss(x, x * 2);
        torch.nn.functional.cross_entropy(x, torch.arange(len(x)) % x.shape[1]);
        torch.nn.functional.cross_entropy(x, x.softmax(1));
        torch.nn.functional.nll_loss(x, torch.zeros(len(x), dtype=torch.int64));
        torch.nn.functional.layer_norm(x, x.shape[1:]); torch.nn.functional.normalize(x);
        torch.nn.functional.cosine_similarity(x, x * x + 1);
        torch.nn.functional.binary_cross_entropy_with_logits(x, x.sigmoid()); x.copysign(x.flip(1));
        torch.linalg.cross(x[:2, :3], x[:2, 1:]) if x.shape[1] > 3 else x; torch.outer(x[0], x[1])""",
    "along complex": """
        x.sum(1); x.mean(0); x.prod(1); x.cumprod(1); x.norm(dim=1); x.var(1); x.std(1); x @ x.mH; x.mH @ x;
        torch.vdot(x[0], x[1]); torch.einsum('ij,kj->ik', x, x.conj()); torch.linalg.vecdot(x, x.conj()); x.t()[::2];
        x.cumsum(1); x[:, 1:]""",
    "empty": """
        x.sum(); x.sum(0); x.sum(1); x.prod(); x.prod(1); x.mean(); x.mean(1); x.cumsum(0); x.cumprod(1); x.norm();
        x.norm(1); x.norm(dim=1); x.logsumexp(1); x.softmax(1); x.log_softmax(0); x.var(); x.std(1); x.median();
        x.sort(1).values; x.t() @ x; x @ x.t(); torch.cat([x, x]); x.max(); x.amax(); x.argmax(); x.flip(0);
        x.tril(); x.norm(float('inf')); x.all(); x.any(1); x.reshape(3, -1); x.unsqueeze(0); x[x > 0];
        x.repeat(2, 2); torch.einsum('ij->j', x); x.topk(0).values; x.nonzero(); x.roll(1, 0); x.cummax(1).values""",
    "scalar": """
        x.sum(); x.sum(0); x.mean(-1); x.prod(); x.prod(0); x.cumsum(0); x.cumprod(0); x.max(); x.max(0).values;
        x.amax(0); x.norm(); x.logsumexp(0); x.softmax(0); x.log_softmax(-1); x.sort().values; x.topk(1).values;
        x.median(); x.median(0).values; x.var(); x.var(correction=0); x.std(); x.argsort(); x.argmax();
        x.flip(0) if x.ndim else x.flip(()); x.roll(1); x.reshape(1, 1); x.expand(2, 3); x.repeat(2);
        x.index_select(0, torch.tensor([0])); x.gather(0, torch.tensor(0)); x.unsqueeze(0); x.squeeze(); x.flatten();
        x.clone(); x[None]; x[...]; x[()]; x.masked_select(x > 0); x.cummax(0).values; x.kthvalue(1).values;
        x.scatter(0, torch.tensor(0), x * 2); x.t(); x.index_add(0, torch.tensor(0), x); x.nonzero();
        x.unbind() if x.ndim else x; x.scatter_add(0, torch.tensor(0), x)""",
    "matrix": """
        x.det(); x.slogdet()[0]; x.slogdet().logabsdet; x.logdet(); x.inverse(); torch.linalg.solve(x, x[..., 0]);
        torch.linalg.solve(x, x.mT); torch.linalg.solve(x, x[..., :2, :], left=False);
        torch.linalg.cholesky(x @ x.mT); torch.linalg.cholesky(x @ x.mT, upper=True);
        torch.linalg.eigh(x + x.mT).eigenvalues; torch.linalg.eigh(x + x.mT).eigenvectors.abs();
        torch.linalg.eigvalsh(x + x.mT, UPLO='U'); torch.linalg.svdvals(x); torch.linalg.svd(x)[0].abs();
        torch.linalg.svd(x).Vh.abs(); torch.linalg.matrix_norm(x); torch.linalg.matrix_norm(x, 'nuc');
        torch.linalg.matrix_norm(x, 2, keepdim=True); torch.linalg.matrix_norm(x, -1);
        torch.linalg.matrix_norm(x, float('inf')); torch.linalg.pinv(x); x.tril() @ x.triu();
        torch.linalg.diagonal(x)""",
    "complex matrix": """
        x.det(); x.slogdet()[0]; x.slogdet()[1]; x.inverse(); torch.linalg.solve(x, x.mH);
        torch.linalg.cholesky(x @ x.mH); torch.linalg.eigh(x + x.mH).eigenvalues;
        torch.linalg.eigh(x + x.mH).eigenvectors.abs(); torch.linalg.svdvals(x); torch.linalg.svd(x).U.abs();
        torch.linalg.svd(x).Vh.abs(); torch.linalg.qr(x).Q; torch.linalg.qr(x).R;
        (lambda f: f.U @ f.Vh)(torch.linalg.svd(x)); torch.linalg.matrix_norm(x, 'nuc'); torch.linalg.pinv(x);
        torch.linalg.svd(x).U.real; torch.linalg.svd(x).Vh.imag; torch.linalg.eigh(x + x.mH).eigenvectors.real;
        torch.linalg.eig(x).eigenvalues.abs(); torch.linalg.eig(x).eigenvectors.abs();
        torch.linalg.eig(x).eigenvalues.imag""",
    "tall": """
        torch.linalg.qr(x).Q; torch.linalg.qr(x).R; torch.linalg.svdvals(x);
        torch.linalg.svd(x, full_matrices=False).U.abs(); torch.linalg.svd(x, full_matrices=False).Vh.abs();
        torch.linalg.svd(x).S; torch.linalg.pinv(x); torch.linalg.matrix_norm(x, 2);
        torch.nn.functional.binary_cross_entropy(x.sigmoid(), x.detach().sigmoid() * 0.5);
        torch.nn.functional.gaussian_nll_loss(x, x * 2, x * x + 1)""",
    "singular": """
        x.det(); x.slogdet()[1]; x.slogdet()[0]; torch.linalg.svdvals(x); x.inverse(); torch.linalg.cholesky(x);
        torch.linalg.pinv(x); torch.pinverse(x, 1e-3); torch.linalg.qr(x).R; torch.linalg.matrix_norm(x); x.logdet()""",
    "products": """
        x @ y; x.mm(y); x.mv(y[:, 0]); x[0].dot(y[:, 0]); torch.bmm(x[None], y[None]);
        torch.einsum('ij,jk->ki', x, y); torch.outer(x[0], y[0]); torch.matmul(x[None, None], y);
        torch.matmul(x[0], y[None]); torch.tensordot(x, y, 1); torch.kron(x, y)""",
    "three": """
        torch.addmm(torch.zeros(2, 2, dtype=x.dtype), x, y @ w); torch.einsum('ij,jk,kl->il', x, y, w);
        torch.lerp(y, y.t(), y * y); torch.addcmul(x, x, y[:2])""",
    "types": """
        x + y; x * y; x / y; x == y; x < y; torch.where(x != 0, x, y); torch.stack([x, y]); torch.maximum(x, y);
        x * y[0]; x[0] + y[1]; x.sum() * y; x + 2; x * 2.5; x / 2; 2 * x; x * 1j; x.sum(); x.prod(); x.mean();
        x.cumsum(0); x.sqrt(); x.exp(); x.abs(); torch.atan2(x, y); x.floor(); x & y; x.logical_or(y); ~(x != y);
        x.clone().add_(y); x.clone().mul_(2.5); x.clone().copy_(y); torch.full_like(x, 2); x.angle();
        x.sort().values; x.amax(); x.relu(); x // 2""",
}
