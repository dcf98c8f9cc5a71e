"""Promotion of types, conversions, integers, complex numbers, and the types that gradients have."""

import torch
from telling import attempt, program, values, warned
from torch.autograd import grad

TYPES = [torch.bool, torch.uint8, torch.int32, torch.int64, torch.float32, torch.float64, torch.complex64]


def named(dtype):
    return str(dtype).replace("torch.", "")


@program
def sums_of_all_pairs():
    for a in TYPES:
        print(named(a), [named((torch.ones(1, dtype=a) + torch.ones(1, dtype=b)).dtype) for b in TYPES])


@program
def dimensions_decide():
    for a in (torch.int64, torch.float32):
        one = torch.ones(1, dtype=a)
        print([named((one * torch.tensor(2, dtype=b)).dtype) for b in TYPES])
        print([named((one * number).dtype) for number in (True, 2, 2.5, 2j)])


@program
def operations_that_need_floats():
    x = torch.tensor([1, 2])
    for name in ("exp", "sqrt", "sin", "sigmoid", "mean", "sum", "abs", "square", "cumsum", "prod", "sign", "neg"):

        def call(name=name):
            f = getattr(x, name)
            return named((f(0) if name == "cumsum" else f()).dtype)

        try:
            print(name, call())
        except Exception as error:
            print(name, type(error).__name__)
    print(named((x / 2).dtype), named((x // 2).dtype), named((x**2).dtype), named((x > 1).dtype), named((~x).dtype))


@program
def gradients_have_the_types_of_their_inputs():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    z = torch.tensor([1 + 1j, 2j], requires_grad=True)
    (x * y * z).abs().sum().backward()
    print([named(t.grad.dtype) for t in (x, y, z)])
    print(values(x.grad), values(y.grad), values(z.grad))


@program
def conversions_are_recorded():
    x = torch.tensor([1.5, 2.5], requires_grad=True)
    y = x.to(torch.float64) * 2
    print(named(y.dtype), values(grad(y.sum(), x)[0]), named(grad((x.double() * 2).sum(), x)[0].dtype))
    print(x.int().requires_grad, x.to(torch.complex64).requires_grad, x.to(x.dtype) is x)
    print(named(torch.tensor([1.0], requires_grad=True).to(torch.complex64).abs().dtype))


@program
def results_without_gradients():
    x = torch.tensor([3.0, 1.0], requires_grad=True)
    print(
        [f(x).requires_grad for f in (torch.argmax, torch.argsort, torch.isnan, torch.floor, torch.sign, torch.round)]
    )
    print(
        (x > 2).requires_grad,
        x.max(0).indices.requires_grad,
        x.sort().values.requires_grad,
        (x == x).all().requires_grad,
    )
    attempt("backward of an integer", lambda: x.argmax().backward())


@program
def types_of_what_is_written():
    x = torch.ones(2)
    attempt("a double into a float", lambda: x.add_(torch.ones(2, dtype=torch.float64)))
    attempt("a complex into a float", lambda: x.add_(torch.ones(2, dtype=torch.complex64)))
    n = torch.ones(2, dtype=torch.int64)
    attempt("a float into an integer", lambda: n.add_(1.5))
    attempt("a quotient into an integer", lambda: n.div_(2))
    attempt("an assigned float", lambda: n.__setitem__(0, 2.7))
    print(values(n), values(x), named(x.dtype))


@program
def numbers_of_python():
    x = torch.tensor([2.5], requires_grad=True)
    print(float(x.detach()), int(x.detach()), x.item(), bool(x.detach()), f"{x.item():.2f}")
    attempt("several", lambda: float(torch.ones(2)))
    attempt("the truth of several", lambda: bool(torch.ones(2)))
    attempt("the truth of none", lambda: bool(torch.ones(0)))
    print([10, 20, 30][torch.tensor(1)], list(range(torch.tensor(3))), len(torch.ones(4, 2)))
    attempt("an index that is no integer", lambda: [10][torch.tensor(0.0)])
    attempt("the length of a number", lambda: len(torch.tensor(1.0)))


@program
def numbers_that_leave_their_history_behind():
    x = torch.tensor(2.0, requires_grad=True)
    for name, convert in {"float": float, "int": int, "bool": bool, "item": torch.Tensor.item}.items():
        print(warned(name, lambda convert=convert: convert(x)))
    print(warned("detached", lambda: float(x.detach())))


@program
def complex_gradients_by_parts():
    z = torch.tensor([1 + 2j, -1j], requires_grad=True)
    for f in (torch.real, torch.imag, torch.abs, torch.angle, lambda z: (z * z.conj()).real, lambda z: (z**2).imag):
        print(values(grad(f(z).sum(), z)[0]))
    attempt("a complex loss", lambda: (z * z).sum().backward())
    print(values(grad((z * z).sum(), z, torch.tensor(1j))[0]))


@program
def constants_of_each_type():
    print([named(torch.tensor(v).dtype) for v in (True, 1, 1.0, 1j, [1, 2.0], [True, 2])])
    print(
        named(torch.arange(3).dtype),
        named(torch.arange(3.0).dtype),
        named(torch.full((1,), 2).dtype),
        named(torch.zeros(1).dtype),
    )
    print(named(torch.result_type(torch.ones(1), 1j)), named(torch.promote_types(torch.int32, torch.float32)))
    print(
        torch.can_cast(torch.float32, torch.int32), torch.is_floating_point(torch.ones(1)), torch.ones(1).is_complex()
    )
    print(torch.finfo(torch.float32).eps, torch.iinfo(torch.int32).max)


@program
def integers_and_flags():
    attempt("an integer leaf", lambda: torch.tensor([1], requires_grad=True))
    attempt("a flag set", lambda: torch.tensor([1]).requires_grad_())
    attempt("a bool", lambda: torch.ones(1, dtype=torch.bool).requires_grad_())
    x = torch.tensor([1.0], requires_grad=True)
    attempt("as an integer", lambda: grad(x.long().sum(), x))
    print(values(grad((x * torch.tensor([3])).sum(), x)[0]))
