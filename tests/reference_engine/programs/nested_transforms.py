"""Transforms around one another, around modules, and around the tape."""

import torch
from telling import attempt, program, values
from torch.func import functional_call, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize, vjp, vmap


@program
def gradients_of_each_example():
    weight = torch.tensor([1.0, -2.0])
    xs = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    ys = torch.tensor([0.0, 1.0, 2.0])

    def loss(w, x, y):
        return ((x @ w) - y) ** 2

    each = vmap(grad(loss), in_dims=(None, 0, 0))(weight, xs, ys)
    whole = grad(lambda w: vmap(loss, in_dims=(None, 0, 0))(w, xs, ys).sum())(weight)
    print(values(each), values(whole), values(each.sum(0)))


@program
def vmap_within_vmap_within_grad():
    x = torch.arange(6.0).reshape(2, 3)

    def f(x):
        return vmap(vmap(lambda a: a.sin() * a))(x).sum()

    print(values(grad(f)(x)), values(vmap(grad(lambda r: (r**3).sum()), in_dims=1, out_dims=1)(x)))


@program
def hessians_in_four_ways():
    x = torch.tensor([0.5, 1.5])

    def f(x):
        return (x[0] * x[1]).exp() + x[0] ** 3

    for outer in (jacfwd, jacrev):
        for inner in (jacfwd, jacrev):
            print(values(outer(inner(f))(x)))
    print(values(hessian(f)(x)))


@program
def a_vector_product_with_the_hessian():
    x, v = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1.0, 0.0, -1.0])

    def f(x):
        return (x**3).sum() + x.prod()

    print(values(jvp(grad(f), (x,), (v,))[1]), values(vjp(grad(f), x)[1](v)[0]))
    print(values(grad(lambda x: (grad(f)(x) * v).sum())(x)))


@program
def no_confusion_of_perturbations():
    def f(x):
        return x * grad(lambda y: x + y)(torch.tensor(1.0))

    print(values(grad(f)(torch.tensor(2.0))))
    print(
        values(
            jvp(
                lambda x: x * jvp(lambda y: x * y, (x,), (torch.tensor(1.0),))[1],
                (torch.tensor(3.0),),
                (torch.tensor(1.0),),
            )[1]
        )
    )


@program
def auxiliary_results_and_trees():
    def f(p, x):
        y = p["a"] * x[0] + p["b"][0]
        return y.sum(), {"y": y}

    p = {"a": torch.tensor([2.0, 3.0]), "b": (torch.tensor([1.0, 1.0]),)}
    g, aux = grad(f, has_aux=True)(p, [torch.tensor([5.0, 7.0])])
    print(values(g["a"]), values(g["b"][0]), type(g["b"]).__name__, values(aux["y"]))
    g, (value, _) = grad_and_value(f, argnums=1, has_aux=True)(p, [torch.tensor([5.0, 7.0])])
    print(values(g[0]), values(value))
    print(aux["y"].requires_grad)


@program
def an_auxiliary_number():
    attempt("grad", lambda: grad(lambda x: (x * x, {"n": 3}), has_aux=True)(torch.tensor(2.0)))
    attempt("jacfwd", lambda: jacfwd(lambda x: (x * x, "a name"), has_aux=True)(torch.tensor(2.0)))


@program
def a_module_called_with_other_parameters():
    net = torch.nn.Linear(2, 1)
    own = {k: torch.ones_like(v) for k, v in net.named_parameters()}
    x = torch.tensor([[1.0, 2.0]])
    print(values(functional_call(net, own, (x,)).detach()))
    g = grad(lambda p: functional_call(net, p, (x,)).sum())(own)
    print({k: values(v) for k, v in g.items()}, [p.grad for p in net.parameters()])


@program
def linearized_once_used_often():
    x = torch.tensor([1.0, 2.0])
    out, push = linearize(lambda x: x.exp() * x[0], x)
    print(values(out), values(push(torch.tensor([1.0, 0.0]))), values(push(torch.tensor([0.0, 1.0]))))
    print(values(vmap(push)(torch.eye(2))))


@program
def transforms_and_the_tape():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    g = grad(lambda y: (y**2 * x).sum())(x)
    print(g.requires_grad, values(g))
    g.sum().backward()
    print(values(x.grad))
    y = vmap(lambda r: r * 2)(x)
    print(y.requires_grad, type(y.grad_fn).__name__)
    print(grad(lambda y: (y.detach() * y).sum())(torch.tensor([3.0])).requires_grad)


@program
def no_grad_around_and_within():
    x = torch.tensor(2.0)
    with torch.no_grad():
        print(values(grad(lambda x: x**3)(x)))

    def f(x):
        with torch.no_grad():
            c = x**2
        return c * x

    print(values(grad(f)(x)), values(jacfwd(f)(x)))


@program
def refusals_of_transforms():
    attempt("no scalar", lambda: grad(lambda x: x)(torch.ones(2)))
    attempt("no tensor", lambda: grad(lambda x: 1.0)(torch.ones(())))
    attempt("an integer", lambda: grad(lambda x: x)(torch.tensor(1)))
    attempt("sizes", lambda: vmap(lambda a, b: a + b)(torch.ones(2), torch.ones(3)))
    attempt("a branch", lambda: vmap(lambda a: a if a > 0 else -a)(torch.ones(2)))
    attempt("an item", lambda: vmap(lambda a: a.item())(torch.ones(2)))
    attempt("no batch", lambda: vmap(lambda a: a, in_dims=None)(torch.ones(2)))
    attempt("a wrong dimension", lambda: vmap(lambda a: a, in_dims=2)(torch.ones(2)))
    attempt("a scalar", lambda: vmap(lambda a: a)(torch.tensor(1.0)))
    attempt("writing a plain value", lambda: vmap(lambda a: torch.zeros(()).add_(a))(torch.ones(2)))
    attempt("an argument too many", lambda: grad(lambda x: x, argnums=1)(torch.tensor(1.0)))
    attempt("a number", lambda: jvp(lambda x: x, (torch.ones(1),), torch.ones(1)))
    attempt("a random number", lambda: vmap(lambda x: x + torch.rand(()))(torch.ones(2)))


@program
def chunks_and_dimensions():
    x = torch.arange(6.0).reshape(2, 3)
    print(values(vmap(lambda a: a.sum(), in_dims=-1)(x)), values(vmap(lambda a: a * 2, out_dims=-1)(x)))
    print(values(vmap(lambda a: a.cumsum(0), chunk_size=1)(x)), values(jacrev(lambda x: x**2, chunk_size=1)(x[0])))
    a, b = vmap(lambda a, b: (a + b, a), in_dims=(0, None), out_dims=(1, 0))(x, torch.ones(3))
    print(values(a), values(b))


@program
def a_write_inside_a_transform():
    def f(x):
        y = torch.zeros(3)
        y = y + x
        y[0] = x[1] * 5
        y[1:].mul_(x[0])
        return y

    x = torch.tensor([1.0, 2.0, 3.0])
    print(values(jacrev(f)(x)), values(jacfwd(f)(x)), values(vmap(f)(torch.stack([x, x * 2]))))
    attempt("in place on the argument", lambda: print(values(grad(lambda x: x.mul_(2).sum())(x.clone()))))
