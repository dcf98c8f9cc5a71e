"""Long chains, wide sums, cycles, and when things are freed."""

import gc
import sys
import weakref

import torch
from telling import attempt, program, values, without_collector
from torch.autograd import Function, grad


def leaf(*numbers):
    return torch.tensor(list(numbers), requires_grad=True)


@program
def a_hundred_thousand_steps_of_several_kinds():
    x = leaf(1.0)
    y = x
    for i in range(25_000):
        y = ((y + 1) * 1 - 1).neg().neg() if i % 2 else y.view(1)
    y.backward()
    print(values(x.grad), sys.getrecursionlimit() < 25_000)


@program
def a_long_chain_is_differentiated_twice():
    x = leaf(1.0)
    y = x
    for _ in range(3_000):
        y = y * 1.0001
    (g,) = grad(y * y, x, create_graph=True)
    print(round(g.item(), 2), round(grad(g, x)[0].item(), 2))


@program
def a_long_chain_of_hooks():
    x = leaf(1.0)
    y = x
    seen = []
    for _ in range(5_000):
        y = y * 1
        y.register_hook(lambda g: seen.append(1))
    y.backward()
    print(len(seen))


@program
def a_chain_that_doubles():
    x = leaf(1.0)
    y = x
    for _ in range(60):
        y = y + y
    y.backward()
    print(values(x.grad) == [2.0**60])


@program
def thousands_of_uses_of_one_leaf():
    x = leaf(1.0)
    total = sum(x * i for i in range(3_000))
    total.backward()
    print(values(x.grad))
    torch.stack([x * 2 for _ in range(1_000)]).sum().backward()
    print(values(x.grad))


@program
def deep_forward_and_checkpoints():
    import torch.autograd.forward_ad as fwAD

    with fwAD.dual_level():
        y = fwAD.make_dual(torch.ones(1), torch.ones(1))
        for _ in range(5_000):
            y = y + 1
        print(values(fwAD.unpack_dual(y).tangent))


@program
def a_node_outlives_its_tensor():
    x = leaf(2.0)
    y = x * 3
    node = y.grad_fn
    reference = weakref.ref(y)
    del y
    gc.collect()
    print(reference() is None, node.next_functions[0][0].variable is x)


@program
def a_saved_tensor_keeps_no_more_than_it_must():
    with without_collector():
        x = leaf(1.0, 2.0)
        middle = x.exp()
        watched = weakref.ref(middle)
        out = middle.sum()
        del middle
        print(watched() is None, values(grad(out, x)[0]))


@program
def an_accumulating_node_lives_as_long_as_a_graph():
    x = leaf(1.0)
    y = x * 1
    same = (x * 2).grad_fn.next_functions[0][0] is y.grad_fn.next_functions[0][0]
    node = y.grad_fn.next_functions[0][0]
    del y
    gc.collect()
    print(same, (x * 3).grad_fn.next_functions[0][0] is node)


@program
def a_function_that_keeps_its_output():
    class Keep(Function):
        @staticmethod
        def forward(ctx, x):
            out = x.exp()
            ctx.save_for_backward(out)
            return out

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0]

    with without_collector():
        out = Keep.apply(leaf(1.0))
        watched = weakref.ref(out)
        del out
        print(watched() is None)


@program
def a_gradient_that_refers_to_its_leaf():
    x = leaf(3.0)
    (x * x).backward(create_graph=True)
    print(x.grad.requires_grad, values(grad(x.grad.sum(), x)[0]))
    x.grad = None
    watched = weakref.ref(x)
    del x
    gc.collect()
    print(watched() is None)


@program
def a_destructor_runs_backward():
    seen = []

    class Late:
        def __init__(self, loss):
            self.loss = loss

        def __del__(self):
            self.loss.backward()
            seen.append("done")

    x = leaf(2.0)
    late = Late((x * x).sum())
    (x * 1).register_hook(lambda g: None)
    del late
    gc.collect()
    print(seen, values(x.grad))


@program
def backward_within_backward():
    seen = []

    class Outer(Function):
        @staticmethod
        def forward(ctx, x):
            with torch.enable_grad():
                ctx.inner = x.detach().requires_grad_()
                ctx.out = ctx.inner**3
            return ctx.out.detach()

        @staticmethod
        def backward(ctx, g):
            ctx.out.backward(g)
            seen.append(values(ctx.inner.grad))
            return ctx.inner.grad

    x = leaf(2.0)
    (Outer.apply(Outer.apply(x)) * 2).backward()
    print(seen, values(x.grad))


@program
def recursion_within_backward():
    class Down(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.x = x.detach()
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            if ctx.x.item() > 0:
                with torch.enable_grad():
                    inner = (ctx.x - 1).requires_grad_()
                    Down.apply(inner).sum().backward()
            return g * 2

    x = leaf(30.0)
    Down.apply(x).backward()
    print(values(x.grad))
    attempt("again", lambda: Down.apply(x).backward())
