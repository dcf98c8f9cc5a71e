"""Forward differentiation where memory is shared and written."""

import torch
import torch.autograd.forward_ad as fwAD
from telling import attempt, program, values


def dual(numbers, tangents, **options):
    return fwAD.make_dual(torch.tensor(numbers, **options), torch.tensor(tangents))


def told(tensor):
    primal, tangent = fwAD.unpack_dual(tensor)
    return values(primal), values(tangent)


@program
def a_view_of_a_dual():
    with fwAD.dual_level():
        x = dual([1.0, 2.0, 3.0], [1.0, 0.0, -1.0])
        view = x[1:]
        print(told(view), told(x.view(3, 1)), told(x.unbind()[2]))
        tangent = fwAD.unpack_dual(view).tangent
        print(tangent._base is None or tangent._is_view())


@program
def a_write_through_a_view():
    with fwAD.dual_level():
        base = torch.zeros(3)
        base[1:].copy_(dual([1.0, 2.0], [5.0, 6.0]))
        print(told(base))
        base[0] = base[2] * base[1]
        print(told(base), told(base[::2]))


@program
def a_view_is_written_and_the_base_seen():
    with fwAD.dual_level():
        base = dual([[1.0, 2.0], [3.0, 4.0]], [[1.0, 1.0], [1.0, 1.0]])
        base.t()[0].mul_(10)
        print(told(base))
        base[0].zero_()
        print(told(base))


@program
def a_base_is_written_and_the_view_seen():
    with fwAD.dual_level():
        base = torch.ones(2, 2)
        view = base[0]
        base.mul_(dual([2.0, 3.0], [1.0, 0.5]))
        print(told(base), told(view))


@program
def sisters_see_one_anothers_writes():
    with fwAD.dual_level():
        base = torch.ones(2, 2)
        row, column, flat = base[0], base[:, 1], base.view(-1)[1:]
        row.mul_(dual([2.0, 3.0], [5.0, 6.0]))
        print(told(base), told(column), told(column * 2), told(flat.sum()), told(torch.stack([row, column])))
        column.mul_(3)
        print(told(base), told(row), told(flat[:1]))


@program
def every_write_reaches_the_views():
    with fwAD.dual_level():
        for write in (torch.Tensor.zero_, torch.Tensor.floor_, lambda t: t.mul_(2), lambda t: t.copy_(torch.ones(2))):
            base = dual([1.0, 2.0], [3.0, 4.0]) * 1
            view = base[1:]
            write(base)
            print(told(base), told(view))


@program
def results_have_tangents_of_their_own():
    with fwAD.dual_level():
        x = dual([1.0, 2.0], [3.0, 4.0])
        results = [x + 1, -x, x.clone(), x[[0, 1]], torch.cat([x]), x.flip(0), torch.zeros(2) + x.sum()]
        for y in results:
            y.mul_(2)
        print(told(x), [told(y) for y in results])
        print([told(v.mul_(2)) for v in (x.view(2, 1), x[1:], x.real)], told(x))


@program
def what_is_written_is_the_given_tangent():
    with fwAD.dual_level():
        primal, tangent = torch.ones(2), torch.ones(2)
        fwAD.make_dual(primal, tangent).mul_(3)
        print(values(primal), values(tangent))
    primal, tangent = torch.ones(2), torch.ones(1).expand(2)
    out = torch.func.jvp(lambda x: x.mul_(3), (primal,), (tangent,))
    print([values(t) for t in out], values(primal), values(tangent))


@program
def a_square_in_place():
    with fwAD.dual_level():
        x = dual([3.0], [1.0]) * 1
        print(told(x.mul_(x)))


@program
def a_tangent_shares_no_memory_it_should_not():
    with fwAD.dual_level():
        t = torch.ones(2)
        x = fwAD.make_dual(torch.zeros(2), t)
        t.mul_(3)
        print(told(x))
        y = x * 1
        fwAD.unpack_dual(y).tangent.add_(1)
        print(told(y), told(x))


@program
def writes_of_a_plain_value():
    with fwAD.dual_level():
        x = dual([1.0, 2.0], [3.0, 4.0]) * 1
        x[0] = 7.0
        print(told(x))
        x.copy_(torch.ones(2))
        print(told(x))
        y = dual([1.0, 2.0], [3.0, 4.0]) * 1
        y.fill_(2.0)
        print(told(y))


@program
def a_leaf_that_requires_grad_gets_a_tangent():
    x = torch.tensor([2.0], requires_grad=True)
    with fwAD.dual_level():
        y = fwAD.make_dual(x, torch.tensor([3.0]))
        print(y.requires_grad, y.is_leaf)
        z = y * y
        tangent = fwAD.unpack_dual(z).tangent
        print(tangent.requires_grad)
        print([values(g) for g in torch.autograd.grad(tangent, x)])


@program
def what_is_refused_of_tangents():
    with fwAD.dual_level():
        x = torch.ones(2)
        attempt("another shape", lambda: fwAD.make_dual(x, torch.ones(3)))
        attempt("another type", lambda: fwAD.make_dual(x, torch.ones(2, dtype=torch.float64)))
        attempt("integers", lambda: fwAD.make_dual(torch.ones(2, dtype=torch.int64), torch.ones(2)))
        attempt("a dual again", lambda: fwAD.make_dual(fwAD.make_dual(x, x), x))
        attempt("a second level", lambda: fwAD.enter_dual_level())
    attempt("outside", lambda: fwAD.make_dual(torch.ones(1), torch.ones(1)))
    attempt("leaving", lambda: fwAD.exit_dual_level())


@program
def a_detached_dual_has_no_tangent():
    with fwAD.dual_level():
        x = dual([1.0], [2.0])
        print(told(x.detach())[1], told(x.clone()), told(x.to(torch.float64)))
        with torch.no_grad():
            print(told(x * 2))
        with torch.inference_mode():
            print(told(x * 2)[0])


@program
def a_custom_function_in_forward_mode():
    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, k):
            ctx.k = k
            return x * k

        @staticmethod
        def backward(ctx, g):
            return g * ctx.k, None

        @staticmethod
        def jvp(ctx, t, _):
            return t * ctx.k

    with fwAD.dual_level():
        print(told(Scaled.apply(dual([1.0], [2.0]), 5)))


@program
def jvp_of_a_function_that_writes():
    def f(x):
        y = x.clone()
        y[0].mul_(y[1].clone())
        y[1] = y[0].clone().sin()
        return y

    x = torch.tensor([0.5, 2.0])
    print([values(v) for v in torch.func.jvp(f, (x,), (torch.tensor([1.0, -1.0]),))])
    print(values(torch.func.jacfwd(f)(x)), values(torch.func.jacrev(f)(x)))
