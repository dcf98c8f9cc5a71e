"""Functions of one's own: both styles, arguments of all kinds, several outputs, refusals."""

import torch
from telling import attempt, program, values
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * g


class Scale(Function):
    @staticmethod
    def forward(x, factor, label="none"):
        return x * factor

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, ctx.factor, *rest = inputs
        print("inputs", len(inputs), type(output).__name__, rest)

    @staticmethod
    def backward(ctx, g):
        print("needs", ctx.needs_input_grad)
        return g * ctx.factor, None, None


@program
def the_style_with_ctx_in_forward():
    x = torch.tensor([2.0], requires_grad=True)
    y = Cube.apply(x)
    print(values(y), y.grad_fn.name(), y.is_leaf, y.requires_grad)
    y.sum().backward()
    print(values(x.grad))


@program
def the_style_with_setup_context():
    x = torch.tensor([2.0], requires_grad=True)
    Scale.apply(x, 5.0, "label").sum().backward()
    print(values(x.grad))


@program
def backward_is_differentiated_like_any_code():
    x = torch.tensor([2.0], requires_grad=True)
    (first,) = torch.autograd.grad(Cube.apply(x).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x, create_graph=True)
    (third,) = torch.autograd.grad(second.sum(), x)
    print(values(first), values(second), values(third))


@program
def without_recording_nothing_is_saved_on_the_graph():
    x = torch.tensor([2.0])
    print(Cube.apply(x).requires_grad)
    with torch.no_grad():
        print(Cube.apply(x.requires_grad_()).requires_grad)


@program
def forward_runs_without_recording():
    class Look(Function):
        @staticmethod
        def forward(ctx, x):
            print("forward: recording", torch.is_grad_enabled(), (x * 2).requires_grad)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            print("backward: recording", torch.is_grad_enabled())
            return g * 2

    x = torch.tensor([2.0], requires_grad=True)
    Look.apply(x).sum().backward()
    torch.autograd.grad(Look.apply(x).sum(), x, create_graph=True)


@program
def once_differentiable_refuses_the_second_derivative():
    class Once(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @once_differentiable
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return 2 * x * g

    x = torch.tensor([3.0], requires_grad=True)
    (first,) = torch.autograd.grad(Once.apply(x).sum(), x)
    print(values(first), first.requires_grad)
    (first,) = torch.autograd.grad((Once.apply(x) * x).sum(), x, create_graph=True)
    print(values(first), first.requires_grad)
    attempt("second derivative", first.sum().backward)


def returning(gradients, arguments=1):
    class Returning(Function):
        @staticmethod
        def forward(ctx, *args):
            return args[0] * 2

        @staticmethod
        def backward(ctx, g):
            return gradients(g)

    x = torch.ones(2, requires_grad=True)
    rest = [torch.ones(2, requires_grad=True) for _ in range(arguments - 1)]
    Returning.apply(x, *rest).sum().backward()
    print("gradients", values(x.grad), *[values(r.grad) for r in rest])


@program
def gradients_that_backward_may_return():
    attempt("one", lambda: returning(lambda g: g))
    attempt("a tuple", lambda: returning(lambda g: (g,)))
    attempt("too few", lambda: returning(lambda g: g, 2))
    attempt("too many", lambda: returning(lambda g: (g, g)))
    attempt("surplus Nones", lambda: returning(lambda g: (g, None, None)))
    attempt("None", lambda: returning(lambda g: None))
    attempt("None for one", lambda: returning(lambda g: (None, g), 2))
    attempt("a number", lambda: returning(lambda g: 1.0))
    attempt("a longer one", lambda: returning(lambda g: torch.ones(3)))
    attempt("a shorter one", lambda: returning(lambda g: torch.ones(1)))
    attempt("one that must be summed", lambda: returning(lambda g: torch.ones(4, 2)))
    attempt("another dtype", lambda: returning(lambda g: g.double()))
    attempt("a complex one", lambda: returning(lambda g: g * (1 + 2j)))


@program
def a_gradient_for_what_is_no_tensor_is_refused():
    class Wrong(Function):
        @staticmethod
        def forward(ctx, x, n):
            return x * n

        @staticmethod
        def backward(ctx, g):
            return g, g

    x = torch.ones(1, requires_grad=True)
    attempt("gradient of a number", Wrong.apply(x, 2).sum().backward)
    print(x.grad)


@program
def gradients_nobody_wants_are_dropped():
    class Product(Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors
            print("needs", ctx.needs_input_grad)
            return g * y, g * x

    x, y = torch.tensor([2.0], requires_grad=True), torch.tensor([3.0])
    Product.apply(x, y).sum().backward()
    print(values(x.grad), y.grad)
    Product.apply(y, x).sum().backward()
    x.grad = None
    both = Product.apply(x, x)
    both.sum().backward()
    print(values(x.grad))


class Pair(Function):
    @staticmethod
    def forward(ctx, x, materialize):
        ctx.set_materialize_grads(materialize)
        return x * 2, x * 3

    @staticmethod
    def backward(ctx, a, b):
        print("gradients of outputs", values(a), values(b))
        return None if a is None and b is None else (0 if a is None else a * 2) + (0 if b is None else b * 3), None


@program
def unused_outputs_get_zeros_or_none():
    for materialize in (True, False):
        x = torch.ones(2, requires_grad=True)
        first, second = Pair.apply(x, materialize)
        print(first.output_nr, second.output_nr, first.grad_fn is second.grad_fn)
        second.sum().backward()
        print(values(x.grad))


@program
def undefined_gradients_travel_through_functions():
    class Nothing(Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            return None

    x = torch.ones(1, requires_grad=True)
    y = Nothing.apply(x * 2)
    y.sum().backward()
    print(x.grad)
    x = torch.ones(1, requires_grad=True)
    print(torch.autograd.grad(Nothing.apply(x * 2).sum(), x, allow_unused=True))
    attempt("unused", lambda: torch.autograd.grad(Nothing.apply(x * 2).sum(), x))


@program
def outputs_that_are_no_tensors_pass_through():
    class Mixed(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2, "text", None, 5

        @staticmethod
        def backward(ctx, g, *others):
            print("others", others)
            return g * 2

    x = torch.ones(1, requires_grad=True)
    y, *rest = Mixed.apply(x)
    y.sum().backward()
    print(rest, values(x.grad))


@program
def tensors_in_lists_are_not_followed():
    class Listed(Function):
        @staticmethod
        def forward(ctx, xs, y):
            print("needs", ctx.needs_input_grad)
            return xs[0] * y

        @staticmethod
        def backward(ctx, g):
            return None, g

    x, y = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
    Listed.apply([x], y).sum().backward()
    print(x.grad, values(y.grad))


@program
def what_is_not_defined_is_refused():
    class Empty(Function):
        pass

    class OnlyForward(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

    x = torch.ones(1, requires_grad=True)
    attempt("no forward", lambda: Empty.apply(x))
    attempt("no backward", OnlyForward.apply(x).sum().backward)
    attempt("an instance called", lambda: Cube()(x))
    attempt("keyword arguments", lambda: Cube.apply(x=x))
