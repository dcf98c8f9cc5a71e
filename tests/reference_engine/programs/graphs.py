"""Graphs: kept and freed, partial, with several roots, branches and disconnected parts."""

import torch
from telling import attempt, program, values
from torch.autograd import backward, grad


def leaf(*numbers):
    return torch.tensor(list(numbers), requires_grad=True)


@program
def a_graph_is_freed_unless_retained():
    x = leaf(2.0)
    y = (x * x).sum()
    y.backward(retain_graph=True)
    y.backward()
    attempt("third", y.backward)
    print(values(x.grad))


@program
def a_freed_part_of_two_graphs():
    x = leaf(2.0)
    shared = x.exp()
    first, second = shared.sum(), (shared * shared).sum()
    first.backward()
    attempt("the other graph through the freed part", second.backward)
    print(values(x.grad))


@program
def a_graph_that_saved_nothing_may_be_walked_again():
    x = leaf(1.0, 2.0)
    y = (x + x).sum() - 1
    y.backward()
    y.backward()
    print(values(x.grad))


@program
def create_graph_retains():
    x = leaf(2.0)
    y = (x**3).sum()
    (first,) = grad(y, x, create_graph=True)
    (again,) = grad(y, x)
    attempt("after the freeing call", lambda: grad(y, x))
    print(values(first), values(again))


@program
def retain_graph_false_with_create_graph():
    x = leaf(2.0)
    y = (x**3).sum()
    (first,) = grad(y, x, create_graph=True, retain_graph=False)
    print(values(first))
    attempt("second order through the freed graph", first.sum().backward)


@program
def backward_to_given_inputs_only():
    x, y = leaf(2.0), leaf(3.0)
    z = x * y
    w = (z * z).sum()
    w.backward(inputs=[x], retain_graph=True)
    print(values(x.grad), y.grad)
    w.backward(inputs=[y, z])
    print(values(x.grad), values(y.grad), values(z.grad), z.retains_grad)
    attempt("none", lambda: (x * y).sum().backward(inputs=[]))
    attempt("a plain tensor", lambda: (x * y).sum().backward(inputs=[torch.ones(1)]))
    attempt("one tensor without a list", lambda: (x * 2).sum().backward(inputs=x))
    attempt("a number", lambda: (x * 2).sum().backward(inputs=[1]))
    attempt("an unrelated leaf", lambda: (x * 2).sum().backward(inputs=[y]))
    print(values(x.grad), values(y.grad))


@program
def inputs_that_depend_on_one_another():
    x = leaf(2.0)
    y = x * 3
    z = y * y
    print([values(g) for g in grad(z.sum(), (x, y, z, y))])


@program
def the_same_input_twice():
    x = leaf(2.0)
    print([values(g) for g in grad((x * x).sum(), (x, x))])
    (x * x).sum().backward(inputs=[x, x])
    print(values(x.grad))


@program
def the_output_itself_as_an_input():
    x = leaf(2.0)
    y = x * 3
    print(values(grad(y, y)[0]), values(grad(x, x)[0]))
    x.backward()
    print(values(x.grad))


@program
def unused_inputs():
    x, y = leaf(1.0), leaf(2.0, 3.0)
    attempt("refused", lambda: grad((x * 2).sum(), (x, y)))
    print(grad((x * 2).sum(), (x, y), allow_unused=True)[1])
    print(values(grad((x * 2).sum(), (x, y), materialize_grads=True)[1]))
    attempt("both", lambda: grad((x * 2).sum(), (x, y), allow_unused=False, materialize_grads=True))
    attempt("plain input", lambda: grad((x * 2).sum(), torch.ones(1)))
    attempt("no inputs", lambda: grad((x * 2).sum(), []))


@program
def a_branch_that_is_used_only_later():
    x = leaf(2.0)
    y = x * 1
    z = y * 5
    attempt("an input made after the output", lambda: grad(y.sum(), z))


@program
def several_roots():
    x = leaf(2.0)
    a, b = x * 2, x * x
    backward([a, b], [torch.tensor([1.0]), torch.tensor([10.0])], retain_graph=True)
    print(values(x.grad))
    backward([a, b])
    print(values(x.grad))
    print([values(g) for g in grad((x * 2, x * 3), x, (torch.ones(1), torch.tensor([10.0])))])
    attempt("too few gradients", lambda: backward([x * 2, x * 3], [torch.ones(1)]))


@program
def the_same_root_twice_and_roots_within_one_another():
    x = leaf(2.0)
    y = x * x
    z = y * 3
    backward([y, y, z], retain_graph=True)
    print(values(x.grad))
    print(values(grad([z, y], x)[0]))


@program
def roots_of_which_some_need_nothing():
    x = leaf(2.0)
    attempt("a plain root among others", lambda: backward([x * 2, torch.ones(1)]))
    attempt("with a gradient for it", lambda: backward([x * 2, torch.ones(1)], [torch.ones(1), torch.ones(1)]))
    attempt("with None for it", lambda: backward([x * 2, torch.ones(1)], [torch.ones(1), None]))
    attempt("only plain ones", lambda: backward([torch.ones(1)]))
    print(values(x.grad))


@program
def diamonds():
    x = leaf(1.0)
    y = x
    for _ in range(30):
        y = y + y
    y.sum().backward()
    print(values(x.grad))
    x.grad = None
    a = x * 2
    b, c = a.sin(), a.cos()
    (b * b + c * c).sum().backward()
    print(values(x.grad))


@program
def order_of_execution_is_latest_first():
    x = leaf(1.0)
    order = []
    a = x * 1
    a.register_hook(lambda g: order.append("a"))
    b = a * 2
    b.register_hook(lambda g: order.append("b"))
    c = a * 3
    c.register_hook(lambda g: order.append("c"))
    (c + b).sum().backward()
    print(order)


@program
def gradients_given_to_backward():
    x = leaf(1.0, 2.0)
    y = x * x
    attempt("a vector without gradient", y.backward)
    attempt("another shape", lambda: y.backward(torch.ones(3)))
    attempt("a number", lambda: y.backward(1.0))
    attempt("a list", lambda: y.backward([1.0, 1.0]))
    attempt("an integer tensor", lambda: (x * x).backward(torch.ones(2, dtype=torch.int64)))
    attempt("a double one", lambda: (x * x).backward(torch.ones(2, dtype=torch.float64)))
    attempt("a complex one", lambda: (x * x).backward(torch.ones(2, dtype=torch.complex64)))
    print(values(x.grad), x.grad.dtype)


@program
def gradients_given_that_require_grad():
    x, v = leaf(1.0, 2.0), leaf(3.0, 4.0)
    (g,) = grad(x * x, x, v, create_graph=True)
    (g * g).sum().backward()
    print(values(x.grad), values(v.grad))


@program
def batched_gradients():
    x = leaf(1.0, 2.0, 3.0)
    y = x * x
    (jacobian,) = grad(y, x, torch.eye(3), is_grads_batched=True, retain_graph=True)
    print(values(jacobian))
    attempt("without a batch", lambda: grad(y, x, torch.ones(3), is_grads_batched=True))
    attempt("after freeing", lambda: (grad(y, x, torch.eye(3), is_grads_batched=True), y.sum().backward()))


@program
def deprecated_arguments():
    from telling import warned

    x = leaf(1.0)
    warned("grad_variables", lambda: backward(x * 2, grad_variables=torch.ones(1)))
    warned("only_inputs=False", lambda: grad((x * 2).sum(), x, only_inputs=False))
    attempt("both names", lambda: backward(x * 2, torch.ones(1), grad_variables=torch.ones(1)))
    print(values(x.grad))


@program
def nodes_name_their_inputs():
    x, w = leaf(1.0), torch.ones(1)
    y = (x * w + 2).exp().sum()
    node = y.grad_fn
    while node is not None:
        print(node.name(), [(n.name() if n else None, i) for n, i in node.next_functions])
        node = node.next_functions[0][0] if node.next_functions else None
    print(y.grad_fn.next_functions[0][0].next_functions[0][0] is not None, x.grad_fn)


@program
def a_loop_that_never_detaches():
    x = leaf(0.5)
    state = torch.zeros(1)
    for _ in range(4):
        state = state * x + x
    state.sum().backward()
    print(values(x.grad))


@program
def truncated_backpropagation():
    x = leaf(0.5)
    state = torch.zeros(1)
    for _ in range(4):
        state = (state.detach() * x + x).tanh()
    state.sum().backward()
    print(values(x.grad))
