"""Forward mode by dual numbers: inside and outside levels, in place, with views and with backward mode."""

import torch
import torch.autograd.forward_ad as fwAD
from telling import attempt, program, values


def dual(primal, tangent):
    return fwAD.make_dual(torch.tensor(primal), torch.tensor(tangent))


def tangent_of(tensor):
    return values(fwAD.unpack_dual(tensor).tangent)


@program
def a_tangent_goes_through_operations():
    with fwAD.dual_level():
        x = dual([2.0, 3.0], [1.0, 10.0])
        print(tangent_of(x * x), tangent_of(x.exp().log()), tangent_of(x.sum()), tangent_of(x[1:]), tangent_of(x + 1))
        print(tangent_of(torch.stack([x, torch.zeros(2)])), tangent_of(x.detach()), tangent_of(torch.ones(2)))


@program
def tangents_end_with_the_level():
    with fwAD.dual_level():
        x = dual([2.0], [1.0])
        y = x * 3
    print(fwAD.unpack_dual(y).tangent, values(y))
    with fwAD.dual_level():
        print(fwAD.unpack_dual(y).tangent)


@program
def a_primal_keeps_its_memory():
    primal, tangent = torch.tensor([2.0]), torch.tensor([1.0])
    with fwAD.dual_level():
        x = fwAD.make_dual(primal, tangent)
        unpacked = fwAD.unpack_dual(x)
        print(unpacked.primal.data_ptr() == primal.data_ptr(), unpacked.tangent is tangent)
        print(type(unpacked).__name__, fwAD.unpack_dual(primal).tangent)


@program
def what_is_refused():
    attempt("outside a level", lambda: fwAD.make_dual(torch.ones(1), torch.ones(1)))
    attempt("leaving what was not entered", fwAD.exit_dual_level)
    with fwAD.dual_level():
        attempt("another shape", lambda: dual([1.0], [1.0, 2.0]))
        attempt("another dtype", lambda: fwAD.make_dual(torch.ones(1), torch.ones(1, dtype=torch.float64)))
        attempt("integers", lambda: dual([1], [1]))
        attempt("a number", lambda: fwAD.make_dual(1.0, torch.ones(1)))
        attempt("a tangent that is a number", lambda: fwAD.make_dual(torch.ones(1), 1.0))
        attempt("a second tangent", lambda: fwAD.make_dual(dual([1.0], [1.0]), torch.ones(1)))
        attempt("a second level", lambda: fwAD.dual_level().__enter__())
    print(fwAD.unpack_dual(torch.ones(1)).tangent)


@program
def a_level_can_be_opened_by_hand():
    level = fwAD.enter_dual_level()
    x = dual([2.0], [1.0])
    print(tangent_of(x**2))
    fwAD.exit_dual_level(level=level)
    print(fwAD.unpack_dual(x).tangent)


@program
def changes_in_place_carry_tangents():
    with fwAD.dual_level():
        x = dual([2.0, 3.0], [1.0, 1.0])
        y = torch.zeros(2)
        y.copy_(x)
        y.mul_(x)
        print(values(y), tangent_of(y))
        z = torch.zeros(3)
        z[1] = x[0] * 5
        print(values(z), tangent_of(z))
        view = z[1:]
        view.mul_(x)
        print(tangent_of(view), tangent_of(z))
        z.zero_()
        print(tangent_of(z))


@program
def backward_over_forward():
    x = torch.tensor([2.0], requires_grad=True)
    with fwAD.dual_level():
        tangent = fwAD.unpack_dual(fwAD.make_dual(x, torch.ones(1)) ** 3).tangent
        (second,) = torch.autograd.grad(tangent.sum(), x)
    print(values(tangent), values(second))


@program
def forward_over_backward():
    x = torch.tensor([2.0], requires_grad=True)
    with fwAD.dual_level():
        d = fwAD.make_dual(x, torch.ones(1))
        (g,) = torch.autograd.grad((d**3).sum(), d, create_graph=True)
        print(tangent_of(g))


@program
def tangents_under_no_grad_and_modes():
    with fwAD.dual_level():
        x = dual([2.0], [1.0])
        with torch.no_grad():
            print(tangent_of(x * 3))
        print(x.requires_grad, (x * 3).requires_grad, x.is_leaf)


@program
def complex_and_mixed_tangents():
    with fwAD.dual_level():
        z = dual([1 + 2j], [1j])
        print(tangent_of(z * z), tangent_of(z.real), tangent_of(z.abs()), tangent_of(z.conj()))


@program
def gradient_and_tangent_of_a_linear_map_agree():
    m = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    v = torch.tensor([1.0, -1.0])
    direction = torch.tensor([[0.5, 0.0], [0.0, 2.0]])
    with fwAD.dual_level():
        tangent = fwAD.unpack_dual((fwAD.make_dual(m, direction) @ v).sum()).tangent
    (g,) = torch.autograd.grad((m @ v).sum(), m)
    print(values(tangent), values((g * direction).sum()))
