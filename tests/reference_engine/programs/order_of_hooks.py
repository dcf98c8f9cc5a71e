"""In which order hooks of every kind run, and what the later see of what the earlier did."""

import torch
from telling import attempt, program, values
from torch.autograd import grad, graph


def leaf(*numbers):
    return torch.tensor(list(numbers), requires_grad=True)


@program
def all_kinds_on_one_chain():
    seen = []

    def note(name):
        return lambda *given: seen.append(name)

    x = leaf(1.0)
    y = x * 2
    z = y.exp()
    z.grad_fn.register_hook(note("after exp"))
    z.grad_fn.register_prehook(note("before exp"))
    z.register_hook(note("z"))
    y.register_hook(note("y"))
    y.grad_fn.register_hook(note("after mul"))
    x.register_post_accumulate_grad_hook(note("accumulated"))
    x.register_hook(note("x"))
    z.backward()
    print(seen)


@program
def retained_gradients_between_hooks():
    x = leaf(1.0)
    y = x * 2
    y.register_hook(lambda g: g * 10)
    y.retain_grad()
    y.register_hook(lambda g: g * 10)
    y.grad_fn.register_prehook(lambda gs: (gs[0] * 10,))
    y.sum().backward()
    print(values(y.grad), values(x.grad))


@program
def hooks_that_register_hooks():
    seen = []
    x = leaf(1.0)
    y = x * 2

    def first(g):
        seen.append("first")
        x.register_hook(lambda g: seen.append("late on x"))
        y.register_hook(lambda g: seen.append("late on y"))

    y.register_hook(first)
    y.sum().backward(retain_graph=True)
    print(seen)
    y.sum().backward()
    print(seen)


@program
def a_hook_removes_another():
    seen = []
    x = leaf(1.0)
    handles = []
    x.register_hook(lambda g: handles[0].remove())
    handles.append(x.register_hook(lambda g: seen.append("second")))
    (x * 1).backward()
    (x * 1).backward()
    print(seen)


@program
def hooks_on_a_leaf_when_it_is_an_input_of_grad():
    seen = []
    x = leaf(2.0)
    x.register_hook(lambda g: seen.append("tensor"))
    x.register_post_accumulate_grad_hook(lambda p: seen.append("post"))
    x.view_as(x).grad_fn.next_functions[0][0].register_hook(lambda *a: seen.append("node"))
    grad(x * x, x)
    print(seen, x.grad)
    (x * x).backward(inputs=[x])
    print(seen)


@program
def the_same_function_registered_twice():
    seen = []
    x = leaf(1.0)

    def hook(g):
        seen.append(values(g))
        return g + 1

    first = x.register_hook(hook)
    x.register_hook(hook)
    (x * 1).backward()
    first.remove()
    (x * 1).backward()
    print(seen, values(x.grad))


@program
def hooks_change_what_the_accumulating_node_gets():
    x = leaf(1.0, 2.0)
    node = graph.get_gradient_edge(x).node
    node.register_prehook(lambda gs: (gs[0] * 3,))
    x.register_hook(lambda g: g + 1)
    (x * 1).sum().backward()
    print(values(x.grad))
    attempt("two gradients", lambda: (node.register_prehook(lambda gs: gs * 2), (x * 1).sum().backward()))


@program
def a_post_accumulate_hook_steps_and_frees():
    parameters = [leaf(1.0), leaf(2.0)]

    def step(p):
        with torch.no_grad():
            p -= 0.1 * p.grad
        p.grad = None

    for p in parameters:
        p.register_post_accumulate_grad_hook(step)
    (parameters[0] * parameters[1]).backward()
    print([values(p) for p in parameters], [p.grad for p in parameters])
    attempt("returning something", lambda: returning())


def returning():
    x = leaf(1.0)
    x.register_post_accumulate_grad_hook(lambda p: p)
    (x * 1).backward()


@program
def multi_grad_hooks_in_several_passes():
    seen = []
    x, y = leaf(1.0), leaf(2.0)
    z = x * y
    handle = graph.register_multi_grad_hook((x, y, z), lambda gs: seen.append([values(g) for g in gs]))
    z.backward(retain_graph=True)
    z.backward(retain_graph=True)
    (x * 1).backward()
    handle.remove()
    z.backward()
    print(seen)


@program
def a_multi_grad_hook_raises():
    x, y = leaf(1.0), leaf(2.0)

    def hook(gs):
        raise ValueError("from the hook")

    graph.register_multi_grad_hook((x, y), hook)
    attempt("all", lambda: (x * y).backward())
    print(x.grad is None or y.grad is None)


@program
def a_hook_on_a_result_written_later():
    seen = []
    x = leaf(3.0)
    y = x * 1
    y.register_hook(lambda g: seen.append(("before", values(g))))
    y.mul_(2)
    y.register_hook(lambda g: seen.append(("after", values(g))))
    y.mul_(5)
    y.backward()
    print(seen)


@program
def a_node_hook_differentiates_something_else():
    x = leaf(3.0)
    y = x**3

    def hook(gs, outs):
        with torch.enable_grad():
            z = x.detach().requires_grad_()
            (other,) = grad(z.pow(2), z)
        return (gs[0] * other,)

    y.grad_fn.register_hook(hook)
    y.backward()
    print(values(x.grad))
