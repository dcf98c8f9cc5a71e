"""What functions of one's own save for backward: inputs, outputs, intermediate values, attributes."""

import torch
from telling import attempt, program, values
from torch.autograd import Function


@program
def saved_outputs_keep_their_history_without_a_cycle():
    class Exp(Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp()
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, g):
            (y,) = ctx.saved_tensors
            return g * y

    x = torch.tensor([0.0], requires_grad=True)
    y = Exp.apply(x)
    (first,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x)
    print(values(first), values(second))


@program
def saved_intermediate_values_have_no_history():
    class Sine(Function):
        @staticmethod
        def forward(ctx, x):
            half = x / 2
            ctx.save_for_backward(half)
            return (2 * half).sin()

        @staticmethod
        def backward(ctx, g):
            (half,) = ctx.saved_tensors
            print(half.requires_grad)
            return g * (2 * half).cos()

    x = torch.tensor([0.0], requires_grad=True)
    Sine.apply(x).sum().backward()
    print(values(x.grad))


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x * g


@program
def saved_tensors_are_checked_for_changes():
    x = torch.tensor([2.0], requires_grad=True)
    y = x * 1
    z = Square.apply(y)
    y.add_(1)
    attempt("changed", z.sum().backward)
    y = x * 1
    z = Square.apply(y)
    y.data.add_(1)
    attempt("changed through .data", z.sum().backward)
    print(values(x.grad))


@program
def saved_tensors_are_freed():
    x = torch.tensor([2.0], requires_grad=True)
    y = Square.apply(x)
    print([values(s) for s in y.grad_fn.saved_tensors])
    y.sum().backward()
    attempt("saved tensors after backward", lambda: y.grad_fn.saved_tensors)
    attempt("a second backward", y.sum().backward)
    y = Square.apply(x)
    y.sum().backward(retain_graph=True)
    attempt("a second backward on a retained graph", y.sum().backward)
    print(values(x.grad))


@program
def only_tensors_are_saved():
    class Saves(Function):
        @staticmethod
        def forward(ctx, x, what):
            ctx.save_for_backward(x, what)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            print([values(s) for s in ctx.saved_tensors])
            return g * 2, None

    x = torch.tensor([2.0], requires_grad=True)
    attempt("None", lambda: Saves.apply(x, None).sum().backward())
    attempt("a number", lambda: Saves.apply(x, 2))
    attempt("a list", lambda: Saves.apply(x, [x]))


@program
def attributes_of_ctx_reach_backward():
    class Remember(Function):
        @staticmethod
        def forward(ctx, x, power):
            ctx.power = power
            ctx.save_for_backward(x)
            return x**power

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * ctx.power * x ** (ctx.power - 1), None

    x = torch.tensor([2.0], requires_grad=True)
    y = Remember.apply(x, 3)
    print(y.grad_fn.power)
    y.sum().backward()
    print(values(x.grad))
