"""gradcheck and gradgradcheck: what they find, and their options."""

import torch
from telling import attempt, program
from torch.autograd import Function, gradcheck, gradgradcheck


def leaf(*numbers, dtype=torch.float64):
    return torch.tensor(list(numbers), dtype=dtype, requires_grad=True)


class Wrong(Function):
    """The sine, with a derivative that is too large."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.cos() * 1.5


class WrongSecond(Function):
    """The square, whose second derivative is lost."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x.detach() * g


@program
def right_and_wrong_derivatives():
    x = leaf(0.5, -1.0)
    print(gradcheck(torch.sin, (x,)), gradcheck(torch.sin, x))
    attempt("wrong", lambda: gradcheck(Wrong.apply, (x,)))
    print(gradcheck(Wrong.apply, (x,), raise_exception=False))
    print(gradcheck(WrongSecond.apply, (x,)), gradgradcheck(torch.sin, (x,)))
    attempt("wrong second", lambda: gradgradcheck(WrongSecond.apply, (x,)))
    print(gradgradcheck(WrongSecond.apply, (x,), raise_exception=False))


@program
def the_kind_of_error():
    x = leaf(0.5)
    try:
        gradcheck(Wrong.apply, (x,))
    except RuntimeError as error:
        print(type(error).__name__, "Jacobian mismatch for output 0 with respect to input 0" in str(error))


@program
def tolerances():
    x = leaf(0.5)
    print(gradcheck(Wrong.apply, (x,), atol=1.0), gradcheck(Wrong.apply, (x,), rtol=0.6))
    print(gradcheck(torch.sin, (x,), eps=1e-4), gradcheck(torch.sin, (x,), atol=1e-9, rtol=1e-9, eps=1e-2,
                                                          raise_exception=False))  # fmt: skip


@program
def several_inputs_and_outputs():
    x, y, n = leaf(0.5, 1.0), leaf(2.0, -1.0), torch.tensor([1.0, 2.0])
    print(gradcheck(lambda a, b, c, k: (a * b * k, (a + b).sum() * c.double()), (x, y, n, 3)))
    print(gradgradcheck(lambda a, b: (a * b, a.exp()), (x, y)))
    print(gradcheck(lambda a, b: a * 2, (x, y)))


@program
def what_is_refused():
    attempt("nothing requires grad", lambda: gradcheck(torch.sin, (torch.ones(1, dtype=torch.float64),)))
    attempt("single precision", lambda: gradcheck(torch.sin, (leaf(0.5, dtype=torch.float32),)))
    attempt("no tensors", lambda: gradcheck(lambda v: v, (1.0,)))
    attempt("an output without grad", lambda: gradcheck(lambda v: v.detach(), (leaf(0.5),)))
    attempt("an integer output", lambda: gradcheck(lambda v: v.long(), (leaf(0.5),)))
    attempt("an exception in the function", lambda: gradcheck(lambda v: [][0], (leaf(0.5),)))
    attempt("an overlapping input", lambda: gradcheck(torch.sin, (leaf(0.5).expand(3),)))
    attempt("no check at all", lambda: gradcheck(torch.sin, (leaf(0.5),), check_backward_ad=False))


@program
def a_function_that_is_not_deterministic():
    class Noisy(Function):
        calls = 0

        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            Noisy.calls += 1
            return g * (2 + 1e-7 * Noisy.calls)

    attempt("noise", lambda: gradcheck(Noisy.apply, (leaf(0.5),)))
    attempt("noise within the tolerance", lambda: gradcheck(Noisy.apply, (leaf(0.5),), nondet_tol=1e-3))


@program
def gradients_that_are_not_there():
    class Undefined(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, a, b):
            return a * 2 + b * 3

    class Careful(Undefined):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(False)
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, a, b):
            parts = [g * f for g, f in ((a, 2), (b, 3)) if g is not None]
            return sum(parts) if parts else None

    class Careless(Careful):
        @staticmethod
        def backward(ctx, a, b):
            return (0 if a is None else a * 2) + (torch.ones(1, dtype=torch.float64) if b is None else b * 3)

    attempt("zeros are given", lambda: gradcheck(Undefined.apply, (leaf(0.5),)))
    attempt("None is handled", lambda: gradcheck(Careful.apply, (leaf(0.5),)))
    attempt("None is mishandled", lambda: gradcheck(Careless.apply, (leaf(0.5),)))
    attempt("unchecked", lambda: gradcheck(Careless.apply, (leaf(0.5),), check_undefined_grad=False))


@program
def forward_and_batched():
    x = leaf(0.5, -1.0)
    print(gradcheck(lambda v: (v * v).sum(), (x,), check_forward_ad=True))
    print(gradcheck(lambda v: v.sin() * v, (x,), check_forward_ad=True, check_backward_ad=False))
    print(gradcheck(lambda v: v.sin() * v, (x,), check_batched_grad=True))
    print(gradgradcheck(lambda v: v.sin() * v, (x,), check_fwd_over_rev=True, check_rev_over_rev=False,
                        check_undefined_grad=False))  # fmt: skip
    attempt("no forward rule", lambda: gradcheck(WrongSecond.apply, (x,), check_forward_ad=True))

    class WrongForward(WrongSecond):
        @staticmethod
        def jvp(ctx, t):
            return t * 100

    attempt("a wrong forward rule", lambda: gradcheck(WrongForward.apply, (x,), check_forward_ad=True))


@program
def the_fast_mode():
    x = leaf(0.5, -1.0, 2.0)
    print(gradcheck(lambda v: (v.sin() * v[0]).sum(), (x,), fast_mode=True))
    print(gradgradcheck(lambda v: v.sin() * v, (x,), fast_mode=True))
    attempt("wrong", lambda: gradcheck(Wrong.apply, (x,), fast_mode=True))
    z = leaf(0.5 + 1j, -1.0 + 0.3j, dtype=torch.complex128)
    print(gradcheck(lambda v: v * v, (z,), fast_mode=True), gradcheck(lambda v: v.abs(), (z,), fast_mode=True))


@program
def complex_functions():
    z = leaf(0.5 + 1j, -1.0 + 0.3j, dtype=torch.complex128)
    x = leaf(0.5, 1.0)
    for function in (lambda v: v * v, lambda v: v.conj() * 2j, lambda v: v.abs(), lambda v: v.real, lambda v: v.exp()):
        print(gradcheck(function, (z,)), gradgradcheck(function, (z,)))
    print(gradcheck(lambda v: v * (1 + 2j), (x,)), gradcheck(lambda a, b: (a * b).angle(), (z, x)))

    class WrongConjugate(Function):
        @staticmethod
        def forward(ctx, v):
            ctx.save_for_backward(v)
            return v * v

        @staticmethod
        def backward(ctx, g):
            (v,) = ctx.saved_tensors
            return 2 * v * g

    attempt("a forgotten conjugate", lambda: gradcheck(WrongConjugate.apply, (z,)))


@program
def given_cotangents():
    x = leaf(0.5, -1.0)
    print(gradgradcheck(lambda v: v**3, (x,), grad_outputs=leaf(1.0, 2.0)))
    print(gradgradcheck(lambda v: v**3, (x,), gen_non_contig_grad_outputs=True))
    print(gradcheck(lambda v: v.t() @ v, (torch.ones(2, 3, dtype=torch.float64).t().requires_grad_(),)))


@program
def inputs_are_left_as_they_were():
    x = leaf(0.5, -1.0)
    gradcheck(torch.sin, (x,))
    print(x.tolist(), x.grad, x._version, x.is_leaf)
