"""Saved values: hooks that pack them, inspecting them, changing what was saved."""

import torch
from telling import attempt, program, values
from torch.autograd import graph


def leaf(*numbers):
    return torch.tensor(list(numbers), requires_grad=True)


def telling_hooks(name):
    def pack(x):
        print(name, "packs", values(x))
        return x

    def unpack(x):
        print(name, "unpacks", values(x))
        return x

    return graph.saved_tensors_hooks(pack, unpack)


def squared_with_hooks(x):
    with telling_hooks("hook"):
        return x**2


@program
def packing_and_unpacking():
    x, w = leaf(2.0), torch.tensor([0.5])
    with telling_hooks("hook"):
        y = (x * w).exp()
    z = y * y
    print("forward is done")
    (z * 0 + y / y.detach()).sum().backward()
    print(values(x.grad))


@program
def the_innermost_pair_counts():
    x = leaf(2.0)
    with telling_hooks("outer"):
        with telling_hooks("inner"):
            y = x * x
        z = y * y
    z.sum().backward()
    print(values(x.grad))


@program
def packing_into_anything():
    x = leaf(1.0, 2.0)
    with graph.saved_tensors_hooks(lambda t: t.tolist(), lambda numbers: torch.tensor(numbers)):
        y = (x * x).sum()
    y.backward()
    print(values(x.grad))


@program
def what_unpack_returns_is_believed():
    x = leaf(1.0, 2.0)
    with graph.saved_tensors_hooks(lambda t: t, lambda t: t * 10):
        y = (x * x).sum()
    y.backward()
    print(values(x.grad))


@program
def hooks_that_misbehave():
    def product(pack, unpack):
        x = leaf(2.0)
        with graph.saved_tensors_hooks(pack, unpack):
            y = (x * x).sum()
        y.backward()
        return x.grad

    attempt("unpack returns a number", lambda: product(lambda t: t, lambda t: 5))
    attempt("pack changes its argument", lambda: product(lambda t: t.add_(1), lambda t: t))
    attempt("pack raises", lambda: product(lambda t: [][0], lambda t: t))
    attempt("unpack raises", lambda: product(lambda t: t, lambda t: [][0]))
    attempt("pack takes no argument", lambda: product(lambda: 1, lambda t: t))
    print(values((leaf(1.0) * 2).detach()))


@program
def packed_values_may_be_changed_afterwards():
    x = leaf(2.0)
    y = x * 1
    with graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t):
        z = (y * y).sum()
    y.add_(100)
    attempt("backward", z.backward)
    print(values(x.grad))


@program
def higher_order_through_hooks():
    x = leaf(3.0)
    with graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        y = (x * x * x).sum()
        (first,) = torch.autograd.grad(y, x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x)
    print(values(first), values(second))


@program
def keeping_values_in_main_memory():
    x = leaf(2.0)
    with graph.save_on_cpu():
        y = (x * x).exp().sum()
    y.backward()
    print(values(x.grad))


@program
def hooks_can_be_forbidden():
    x = leaf(2.0)

    def forbidding_within_hooks():
        with telling_hooks("outer"), graph.disable_saved_tensors_hooks("not here"):
            print("never reached")

    attempt("forbidden within", forbidding_within_hooks)
    with graph.disable_saved_tensors_hooks("not here"):
        attempt("hooks inside", lambda: squared_with_hooks(x))
        (x * x).sum().backward()
    attempt("hooks outside again", lambda: squared_with_hooks(x))
    print(values(x.grad))


@program
def leaving_hooks_entered_by_hand():
    context = telling_hooks("by hand")
    context.__enter__()
    context.__exit__(None, None, None)
    x = leaf(2.0)
    (x * x).sum().backward()
    print(values(x.grad))


@program
def custom_functions_save_through_hooks():
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return 2 * x * g

    x = leaf(3.0)
    with telling_hooks("hook"):
        y = Square.apply(x)
    y.sum().backward()
    print(values(x.grad))


@program
def nodes_show_what_they_saved():
    a, b = leaf(2.0), leaf(3.0)
    product, power, exponential = a * b, a**2, a.exp()
    node = product.grad_fn
    print(values(node._saved_self), values(node._saved_other), node._saved_self is a)
    print(values(power.grad_fn._saved_self), power.grad_fn._saved_exponent)
    print(values(exponential.grad_fn._saved_result))
    attempt("an attribute that it has not", lambda: node._saved_mystery)
    product.sum().backward()
    attempt("after backward", lambda: node._saved_self)


@program
def saved_values_are_not_kept_needlessly():
    a, w = leaf(2.0), torch.tensor([3.0])
    product = a * w
    print(product.grad_fn._saved_self, values(product.grad_fn._saved_other))
    attempt("changing the constant", lambda: (w.add_(1), product.sum().backward()))
    product = a * w
    with torch.no_grad():
        a.add_(1)
    attempt("changing the leaf, which was not saved", product.sum().backward)


@program
def raw_saved_values_take_hooks():
    a = leaf(2.0)
    square = a**2
    square.grad_fn._raw_saved_self.register_hooks(lambda t: values(t), lambda packed: torch.tensor(packed) * 10)
    attempt("twice", lambda: square.grad_fn._raw_saved_self.register_hooks(lambda t: t, lambda t: t))
    square.sum().backward()
    print(values(a.grad))


@program
def allowing_mutation_of_saved_values():
    x = leaf(2.0)
    with graph.allow_mutation_on_saved_tensors() as context:
        y = x * 1
        z = y * y
        y.mul_(100)
        print(values(y), values(z))
        z.sum().backward()
        print(values(x.grad))
        context.clear()
    attempt("outside again", lambda: (lambda y: ((y * y), y.add_(1))[0])(x * 1).sum().backward())


@program
def allowing_mutation_through_views_and_several_times():
    x = leaf(1.0, 2.0)
    with graph.allow_mutation_on_saved_tensors():
        y = x * 1
        first = (y * y).sum()
        y[0] = 50.0
        second = (y * y).sum()
        y.zero_()
        (first + second).backward()
    print(values(x.grad))


@program
def declaring_a_change():
    x = leaf(2.0)
    y = x * 1
    z = y * y
    graph.increment_version(y)
    print(y._version)
    attempt("backward", z.sum().backward)


@program
def an_exception_inside_takes_the_hooks_away():
    try:
        with telling_hooks("never"):
            raise LookupError
    except LookupError:
        pass
    x = leaf(2.0)
    (x * x).sum().backward()
    print(values(x.grad))
