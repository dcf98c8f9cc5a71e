"""Second derivatives of custom Functions in PyTorch: silently wrong, or missing without an error."""

from __future__ import annotations

from torch.autograd import Function
from torch.autograd.function import once_differentiable

from workshop.yardstick.case import CaseTable
from workshop.yardstick.inputs import POSITIVE, VECTOR, W, X

case = CaseTable("torch", "second derivatives")


@case.right(X)
class SquaredDouble(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (2 * x) ** 2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 8 * g * x


@case.wrong(SquaredDouble, "reverse_over_reverse", thread="pytorch/pytorch#58509")
class SquaredIntermediate(SquaredDouble):
    """An intermediate result is kept on ctx: its derivative is lost."""

    @staticmethod
    def forward(ctx, x):
        ctx.kept = 2 * x
        return ctx.kept**2

    @staticmethod
    def backward(ctx, g):
        return 4 * g * ctx.kept


@case.wrong(SquaredDouble, "reverse_over_reverse", thread="pytorch/pytorch#104040")
class SquaredSavedIntermediate(SquaredDouble):
    """An intermediate result is saved as the documentation asks, and has no derivative all the same."""

    @staticmethod
    def forward(ctx, x):
        double = 2 * x
        ctx.save_for_backward(double)
        return double**2

    @staticmethod
    def backward(ctx, g):
        (double,) = ctx.saved_tensors
        return 4 * g * double


@case.right(X, order=1)
class SquaredOnce(SquaredIntermediate):
    """The same with an error for a second derivative, as declared."""

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        return 4 * g * ctx.kept


@case.right(POSITIVE)
class Exponential(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y


@case.wrong(Exponential, "reverse_over_reverse", thread="pytorch/pytorch#76185")
class ExponentialOnContext(Exponential):
    """The output is kept as an attribute of ctx, where it has no graph."""

    @staticmethod
    def forward(ctx, x):
        ctx.y = x.exp()
        return ctx.y.clone()

    @staticmethod
    def backward(ctx, g):
        return g * ctx.y


@case.right(X, W)
class MatrixProduct(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x @ w.T

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g @ w, g.T @ x


@case.wrong(MatrixProduct, "reverse_over_reverse", thread="pytorch/pytorch#122198")
class MatrixProductOfData(MatrixProduct):
    """Backward takes the numbers out of the graph with `.data`."""

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g @ w.data, g.T @ x.data


@case.wrong(MatrixProduct, "derivative_of_the_pullback", thread="pytorch/pytorch#2106")
class MatrixProductOfDetachedCotangent(MatrixProduct):
    """The kernel of backward is called with the detached cotangent."""

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g.detach() @ w, g.detach().T @ x


class SwishSlope(Function):
    """The backward pass of a Function as one that has a backward pass by hand."""

    SIGN = 1.0

    @staticmethod
    def forward(ctx, g, x):
        ctx.save_for_backward(g, x)
        y = x.sigmoid()
        return g * (y + x * y * (1 - y))

    @classmethod
    def backward(cls, ctx, h):
        g, x = ctx.saved_tensors
        y = x.sigmoid()
        slope = y * (1 - y)
        return h * (y + x * slope), h * g * (2 * slope + cls.SIGN * x * slope * (1 - 2 * y))


class WrongSwishSlope(SwishSlope):
    SIGN = -1.0


@case.right(VECTOR, order=2)
class Swish(Function):
    SLOPE = SwishSlope

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x.sigmoid()

    @classmethod
    def backward(cls, ctx, g):
        (x,) = ctx.saved_tensors
        return cls.SLOPE.apply(g, x)


@case.wrong(Swish, "reverse_over_reverse", thread="pytorch/pytorch#1712")
class SwishOfWrongSlope(Swish):
    """The double backward, written by hand, has a wrong sign."""

    SLOPE = WrongSwishSlope


@case.right(VECTOR)
class TanhOfBoth(Function):
    """Both modes can be differentiated again."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x.tanh()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (1 - x.tanh() ** 2)

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        return t * (1 - x.tanh() ** 2)


@case.wrong(TanhOfBoth, "reverse_over_forward", thread="pytorch/functorch#353")
class TanhOfDetachedTangent(TanhOfBoth):
    """Forward mode is right, and its gradient is not: the primal is detached."""

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        return t * (1 - x.detach().tanh() ** 2)
