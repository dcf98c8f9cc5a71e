"""Operators of torch.library: their derivatives, fake kernels and schemas; and what compilation changes."""

from __future__ import annotations

import torch
from torch.autograd import Function

from workshop.yardstick.case import CaseTable
from workshop.yardstick.cases.torch_cotangents import raw
from workshop.yardstick.inputs import W, X

case = CaseTable("torch", "operators of torch.library")
compiled = CaseTable("torch", "compiled only")


def operator_of(kernel, fake=torch.empty_like):
    """An operator of a tensor, with the decorated rule as its derivative; the input is saved."""

    def made(rule):
        schema = "(Tensor x) -> Tensor"
        operator = torch.library.custom_op(f"yardstick::{rule.__name__}", kernel, mutates_args=(), schema=schema)
        operator.register_fake(fake)
        operator.register_autograd(rule, setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs))
        operator.__doc__ = rule.__doc__
        return operator

    return made


@case.right(X)
@operator_of(lambda x: x**3)
def cubed_operator(ctx, g):
    (x,) = ctx.saved_tensors
    return 3 * g * x**2


@case.wrong(cubed_operator, "reverse_mode_gives", thread="pytorch/pytorch#168393")
@operator_of(lambda x: x**3)
def cubed_operator_of_a_factor(ctx, g):
    """The factor of the derivative is left out."""
    (x,) = ctx.saved_tensors
    return g * x**2


@case.wrong(cubed_operator, "expanded_cotangent", "slice", "transposed", thread="pytorch/pytorch#195210")
@operator_of(lambda x: x**3)
def cubed_operator_of_memory(ctx, g):
    """The kernel of the derivative reads the cotangent's memory as it lies there."""
    (x,) = ctx.saved_tensors
    return 3 * raw(g) * x**2


@case.right(X)
@operator_of(lambda x: x.t().contiguous().sin(), fake=lambda x: x.new_empty(x.shape[::-1]))
def turned_operator(ctx, g):
    (x,) = ctx.saved_tensors
    return g.t() * x.cos()


@case.wrong(turned_operator, "strides", "compil", thread="pytorch/pytorch#177115", compiler="aot_eager")
@operator_of(lambda x: x.sin().t(), fake=lambda x: x.new_empty(x.shape[::-1]))
def turned_operator_of_other_strides(ctx, g):
    """The fake kernel has other strides than the kernel."""
    (x,) = ctx.saved_tensors
    return g.t() * x.cos()


@case.wrong(turned_operator, "compil", thread="NVIDIA/cuEquivariance#223", compiler="aot_eager")
@operator_of(lambda x: x.t().contiguous().sin(), fake=torch.empty_like)
def turned_operator_of_another_shape(ctx, g):
    """The fake kernel has another shape than the kernel."""
    (x,) = ctx.saved_tensors
    return g.t() * x.cos()


@case.wrong(cubed_operator, "writes_to_nothing", thread="pytorch/pytorch#129372")
@operator_of(lambda x: x.mul_(2) ** 3 / 8)
def cubed_operator_that_writes(ctx, g):
    """The kernel writes to its input, and the schema denies it."""
    (x,) = ctx.saved_tensors
    return 3 * g * (x / 2) ** 2


@compiled.right(X, W, compiler="aot_eager")
class Curved(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x.sin() * w

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g * w * x.cos(), g * x.sin()


@compiled.wrong(Curved, "compil", thread="pytorch/pytorch#180642")
class CurvedWhereCompiled(Curved):
    """Another path where it is compiled, with a derivative of its own: the second gradient lacks the sine."""

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g * w * x.cos(), g * (x if torch.compiler.is_compiling() else x.sin())


@compiled.wrong(Curved, "compil", thread="pytorch/pytorch#154083")
class CurvedByAConstant(Curved):
    """A number of Python's, which changes from call to call, is a constant where it is traced."""

    @staticmethod
    def forward(ctx, x, w):
        SCALE[0] = float(len(SCALE)) if torch.compiler.is_compiling() else 2.0
        ctx.scale = SCALE[0]
        return Curved.forward(ctx, x, w)

    @staticmethod
    def backward(ctx, g):
        of_x, of_w = Curved.backward(ctx, g)
        return of_x * ctx.scale / 2, of_w


SCALE = [2.0]
