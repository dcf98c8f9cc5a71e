"""Higher order: Hessian-vector products, penalties on gradients, inner optimisation, functional forms."""

import torch
from telling import attempt, program, values
from torch.autograd import functional, grad


def leaf(*numbers):
    return torch.tensor(list(numbers), requires_grad=True)


def rosenbrock(x):
    return ((1 - x[:-1]) ** 2).sum() + 100 * ((x[1:] - x[:-1] ** 2) ** 2).sum()


@program
def a_hessian_vector_product_by_two_backwards():
    x, v = leaf(0.5, -1.0, 2.0), torch.tensor([1.0, 2.0, -1.0])
    (g,) = grad(rosenbrock(x), x, create_graph=True)
    (product,) = grad(g, x, v)
    print(values(g), values(product))
    print(values(functional.hvp(rosenbrock, x, v)[1]), values(functional.vhp(rosenbrock, x, v)[1]))


@program
def a_hessian_row_by_row():
    x = leaf(0.5, -1.0, 2.0)
    (g,) = grad(rosenbrock(x), x, create_graph=True)
    rows = [grad(g[i], x, retain_graph=True)[0] for i in range(3)]
    print(values(torch.stack(rows)) == values(functional.hessian(rosenbrock, x)))


@program
def ever_higher_derivatives():
    x = leaf(2.0)
    derivative = x**5
    for _ in range(6):
        (derivative,) = grad(derivative.sum(), x, create_graph=True)
        print(values(derivative))


@program
def a_penalty_on_the_gradient():
    w, x = leaf(1.0, -2.0), torch.tensor([3.0, 0.5])
    out = (w * x).sum().tanh()
    (g,) = grad(out, w, create_graph=True)
    ((g**2).sum() + out).backward()
    print(values(w.grad))


@program
def learning_through_an_inner_step():
    w, rate = leaf(1.0), torch.tensor(0.1, requires_grad=True)
    (g,) = grad(((w - 3) ** 2).sum(), w, create_graph=True)
    stepped = w - rate * g
    ((stepped - 2) ** 2).sum().backward()
    print(values(w.grad), values(rate.grad))


@program
def second_derivatives_accumulate_in_leaves():
    x, y = leaf(2.0), leaf(3.0)
    (g,) = grad((x * x * y).sum(), x, create_graph=True)
    g.sum().backward()
    print(values(x.grad), values(y.grad))


@program
def a_constant_gradient_has_no_history():
    x = leaf(2.0)
    (g,) = grad((x * 3).sum(), x, create_graph=True)
    print(values(g), g.requires_grad)
    attempt("its derivative", lambda: grad(g.sum(), x))


@program
def functional_forms_and_their_options():
    def f(a, b):
        return a * b.sum(), b.exp()

    a, b = torch.tensor([1.0, 2.0]), torch.tensor([0.0, 1.0])
    outputs, gradients = functional.vjp(f, (a, b), (torch.ones(2), torch.ones(2)))
    print([values(o) for o in outputs], [values(g) for g in gradients])
    outputs, tangents = functional.jvp(f, (a, b), (torch.ones(2), torch.ones(2)))
    print([values(o) for o in outputs], [values(t) for t in tangents])
    print([[values(block) for block in row] for row in functional.jacobian(f, (a, b))])
    attempt("strict with a constant", lambda: functional.jacobian(lambda v: torch.ones(2), a, strict=True))
    print(values(functional.jacobian(lambda v: torch.ones(2), a)))
    print(functional.jacobian(lambda v: v * 2, a, create_graph=True).requires_grad)
    attempt("hessian of a vector", lambda: functional.hessian(lambda v: v * 2, a))
    attempt("a vector of another shape", lambda: functional.vjp(lambda v: v * 2, a, torch.ones(3)))
    attempt("no vector for several outputs", lambda: functional.vjp(lambda v: v * 2, a))
    attempt("something that is no tensor", lambda: functional.jacobian(lambda v: v, 1.0))
    print(values(functional.jacobian(lambda v: v**2, a, strategy="forward-mode", vectorize=True)))


@program
def mixed_partial_derivatives():
    x, y = leaf(2.0), leaf(3.0)
    z = (x**2 * y**3).sum()
    gx, gy = grad(z, (x, y), create_graph=True)
    print(values(grad(gx.sum(), y, retain_graph=True)[0]), values(grad(gy.sum(), x)[0]))


@program
def the_gradient_of_a_product_of_jacobians():
    x, v = leaf(0.3, 0.7), leaf(1.0, 1.0)
    (g,) = grad(x.sin(), x, v, create_graph=True)
    (t,) = grad(g, v, torch.tensor([2.0, 3.0]), create_graph=True)
    print(values(t))
    print(values(grad(t.sum(), x)[0]))
