"""Arguments and outputs of custom Functions in PyTorch: some of them required, undefined, given twice."""

from __future__ import annotations

import torch
from numpy import array
from torch.autograd import Function

from workshop.yardstick.case import CaseTable
from workshop.yardstick.inputs import POSITIVE, VECTOR, W, X

case = CaseTable("torch", "subsets and undefined cotangents")


@case.right(X, W, VECTOR[:2])
class Layer(Function):
    """A linear layer."""

    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        return x @ weight.T + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        of_x, of_weight, of_bias = ctx.needs_input_grad
        return g @ weight if of_x else None, g.T @ x if of_weight else None, g.sum(0) if of_bias else None


@case.wrong(Layer, "a_gradient_by_some", thread="fbcotter/pytorch_wavelets#65")
class LayerThatNeedsTheFirst(Layer):
    """Where the first input needs no gradient, none is computed for the others."""

    @staticmethod
    def backward(ctx, g):
        return Layer.backward(ctx, g) if ctx.needs_input_grad[0] else (None, None, None)


@case.wrong(Layer, "a_gradient_by_some", thread="mgmalek/efficient_cross_entropy#8")
class LayerOfBuffers(Layer):
    """A gradient is named only where it is computed: an error, if a frozen weight is not."""

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        if ctx.needs_input_grad[1]:
            of_weight = g.T @ x
        return g @ weight, of_weight, g.sum(0)


@case.wrong(Layer, "a_gradient_by_some", thread="AMD-AGI/Primus-Turbo#458")
class LayerSavedForSome(Layer):
    """What backward needs is saved if one of the first two inputs requires grad: not for the bias alone."""

    @staticmethod
    def forward(ctx, x, weight, bias):
        if x.requires_grad or weight.requires_grad:
            ctx.save_for_backward(x, weight)
        return x @ weight.T + bias


@case.right(POSITIVE)
class SineAndCosine(Function):
    """Two outputs; the cotangent of an output that nothing uses is None."""

    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, g, h):
        (x,) = ctx.saved_tensors
        of_sine = 0 * x if g is None else g * x.cos()
        return of_sine if h is None else of_sine - h * x.sin()


@case.wrong(SineAndCosine, "some_outputs", thread="pytorch/pytorch#106391")
class SineAndCosineTogether(SineAndCosine):
    """An error, where one of the outputs is not used."""

    @staticmethod
    def backward(ctx, g, h):
        (x,) = ctx.saved_tensors
        return g * x.cos() - h * x.sin()


@case.wrong(SineAndCosine, "some_outputs", thread="pytorch/pytorch#173865")
class SineOrNothing(SineAndCosine):
    """Where the first output is not used, the second is forgotten."""

    @staticmethod
    def backward(ctx, g, h):
        (x,) = ctx.saved_tensors
        if g is None:
            return 0 * x
        return g * x.cos() if h is None else g * x.cos() - h * x.sin()


@case.right(X, W)
class SumOfProducts(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w.exp()

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g * w.exp(), g * x * w.exp()


@case.wrong(SumOfProducts, "one_array_in_two", thread="pytorch/pytorch#183604")
class SumOfProductsByAddress(SumOfProducts):
    """Gradients are cached by the address of their input: one that is given twice gets a part."""

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        gradients = {x.data_ptr(): g * w.exp()}
        of_w = g * x * w.exp() if w.data_ptr() not in gradients else torch.zeros_like(w)
        return gradients[x.data_ptr()], of_w


@case.right(X, W)
class Divided(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x / w

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g / w, -g * x / w**2


@case.wrong(Divided, "reverse_mode_gives", thread="huggingface/transformers#23774")
class DividedByAConstant(Divided):
    """No gradient for the second input, which is differentiable."""

    @staticmethod
    def backward(ctx, g):
        return Divided.backward(ctx, g)[0], None


@case.right(X, array([0, 2]), options={"scale": 2.0})
class ChosenScaled(Function):
    """With integers, and an option."""

    @staticmethod
    def forward(ctx, x, columns, scale=1.0):
        ctx.save_for_backward(columns)
        ctx.shape, ctx.scale = x.shape, scale
        return scale * x[:, columns]

    @staticmethod
    def backward(ctx, g):
        (columns,) = ctx.saved_tensors
        return g.new_zeros(ctx.shape).index_add(1, columns, ctx.scale * g), None, None


@case.wrong(ChosenScaled, "reverse_mode_gives", thread="triton-lang/triton#5660")
class ChosenUnscaled(ChosenScaled):
    """Backward ignores the option."""

    @staticmethod
    def backward(ctx, g):
        (columns,) = ctx.saved_tensors
        return g.new_zeros(ctx.shape).index_add(1, columns, g), None, None
