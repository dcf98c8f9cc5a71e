"""Expressions that both engines evaluate, by the kind of input (see `comparison`), set apart by semicolons."""

# Functions of x, or of x and y, by name.
NAMES = {
    "real": """
        lgamma digamma abs acos acosh asin asinh atan atanh ceil cos cosh erf erfc exp exp2 expm1 floor frac log
        log10 log1p log2 logit neg reciprocal relu round rsqrt sgn sigmoid sign sin sinc sinh sqrt square tan tanh
        trunc angle clone real conj""",
    "complex": """
        abs acos acosh angle asin asinh atan atanh conj cos cosh exp expm1 imag log log10 log2 neg reciprocal real
        rsqrt sgn sigmoid sin sinc sinh sqrt square tan tanh view_as_real log1p""",
    "two": """
        add atan2 copysign div eq ge gt hypot le logaddexp lt maximum minimum mul ne pow remainder sub clamp_min
        clamp_max""",
}

EXPRESSIONS = {
    "real": """
        x.clamp(-1, 1); x.clamp(max=0.5); x.pow(2); x.pow(3); x.pow(0.5); x.pow(0); x.pow(-1); x**1; 2.0**x; 0.0**x;
        torch.nn.functional.softplus(x * 12); torch.nn.functional.relu6(x * 4);
        torch.nn.functional.hardsigmoid(x * 2); torch.special.gammainc(torch.ones_like(x), x.abs() + 0.25);
        torch.where(x > 0, x, x * 0); x.masked_fill(x > 0, 7); x / 2; 2 / x; x - 1; 1 - x;
        x.float().double(); torch.complex(x, x); x.clamp(x * 0, x * 0 + 1); x.flip(0);
        torch.polygamma(1, x.abs() + 0.25); torch.nn.functional.leaky_relu(x); torch.nn.functional.hardtanh(x);
        torch.nn.functional.relu6(x); x % 2; 3 % x; x.reshape(-1); x.clone().exp_(); x.clone().clamp_(-1, 1);
        x.clone().relu_(); x.clone().mul_(x); x.clone().zero_(); x.clone().fill_(2); x.clone().tanh_();
        x.clone().sub_(x, alpha=3); x.clone().floor_(); x.clone().pow_(2); x.clone().masked_fill_(x > 0, 1);
        x.expand(2, *x.shape); x.norm(); x.norm(1); x.norm(3); x.norm(0.5); x.norm(0); x.sum(); x.cos().add_(1);
        x.unsqueeze(0); torch.view_as_complex(torch.stack([x, x], -1))""",
    "complex": """
        x**2; x**0.5; x * x.conj(); x.abs() ** 2; 2**x; x.real + x.imag; torch.view_as_real(x).sum(-1); x.sum();
        x.mean(); x.prod(0); x.norm(); x.norm(1); x.norm(3); x.norm(float('inf')); x.to(torch.complex64); x.var();
        x.std(); x / (1 + x); x.mH if x.ndim > 1 else x.conj(); x.cumsum(0); x.cumprod(0)""",
    "two": """
        torch.where(x > y, x, y); x.clamp(y, y + 1); x.clamp(y + 1, y); torch.nn.functional.l1_loss(x, y);
        torch.nn.functional.smooth_l1_loss(x, y, beta=0.5); torch.nn.functional.huber_loss(x, y, reduction='sum');
        x.add(y, alpha=2); y - x""",
    "two complex": """
        x + y; x - y; x * y; x / y; x**y; torch.where(x.real > 0, x, y)""",
    "along": """
        x.max(); x.min(); x.max(1).values; x.min(0).values; x.amax(1); x.amin((0, 1)); x.amax(); x.sort(1).values;
        x.sort(0, descending=True).values; x.sort(dim=1, stable=True).indices; x.argsort(dim=1, stable=True);
        x.argsort(dim=1, descending=True, stable=True); x.topk(2).values; x.topk(2, 0, largest=False).values;
        x.kthvalue(2).values; x.mode(1).values; x.argmax(1); x.argmax(); x.sum(1); x.sum((0, 1), keepdim=True);
        x.mean(0); x.prod(); x.prod(1); x.prod(0, keepdim=True); x.cumsum(1); x.cumprod(1); x.cumprod(0);
        x.logsumexp(1); x.logsumexp((0, 1)); x.softmax(0); x.softmax(1); x.log_softmax(1); x.var(); x.var(1);
        x.std(1); x.std(); x.var(0, correction=0); x.std(1, keepdim=True); x.var(1, correction=4); x.norm(dim=1);
        x.norm(1, dim=1); x.norm(float('inf'), dim=1); x.norm(float('-inf'), dim=1); x.norm(3, dim=1);
        x.norm(1.5, dim=1); x.norm(0, dim=1); torch.linalg.vector_norm(x, 4, 1); torch.linalg.vector_norm(x, 0.5);
        torch.norm(x, 'fro', dim=(0, 1)); x.dist(x * 2); x.count_nonzero(1); x.isnan(); x.signbit(); x.t();
        x.transpose(0, 1); x.permute(1, 0); x.view(-1); x.reshape(1, -1); x.flip(1); x.tril(); x.triu(1);
        x.diagonal(); x.diagonal(1); x.squeeze(); x.unsqueeze(1).squeeze(1); x[1]; x[:, ::2]; x[..., -1]; x[None];
        x[[0, 0, 1]]; x[x > 0]; x[[0, 1], [1, 1]]; x[torch.tensor([True, False] + [True] * (len(x) - 2))];
        x.index_put((torch.tensor([0, 0]),), x[1], accumulate=True); x.take(torch.tensor([0, 3, 3])); x.nonzero();
        x.unfold(1, 2, 1); x.unfold(0, 2, 2); x.as_strided((2, 2), (1, 2)); x.t().as_strided((2, 3), (1, 1), 1);
        x.slice_scatter(x[:1], 0, 1, 2); torch.cdist(x, x[:1] * 2); x.t().contiguous() * 2;
        torch.searchsorted(torch.tensor([-1.0, 0, 2]).to(x), x); torch.cat([x, x[:1]]); torch.stack([x, x], 1);
        x.split(1)[1]; x.split([1, len(x) - 1])[1]; x.chunk(2, 1)[0]; x.unbind(1)[2]; x.tensor_split(2, 1)[1];
        x.narrow(1, 1, 2); x.select(1, 0); x.movedim(0, 1); x.swapaxes(0, 1); x @ x.t(); x @ x[0]; x[0] @ x[1];
        x.mv(x[0]); x.unsqueeze(0) @ x.t(); x.adjoint(); x.mT; x.expand(2, -1, -1); x.broadcast_to(2, *x.shape);
        x.clone().cumsum_(1); x.double() * 2; x.clone().copy_(x * 2); (lambda z: (z[0].mul_(2), z)[1])(x.clone());
        (lambda z, v: (z.mul_(2), v)[1])(*(lambda z: (z, z.t()[1:]))(x * 1)); torch.nn.functional.mse_loss(x, x * 2);
        torch.nn.functional.l1_loss(x, x * 2);
        torch.nn.functional.embedding(torch.tensor([0, 1, 1]), x, padding_idx=0, scale_grad_by_freq=True);
        torch.nn.functional.huber_loss(x, x * 2, delta=0.5); torch.nn.functional.smooth_l1_loss(x, x * 2);
        torch.nn.functional.cross_entropy(x, torch.arange(len(x)) % x.shape[1]);
        torch.nn.functional.cross_entropy(x, x.softmax(1)); torch.tensor_split(x, (1, 2))[1];
        torch.nn.functional.cross_entropy(x, torch.arange(len(x)) % x.shape[1], label_smoothing=0.25);
        torch.nn.functional.cross_entropy(x, x.softmax(1), weight=x[0].detach(), label_smoothing=0.25);
        torch.nn.functional.nll_loss(x, torch.zeros(len(x), dtype=torch.int64)); x.copysign(x.flip(1));
        torch.outer(x[0], x[1])""",
    "along complex": """
        x.sum(1); x.mean(0); x.prod(1); x.cumprod(1); x.norm(dim=1); x.var(1); x.std(1); x @ x.mH; x.mH @ x;
        x.t()[::2]; x.cumsum(1); x[:, 1:]""",
    "empty": """
        x.sum(); x.sum(0); x.sum(1); x.prod(); x.prod(1); x.mean(); x.mean(1); x.cumsum(0); x.cumprod(1); x.norm();
        x.norm(1); x.norm(dim=1); x.logsumexp(1); x.softmax(1); x.log_softmax(0); x.var(); x.std(1);
        x.sort(1).values; x.t() @ x; x @ x.t(); torch.cat([x, x]); x.max(); x.amax(); x.argmax(); x.flip(0);
        x.tril(); x.norm(float('inf')); x.reshape(3, -1); x.unsqueeze(0); x[x > 0]; x.topk(0).values; x.nonzero()""",
    "scalar": """
        x.sum(); x.sum(0); x.mean(-1); x.prod(); x.prod(0); x.cumsum(0); x.cumprod(0); x.max(); x.max(0).values;
        x.amax(0); x.norm(); x.logsumexp(0); x.softmax(0); x.log_softmax(-1); x.sort().values; x.topk(1).values;
        x.var(); x.var(correction=0); x.std(); x.argsort(); x.argmax(); x.flip(0) if x.ndim else x.flip(());
        x.reshape(1, 1); x.expand(2, 3); x.unsqueeze(0); x.squeeze(); x.clone(); x[None]; x[...]; x[()];
        x.kthvalue(1).values; x.t(); x.nonzero(); x.unbind() if x.ndim else x""",
    "matrix": """
        x.det(); x.slogdet()[0]; x.slogdet().logabsdet; x.inverse(); torch.linalg.solve(x, x.mT);
        torch.linalg.eigh(x + x.mT).eigenvalues; torch.linalg.eigh(x + x.mT).eigenvectors.abs();
        torch.linalg.eigvalsh(x + x.mT, UPLO='U'); torch.linalg.svdvals(x); torch.linalg.svd(x)[0].abs();
        torch.linalg.svd(x).Vh.abs(); torch.linalg.matrix_norm(x); x.tril() @ x.triu();
        torch.linalg.matrix_norm(x, 'nuc'); torch.linalg.matrix_norm(x, 2); torch.linalg.matrix_norm(x, 1);
        torch.linalg.matrix_norm(x, -float('inf'))""",
    "complex matrix": """
        x.det(); x.slogdet()[0]; x.slogdet()[1]; x.inverse(); torch.linalg.solve(x, x.mH);
        torch.linalg.eigh(x + x.mH).eigenvalues; torch.linalg.eigh(x + x.mH).eigenvectors.abs();
        torch.linalg.svdvals(x); torch.linalg.svd(x).U.abs(); torch.linalg.svd(x).Vh.abs(); torch.linalg.qr(x).Q;
        torch.linalg.qr(x).R; (lambda f: f.U @ f.Vh)(torch.linalg.svd(x)); torch.linalg.svd(x).U.real;
        torch.linalg.svd(x).Vh.imag; torch.linalg.eigh(x + x.mH).eigenvectors.real;
        torch.linalg.eig(x).eigenvalues.abs(); torch.linalg.eig(x).eigenvectors.abs();
        torch.linalg.eig(x).eigenvalues.imag""",
    "tall": """
        torch.linalg.qr(x).Q; torch.linalg.qr(x).R; torch.linalg.svdvals(x);
        torch.linalg.svd(x, full_matrices=False).U.abs(); torch.linalg.svd(x, full_matrices=False).Vh.abs();
        torch.linalg.svd(x).S; torch.nn.functional.binary_cross_entropy(x.sigmoid(), x.detach().sigmoid() * 0.5);
        torch.nn.functional.gaussian_nll_loss(x, x * 2, x * x + 1);
        torch.nn.functional.binary_cross_entropy(x.sigmoid(), x.detach().sigmoid() * 0.5, x.detach().abs())""",
    "singular": """
        x.det(); x.slogdet()[1]; x.slogdet()[0]; torch.linalg.svdvals(x)[0]; x.inverse(); torch.linalg.qr(x).R;
        torch.linalg.matrix_norm(x)""",
    "products": """
        x @ y; x.mm(y); x.mv(y[:, 0]); x[0].dot(y[:, 0]); torch.bmm(x[None], y[None]); torch.outer(x[0], y[0]);
        torch.matmul(x[None, None], y); torch.matmul(x[0], y[None])""",
    "three": """
        x @ y @ w; torch.where(x[:2, :2] > 0, y[:2, :2], w[:2])""",
    "types": """
        x + y; x * y; x / y; x == y; x < y; torch.where(x != 0, x, y); torch.stack([x, y]); torch.maximum(x, y);
        x * y[0]; x[0] + y[1]; x.sum() * y; x + 2; x * 2.5; x / 2; 2 * x; x * 1j; x.sum(); x.prod(); x.mean();
        x.cumsum(0); x.sqrt(); x.exp(); x.abs(); torch.atan2(x, y); x.floor(); x.logical_or(y); x.clone().add_(y);
        x.clone().mul_(2.5); x.clone().copy_(y); torch.full_like(x, 2); x.angle(); x.sort().values; x.amax();
        x.relu()""",
}
