"""What lives how long: graphs without cycles, saved values freed, chains of any length."""

import gc
import weakref

import torch
from telling import attempt, program, values, without_collector


class Marked(torch.autograd.Function):
    """Multiplies by two; its node can be watched."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2


def leaf(*numbers):
    return torch.tensor(list(numbers), requires_grad=True)


@program
def a_deep_chain_backward_and_freeing():
    for length in (1_000, 100_000):
        x = leaf(1.0)
        y = x
        for _ in range(length):
            y = y + 1
        y.sum().backward()
        print(length, values(x.grad))
        del y


@program
def a_deep_chain_dropped_without_backward():
    x = leaf(1.0)
    y = x
    for _ in range(100_000):
        y = y * x
    del y
    print("dropped", x.grad)


@program
def a_deep_chain_with_branches():
    x = leaf(1.0)
    y, z = x, x
    for _ in range(5_000):
        y, z = (y + z) / 2, (y - z) + z
    (y + z).sum().backward()
    print(values(x.grad))


@program
def a_deep_chain_of_changes_in_place():
    x = leaf(1.0)
    y = x * 1
    view = y[:]
    for _ in range(1_000):
        view.add_(1)
    y.sum().backward()
    print(values(x.grad), values(y))


@program
def a_deep_chain_of_custom_functions():
    x = leaf(0.0)
    y = x
    for _ in range(5_000):
        y = Marked.apply(y) / 2
    y.sum().backward()
    print(values(x.grad))


@program
def results_and_graphs_are_freed_without_the_collector():
    x = leaf(1.0, 2.0)
    for name, make in {
        "exp": lambda: x.exp(),
        "product": lambda: x * x,
        "view": lambda: x[:1],
        "custom": lambda: Marked.apply(x),
        "in place": lambda: (x * 1).exp_(),
        "view in place": lambda: (lambda base: base[:1].mul_(2))(x * 1),
        "softmax": lambda: x.softmax(0),
        "sum": lambda: x.sum(),
        "dropped hooks": lambda: (lambda y: (y.register_hook(lambda g: g * 2), y)[1])(x * 2),
    }.items():
        with without_collector():
            result = make()
            alive = weakref.ref(result)
            del result
            print(name, "freed", alive() is None)


@program
def backward_frees_what_was_saved():
    with without_collector():
        x = leaf(1.0, 2.0)
        middle = x * 1
        alive = weakref.ref(middle)
        y = (middle * middle).sum()
        del middle
        print("before", alive() is not None)
        y.backward()
        print("after", alive() is None)


@program
def a_leaf_is_freed_with_its_graph():
    with without_collector():
        x = leaf(1.0)
        alive = weakref.ref(x)
        y = x * 2
        del x
        print("held by the graph", alive() is not None)
        y.sum().backward()
        print("still held", alive() is not None, values(alive().grad))
        del y
        print("freed", alive() is None)


@program
def a_retained_gradient_does_not_keep_its_tensor():
    with without_collector():
        x = leaf(1.0)
        y = x * 2
        y.retain_grad()
        alive = weakref.ref(y)
        z = y + 1
        del y
        print("freed", alive() is None)
        z.sum().backward()
        print(values(x.grad))


@program
def hooks_live_as_long_as_their_tensor_or_graph():
    class Holder:
        pass

    with without_collector():
        holder = Holder()
        alive = weakref.ref(holder)
        y = leaf(1.0) * 2
        y.register_hook(lambda g, holder=holder: None)
        del holder
        print("held", alive() is not None)
        del y
        print("freed", alive() is None)


@program
def a_removed_hook_is_let_go():
    class Holder:
        pass

    with without_collector():
        holder = Holder()
        alive = weakref.ref(holder)
        x = leaf(1.0)
        handle = x.register_hook(lambda g, holder=holder: None)
        del holder
        handle.remove()
        print("freed", alive() is None)


@program
def create_graph_makes_no_cycle_in_grad():
    with without_collector():
        x = leaf(2.0)
        y = x**3
        alive = weakref.ref(y)
        (first,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        (second,) = torch.autograd.grad(first.sum(), x, create_graph=True)
        print(values(second))
        del y, first, second
        print("freed", alive() is None)


@program
def a_cycle_that_the_program_makes_is_collected():
    x = leaf(2.0)
    y = x * 2
    y.grad_fn.metadata["me"] = y
    alive = weakref.ref(y)
    del y
    gc.collect()
    print("collected", alive() is None)


@program
def many_small_graphs_leave_nothing_behind():
    x = leaf(1.0)
    for _ in range(300):
        x.grad = None
        (x.exp() * x).sum().backward()
    print(values(x.grad))
    attempt("the last one again", lambda: (x * 2).sum().backward())
