"""Checkpoints within checkpoints, around modules, custom functions and other hooks."""

import torch
from telling import attempt, program, values
from torch.autograd import Function, graph
from torch.utils.checkpoint import checkpoint, checkpoint_sequential, set_checkpoint_early_stop

calls = []


def noted(name, f):
    def call(x):
        calls.append(name)
        return f(x)

    return call


def leaf(*numbers):
    return torch.tensor(list(numbers), requires_grad=True)


def three_deep(reentrant):
    calls.clear()
    x = leaf(0.5)
    c = noted("c", lambda x: x.sin().exp())
    b = noted("b", lambda x: checkpoint(c, x * 2, use_reentrant=reentrant) * x)
    a = noted("a", lambda x: checkpoint(b, x + 1, use_reentrant=reentrant).tanh())
    y = checkpoint(a, x, use_reentrant=reentrant)
    forward = len(calls)
    y.sum().backward()
    print(forward, calls, values(x.grad))


@program
def three_deep_without_reentering():
    three_deep(False)


@program
def three_deep_reentering():
    three_deep(True)


@program
def early_stop_and_none():
    for early in (True, False):
        seen = []

        def f(x, seen=seen):
            y = x.exp()
            seen.append("exp")
            z = y.sin()
            seen.append("sin")
            out = z + 1
            seen.append("end")
            return out

        x = leaf(0.5)
        with set_checkpoint_early_stop(early):
            y = checkpoint(f, x, use_reentrant=False)
        seen.clear()
        y.backward()
        print(early, seen, values(x.grad))


@program
def the_same_checkpoint_is_walked_twice():
    calls.clear()
    x = leaf(0.5)
    y = checkpoint(noted("f", torch.exp), x, use_reentrant=False)
    y.backward(retain_graph=True)
    y.backward()
    print(calls, values(x.grad))
    attempt("a third time", lambda: y.backward())


@program
def parts_of_a_checkpoint_for_several_gradients():
    calls.clear()
    x, w = leaf(0.5), leaf(2.0)
    y = checkpoint(noted("f", lambda x: (x * w).sin() * w), x, use_reentrant=False)
    print([values(g) for g in torch.autograd.grad(y, [x, w])], calls)


@program
def a_checkpoint_of_a_custom_function():
    class Cube(Function):
        @staticmethod
        def forward(ctx, x):
            calls.append("forward")
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, g):
            calls.append("backward")
            (x,) = ctx.saved_tensors
            return 3 * g * x**2

    calls.clear()
    x = leaf(0.5)
    checkpoint(lambda x: Cube.apply(x.exp()), x, use_reentrant=False).backward()
    print(calls, values(x.grad))


@program
def hooks_inside_a_checkpoint():
    seen = []
    x = leaf(2.0)

    def f(x):
        y = x * 3
        y.register_hook(lambda g: seen.append(values(g)))
        return y.exp()

    checkpoint(f, x, use_reentrant=False).backward()
    print(len(seen), seen[0] is not None)


@program
def other_saved_tensor_hooks_around_and_inside():
    packed = []

    def pack(t):
        packed.append(tuple(t.shape))
        return t

    x = leaf(0.5, 0.25)
    with graph.saved_tensors_hooks(pack, lambda t: t):
        y = checkpoint(lambda x: x.exp().sin(), x, use_reentrant=False)
    outside = len(packed)
    y.sum().backward()
    print(outside, values(x.grad))

    def f(x):
        with graph.saved_tensors_hooks(lambda t: t * 2, lambda t: t / 2):
            return x * x

    x = leaf(3.0)
    checkpoint(f, x, use_reentrant=False).backward()
    print(values(x.grad))


@program
def modes_inside_are_restored():
    x = leaf(1.0)
    seen = []

    def f(x):
        seen.append(torch.is_grad_enabled())
        with torch.no_grad():
            c = x.exp()
        return x.sin() * c

    y = checkpoint(f, x, use_reentrant=False)
    with torch.no_grad():
        y.backward()
    print(seen, values(x.grad))


@program
def trees_of_arguments():
    x, y = leaf(1.0), leaf(2.0)

    def f(pair, options, *, factor):
        return {"sum": pair[0] + options["y"], "product": pair[0] * options["y"] * factor}

    out = checkpoint(f, (x, 5), {"y": y}, factor=3, use_reentrant=False)
    (out["sum"] * out["product"]).backward()
    print(values(x.grad), values(y.grad))


@program
def segments_of_a_sequence():
    calls.clear()
    x = leaf(0.5)
    functions = [noted("a", torch.sin), noted("b", torch.exp), noted("c", torch.tanh), noted("d", torch.cos)]
    y = checkpoint_sequential(functions, 2, x, use_reentrant=False)
    print(calls)
    y.backward()
    print(calls, values(x.grad))


@program
def a_write_inside():
    x = leaf(1.0, 2.0)

    def f(x):
        y = x * 2
        y[0] = y[1].clone() * 3
        y.exp_()
        return y

    checkpoint(f, x, use_reentrant=False).sum().backward()
    plain = leaf(1.0, 2.0)
    f(plain).sum().backward()
    print(torch.allclose(x.grad, plain.grad))


@program
def second_derivatives():
    x = leaf(0.5)
    y = checkpoint(lambda x: x.sin() ** 3, x, use_reentrant=False)
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    print(values(g), values(torch.autograd.grad(g, x)[0]))


@program
def what_checkpoints_refuse():
    x = leaf(1.0)
    attempt("reentrant with grad", lambda: torch.autograd.grad(checkpoint(torch.sin, x, use_reentrant=True), x))
    attempt("an unknown argument", lambda: checkpoint(torch.sin, x, use_reentrant=True, banana=1))
    count = iter(range(10))

    def changing(x):
        return x.exp().sin() if next(count) else x.exp()

    attempt("another function", lambda: checkpoint(changing, x, use_reentrant=False).backward())
    sizes = iter([1, 2])

    def growing(x):
        return (x.expand(next(sizes)).exp()).sum()

    attempt("another shape", lambda: checkpoint(growing, x, use_reentrant=False).backward())
