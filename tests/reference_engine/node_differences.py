"""Where the tape shows another node than PyTorch's for an expression of `nodes_shown`, and why. Held both ways.

No document promises names of nodes, or into how many steps an operation is divided. What programs can rely on is that
a cotangent passes, and that the places in a node's `next_functions` are those that its hooks see.
"""

from __future__ import annotations

from typing import NamedTuple


class Difference(NamedTuple):
    """An expression, what its node is on PyTorch and here, and the reason."""

    code: str
    torch: str
    engine: str
    reason: str


_COMPOSED = "PyTorch has one operation for it, with a rule of its own; here it is made of smaller ones, and has none"
_STEPS = "PyTorch looks at a part of a tensor step by step; here it is one step"
_OTHERWISE = "made of smaller operations on both, of other ones or in another order"
_OVERLOAD = "the digits name PyTorch's overloads; here one primitive serves them all"
_CONDITION = "here a condition has a place among the inputs, where no cotangent ever goes"

DIFFERENCES = [
    Difference("a.repeat(2, 1)", "Repeat(leaf)", "Clone(View)", _COMPOSED),
    Difference("a.index_select(0, torch.tensor([1, 1]))", "IndexSelect(leaf)", "Index(leaf)", _COMPOSED),
    Difference("a.unfold(0, 2, 1)", "Unfold(leaf)", "AsStrided(leaf)", _COMPOSED),
    Difference("a.diag_embed()", "DiagEmbed(leaf)", "DiagonalBackward(leaf)", _COMPOSED),
    Difference("F.elu(a)", "Elu(leaf)", "Where(-, Mul, Mul)", _COMPOSED),
    Difference("torch.addcmul(a, a, b)", "Addcmul(leaf, leaf, leaf)", "Add(leaf, Mul)", _COMPOSED),
    Difference("torch.addmm(a @ b.t(), a, b.t())", "Addmm(Mm, leaf, T)", "Add(Mm, Mm)", _COMPOSED),
    Difference("torch.linalg.qr(s)[0]", "LinalgQr(leaf)", "LinalgQr(Slice)", _COMPOSED),
    Difference("torch.trace(s)", "Trace(leaf)", "Sum(Diagonal)", _COMPOSED),
    Difference("s.trace()", "Trace(leaf)", "Sum(Diagonal)", _COMPOSED),
    Difference("a.rot90()", "Rot90(leaf)", "Transpose(Flip)", _COMPOSED),
    Difference("a.tile(2)", "Repeat(leaf)", "Clone(View)", _COMPOSED),
    Difference("a.masked_select(a > 1)", "MaskedSelect(leaf)", "View(Index)", _COMPOSED),
    Difference("a.take(torch.tensor([0]))", "Take(leaf)", "Index(View)", _COMPOSED),
    Difference(
        "a.index_copy(0, torch.tensor([0]), b[:1])", "IndexCopy(leaf, Slice)", "IndexPut(leaf, Slice)", _COMPOSED
    ),
    Difference(
        "a.scatter_add(0, torch.tensor([[0, 0, 0]]), b)", "ScatterAdd(leaf, leaf)", "ScatterAdd(leaf, Slice)", _COMPOSED
    ),
    Difference("a.masked_scatter(a > 1, b)", "MaskedScatter(leaf, leaf)", "IndexPut(leaf, Slice)", _COMPOSED),
    Difference("torch.polar(a, b)", "Polar(leaf, leaf)", "Complex(Mul, Mul)", _COMPOSED),
    Difference("F.gelu(a)", "Gelu(leaf)", "Mul(Mul, Add)", _COMPOSED),
    Difference("F.silu(a)", "Silu(leaf)", "Mul(leaf, Sigmoid)", _COMPOSED),
    Difference("F.leaky_relu(a)", "LeakyRelu(leaf)", "Where(-, leaf, Mul)", _COMPOSED),
    Difference("F.selu(a)", "Elu(leaf)", "Mul(Where, -)", _COMPOSED),
    Difference("F.celu(a)", "Celu(leaf)", "Where(-, Mul, leaf)", _COMPOSED),
    Difference("F.hardtanh(a)", "Hardtanh(leaf)", "Where(-, -, Where)", _COMPOSED),
    Difference("F.relu6(a)", "Hardtanh(leaf)", "Where(-, -, Where)", _COMPOSED),
    Difference("F.logsigmoid(a)", "LogSigmoid(leaf)", "Neg(Softplus)", _COMPOSED),
    Difference("F.hardsigmoid(a)", "Hardsigmoid(leaf)", "Div(Where, -)", _COMPOSED),
    Difference("F.mish(a)", "Mish(leaf)", "Mul(leaf, Tanh)", _COMPOSED),
    Difference("F.mse_loss(a, b)", "MseLoss(leaf, leaf)", "Mean(Pow)", _COMPOSED),
    Difference("F.smooth_l1_loss(a, b)", "SmoothL1Loss(leaf, leaf)", "Div(Mean, -)", _COMPOSED),
    Difference("F.huber_loss(a, b)", "HuberLoss(leaf, leaf)", "Mean(Where)", _COMPOSED),
    Difference("F.nll_loss(a, torch.tensor([0, 1]))", "NllLoss(leaf)", "Div(Sum, -)", _COMPOSED),
    Difference(
        "F.binary_cross_entropy(a.sigmoid(), b.sigmoid().detach())",
        "BinaryCrossEntropy(Sigmoid, -)",
        "Mean(Neg)",
        _COMPOSED,
    ),
    Difference(
        "F.binary_cross_entropy_with_logits(a, b.detach())",
        "BinaryCrossEntropyWithLogits(leaf, -)",
        "Mean(Sub)",
        _COMPOSED,
    ),
    Difference("F.linear(a, b, a[:, 0])", "Addmm(Select, leaf, T)", "Add(Mm, Select)", _COMPOSED),
    Difference("F.layer_norm(a, (3, ))", "NativeLayerNorm(leaf, -, -)", "Mul(Sub, Rsqrt)", _COMPOSED),
    Difference("F.embedding(torch.tensor([0]), a)", "Embedding(leaf)", "Index(leaf)", _COMPOSED),
    Difference("torch.addcdiv(a, a, b)", "Addcdiv(leaf, leaf, leaf)", "Add(leaf, Div)", _COMPOSED),
    Difference("torch.addr(a, a[:, 0], b[0])", "Addr(leaf, Select, Select)", "Add(leaf, Mul)", _COMPOSED),
    Difference("torch.addmv(a[:, 0], a, b[0])", "Addmv(Select, leaf, Select)", "Add(Select, Mv)", _COMPOSED),
    Difference(
        "torch.baddbmm(a.t()[None]@b[None], a.t()[None], b[None])",
        "Baddbmm(UnsafeView, Unsqueeze, Unsqueeze)",
        "Add(Bmm, Bmm)",
        _COMPOSED,
    ),
    Difference("torch.cross(a, b, dim=1)", "LinalgCross(leaf, leaf)", "Roll(Sub)", _COMPOSED),
    Difference("torch.cdist(a, b)", "Cdist(leaf, leaf)", "LinalgVectorNorm(Sub)", _COMPOSED),
    Difference("torch.block_diag(a, b)", "BlockDiag(leaf, leaf)", "Cat(Cat, Cat)", _COMPOSED),
    Difference("a.nansum()", "Nansum(leaf)", "Sum(Where)", _COMPOSED),
    Difference("torch.var_mean(a)[0]", "VarMean(leaf)", "Var(leaf)", _COMPOSED),
    Difference("torch.std_mean(a)[1]", "StdMean(leaf)", "Mean(leaf)", _COMPOSED),
    Difference("torch.aminmax(a)[0]", "Aminmax(leaf)", "Amin(leaf)", _COMPOSED),
    Difference("a.deg2rad()", "Deg2Rad(leaf)", "Mul(leaf, -)", _COMPOSED),
    Difference("torch.renorm(a, 2, 0, 1.0)", "Renorm(leaf)", "Mul(leaf, Where)", _COMPOSED),
    Difference("torch.dist(a, b)", "Dist(leaf, leaf)", "LinalgVectorNorm(Sub)", _COMPOSED),
    Difference("a.dist(b)", "Dist(leaf, leaf)", "LinalgVectorNorm(Sub)", _COMPOSED),
    Difference("a.select_scatter(b[0], 0, 0)", "SelectScatter(leaf, Select)", "CopySlices(Clone, Select)", _COMPOSED),
    Difference("a.slice_scatter(b[:1], 0, 0, 1)", "SliceScatter(leaf, Slice)", "CopySlices(Clone, Slice)", _COMPOSED),
    Difference("a.diagonal_scatter(b[0, :2])", "DiagonalScatter(leaf, Slice)", "CopySlices(Clone, Slice)", _COMPOSED),
    Difference("a.index_fill(0, torch.tensor([0]), 1.0)", "IndexFill(leaf)", "IndexPut(leaf, -)", _COMPOSED),
    Difference("a.put(torch.tensor([0]), b[0, :1])", "Put(leaf, Slice)", "View(IndexPut)", _COMPOSED),
    Difference("a[0, torch.tensor([1, 2])]", "Index(Select)", "Index(leaf)", _STEPS),
    Difference("a[0:1, 1]", "Select(Slice)", "Select(leaf)", _STEPS),
    Difference("(a+0j).imag", "Select(ViewAsReal)", "Imag(Add)", _STEPS),
    Difference("torch.matmul(a[None], b.t())", "UnsafeView(Mm)", "Bmm(Unsqueeze, T)", _OTHERWISE),
    Difference("torch.einsum('ij, kj->ik', a, b)", "View(Permute)", "Permute(View)", _OTHERWISE),
    Difference("torch.einsum('ij->i', a)", "SumBackward1(Permute)", "Permute(SumBackward1)", _OTHERWISE),
    Difference("torch.tensordot(a, b, 2)", "View(Dot)", "View(Mm)", _OTHERWISE),
    Difference("torch.outer(a[0], b[0])", "Mul(View, Select)", "Mul(Unsqueeze, Select)", _OTHERWISE),
    Difference("torch.kron(a, b)", "UnsafeView(Mul)", "View(Mul)", _OTHERWISE),
    Difference("torch.linalg.matrix_power(s, 3)", "Mm(Mm, leaf)", "Bmm(Bmm, leaf)", _OTHERWISE),
    Difference("a.repeat_interleave(2)", "View(Clone)", "Clone(View)", _OTHERWISE),
    Difference("F.cross_entropy(a, torch.tensor([0, 1]))", "NllLoss(LogSoftmax)", "Div(Sum, -)", _OTHERWISE),
    Difference("F.normalize(a)", "Div(leaf, Expand)", "Div(leaf, ClampBackward1)", _OTHERWISE),
    Difference("F.pairwise_distance(a, b)", "NormBackward1(AddBackward1)", "LinalgVectorNorm(Add)", _OTHERWISE),
    Difference("F.dropout(a, 0.5)", "Mul(leaf, -)", "Where(-, Mul, -)", _OTHERWISE),
    Difference("torch.cov(a)", "Squeeze(Div)", "Div(Mm, -)", _OTHERWISE),
    Difference("torch.trapezoid(a)", "MulBackward1(Sub)", "SumBackward1(Mul)", _OTHERWISE),
    Difference("torch.cartesian_prod(a[0], b[0])", "Stack(UnsafeView, UnsafeView)", "Stack(View, View)", _OTHERWISE),
    Difference("a.nanmean()", "Div(Nansum, -)", "Div(Sum, -)", _OTHERWISE),
    Difference("a.t().reshape(6)", "UnsafeView(Clone)", "View(T)", _OTHERWISE),
    Difference("a.t().flatten()", "UnsafeView(Clone)", "View(T)", _OTHERWISE),
    Difference("2 - a", "RsubBackward1(leaf)", "Sub(-, leaf)", _OVERLOAD),
    Difference("2 ** a", "PowBackward2(leaf)", "Pow(-, leaf)", _OVERLOAD),
    Difference("a ** b", "PowBackward1(leaf, leaf)", "Pow(leaf, leaf)", _OVERLOAD),
    Difference("a.squeeze(0)", "SqueezeBackward1(leaf)", "Squeeze(leaf)", _OVERLOAD),
    Difference("a.scatter(0, torch.tensor([[0]]), 1.0)", "ScatterBackward1(leaf)", "Scatter(leaf)", _OVERLOAD),
    Difference("torch.fmod(a, b)", "FmodBackward1(leaf, leaf)", "Fmod(leaf, leaf)", _OVERLOAD),
    Difference("torch.remainder(a, b)", "RemainderBackward1(leaf, leaf)", "Remainder(leaf, leaf)", _OVERLOAD),
    Difference("torch.cumulative_trapezoid(a)", "Cumsum(MulBackward1)", "Cumsum(Mul)", _OVERLOAD),
    Difference("a.lerp(b, b)", "LerpBackward1(leaf, leaf, leaf)", "Lerp(leaf, leaf, leaf)", _OVERLOAD),
    Difference("torch.where(a > b, a, b)", "Where(leaf, leaf)", "Where(-, leaf, leaf)", _CONDITION),
    Difference("s.logdet()", "Where(-, LinalgSlogdet)", "Where(-, -, LinalgSlogdet)", _CONDITION),
    Difference("torch.where(a>1, a, 0.0)", "Where(leaf, -)", "Where(-, leaf, -)", _CONDITION),
]
