"""What ctx offers to functions of one's own: saving, marking, forward mode, views and inputs returned."""

import torch
import torch.autograd.forward_ad as fwAD
from telling import attempt, program, values, without_collector
from torch.autograd import Function


class DoubleInPlace(Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 2


@program
def mark_dirty_rewrites_the_history():
    x = torch.tensor([3.0], requires_grad=True)
    y = x * 1
    z = DoubleInPlace.apply(y)
    print(z is y, y.grad_fn.name(), y._version)
    y.sum().backward()
    print(values(x.grad))


@program
def a_kept_gradient_follows_what_was_marked_dirty():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y, base = x * 1, x * 1
    part = base[0:1]
    for kept in (y, base, part):
        kept.retain_grad()
    DoubleInPlace.apply(y)
    DoubleInPlace.apply(part)
    (3 * y + 5 * base).sum().backward()
    print(values(y.grad), values(base.grad), part.grad)
    print(values(x.grad))


@program
def mark_dirty_on_leaves_and_views():
    leaf = torch.tensor([3.0], requires_grad=True)
    attempt("leaf", lambda: DoubleInPlace.apply(leaf))
    plain = torch.tensor([3.0])
    print(DoubleInPlace.apply(plain) is plain, values(plain))
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    base = x * 1
    DoubleInPlace.apply(base[0:1])
    print(values(base), base.grad_fn.name())
    (base * torch.tensor([3.0, 5.0])).sum().backward()
    print(values(x.grad))


@program
def a_changed_input_that_others_saved_is_noticed():
    x = torch.tensor([3.0], requires_grad=True)
    y = x * 1
    square = y * y
    DoubleInPlace.apply(y)
    attempt("backward", square.sum().backward)


@program
def non_differentiable_outputs():
    class Largest(Function):
        @staticmethod
        def forward(ctx, x):
            where = x.argmax()
            copy = x * 5
            ctx.mark_non_differentiable(where, copy)
            ctx.where, ctx.shape = where, x.shape
            return x[where], where, copy

        @staticmethod
        def backward(ctx, g, *others):
            print("others", [values(o) for o in others])
            result = torch.zeros(ctx.shape)
            result[ctx.where] = g
            return result

    x = torch.tensor([1.0, 4.0, 2.0], requires_grad=True)
    largest, where, copy = Largest.apply(x)
    print(largest.requires_grad, where.requires_grad, copy.requires_grad, copy.grad_fn)
    largest.backward()
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
def an_input_returned_as_it_is():
    class Same(Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 10

    x = torch.tensor([2.0], requires_grad=True)
    y = Same.apply(x)
    print(y is x, y.grad_fn.name(), x.is_leaf, y.data_ptr() == x.data_ptr())
    y.sum().backward()
    print(values(x.grad))
    plain = torch.tensor([2.0])
    print(Same.apply(plain).requires_grad)


@program
def a_view_made_in_forward():
    class Front(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.n = x.shape[0]
            return x[:2]

        @staticmethod
        def backward(ctx, g):
            return torch.cat([g * 10, torch.zeros(ctx.n - 2)])

    x = torch.arange(4.0, requires_grad=True)
    y = x * 1
    z = Front.apply(y)
    print(values(z), z.grad_fn.name())
    z.sum().backward()
    print(values(x.grad))


@program
def forward_mode_of_a_custom_function():
    class Poly(Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            ctx.save_for_forward(x, y)
            return x * x * y

        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors
            return 2 * x * y * g, x * x * g

        @staticmethod
        def jvp(ctx, x_t, y_t):
            x, y = ctx.saved_tensors
            print("tangents", values(x_t), values(y_t))
            return (0 if x_t is None else 2 * x * y * x_t) + (0 if y_t is None else x * x * y_t)

    x, y = torch.tensor([2.0]), torch.tensor([3.0])
    with fwAD.dual_level():
        out = Poly.apply(fwAD.make_dual(x, torch.ones(1)), y)
        print(values(fwAD.unpack_dual(out).tangent))
        out = Poly.apply(fwAD.make_dual(x, torch.ones(1)), fwAD.make_dual(y, torch.ones(1)))
        print(values(fwAD.unpack_dual(out).tangent))


@program
def forward_mode_without_a_rule_is_refused():
    with fwAD.dual_level():
        dual = fwAD.make_dual(torch.ones(1), torch.ones(1))
        attempt("no jvp", lambda: Square.apply(dual))


@program
def functions_within_functions():
    class Outer(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            with torch.enable_grad():
                inner = x.detach().requires_grad_()
                ctx.inner, ctx.result = inner, Square.apply(inner)
            return ctx.result.detach()

        @staticmethod
        def backward(ctx, g):
            return torch.autograd.grad(ctx.result, ctx.inner, g)

    x = torch.tensor([3.0], requires_grad=True)
    (Outer.apply(x * 2)).sum().backward()
    print(values(x.grad))


@program
def an_exception_in_forward_or_backward_comes_out():
    class Fails(Function):
        @staticmethod
        def forward(ctx, x, early):
            if early:
                raise LookupError("in forward")
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            raise LookupError("in backward")

    x = torch.ones(1, requires_grad=True)
    attempt("forward", lambda: Fails.apply(x, True))
    attempt("backward", lambda: Fails.apply(x, False).sum().backward())
    print(torch.is_grad_enabled(), x.grad)


@program
def a_context_is_freed_with_its_results():
    import weakref

    class Holder:
        pass

    class Keeps(Function):
        @staticmethod
        def forward(ctx, x, holder):
            ctx.holder = holder
            y = x * 2
            ctx.save_for_backward(x, y)
            return y

        @staticmethod
        def backward(ctx, g):
            return g * 2, None

    with without_collector():
        holder = Holder()
        alive = weakref.ref(holder)
        y = Keeps.apply(torch.ones(1, requires_grad=True), holder)
        del holder
        print("held by the node:", alive() is not None)
        del y
        print("freed with the result:", alive() is None)
