"""Complex numbers: gradients point uphill, and real inputs get real gradients."""

import torch
from telling import attempt, program, values


def leaf(*numbers):
    return torch.tensor(list(numbers), requires_grad=True)


@program
def the_gradient_of_a_real_loss_points_uphill():
    z = leaf(1 + 2j)
    z.abs().sum().backward()
    print(values(z.grad), z.grad.dtype)
    z.grad = None
    (z * z.conj()).real.sum().backward()
    print(values(z.grad))


@program
def a_complex_output_needs_a_gradient():
    z = leaf(1 + 2j)
    attempt("without", lambda: (z * z).sum().backward())
    attempt("a real gradient", lambda: (z * z).backward(torch.ones(1)))
    (z * z).backward(torch.tensor([1 + 0j]))
    print(values(z.grad))
    (z * z).backward(torch.tensor([1j]))
    print(values(z.grad))


@program
def real_inputs_keep_real_gradients():
    x, w = leaf(1.0, 2.0), torch.tensor([1j, 1 + 1j])
    out = (x * w).sum()
    out.abs().backward()
    print(values(x.grad), x.grad.dtype)


@program
def holomorphic_and_other_functions():
    for name, function in {
        "square": lambda z: z * z, "conj": lambda z: z.conj(), "real": lambda z: z.real, "imag": lambda z: z.imag,
        "exp": lambda z: z.exp(), "log": lambda z: z.log(), "sqrt": lambda z: z.sqrt(), "angle": lambda z: z.angle(),
        "reciprocal": lambda z: 1 / z, "power": lambda z: z**3, "tanh": lambda z: z.tanh(), "sin": lambda z: z.sin(),
    }.items():  # fmt: skip
        z = leaf(0.5 + 1j)
        out = function(z)
        out.backward(torch.ones_like(out))
        print(name, values(out), values(z.grad))


@program
def the_modulus_at_zero():
    z = leaf(0j)
    z.abs().sum().backward()
    print(values(z.grad))


@program
def building_from_parts():
    a, b = leaf(1.0, 2.0), leaf(3.0, 4.0)
    z = torch.complex(a, b)
    print(values(z), z.dtype)
    (z * z).imag.sum().backward()
    print(values(a.grad), values(b.grad))


@program
def pairs_of_reals_and_back():
    z = leaf(1 + 2j, 3 - 1j)
    pairs = torch.view_as_real(z * 1)
    print(values(pairs), pairs._is_view())
    (pairs * torch.tensor([[1.0, 10.0], [100.0, 1000.0]])).sum().backward()
    print(values(z.grad))
    x = torch.tensor([[1.0, 2.0]], requires_grad=True)
    torch.view_as_complex(x).abs().sum().backward()
    print(values(x.grad))


@program
def matrices():
    m = torch.tensor([[1 + 1j, 2.0], [0.5j, 1 - 1j]], requires_grad=True)
    v = torch.tensor([1.0 + 0j, 1j])
    (m @ v).abs().sum().backward()
    print(values(m.grad))


@program
def descending():
    z = leaf(3 + 4j)
    for _ in range(3):
        z.grad = None
        (z - (1 + 1j)).abs().square().sum().backward()
        with torch.no_grad():
            z -= 0.25 * z.grad
    print(values(z))


@program
def second_order():
    z = leaf(1 + 2j)
    (g,) = torch.autograd.grad((z * z * z).real.sum(), z, create_graph=True)
    (h,) = torch.autograd.grad(g.real.sum(), z)
    print(values(g), values(h))
