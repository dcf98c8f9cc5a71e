"""Edges of the graph, given in place of tensors, and what nodes tell about themselves."""

import torch
from telling import attempt, program, values
from torch.autograd import backward, grad
from torch.autograd.graph import GradientEdge, get_gradient_edge


def leaf(*numbers):
    return torch.tensor(list(numbers), requires_grad=True)


@program
def an_edge_stands_for_its_tensor_as_an_input():
    x = leaf(2.0)
    y = x * 3
    z = (y * y).sum()
    edge = get_gradient_edge(y)
    print(edge.node is y.grad_fn, edge.output_nr, isinstance(edge, GradientEdge))
    print(values(grad(z, edge, retain_graph=True)[0]), values(grad(z, get_gradient_edge(x))[0]))


@program
def an_edge_remembers_the_value_before_a_change():
    x = leaf(2.0)
    y = x * 3
    edge = get_gradient_edge(y)
    y.mul_(10)
    z = y.sum()
    print([values(g) for g in grad(z, (edge, y))])


@program
def an_edge_as_an_output():
    x = leaf(2.0, 3.0)
    y = x * x
    edge = get_gradient_edge(y)
    print(values(grad(edge, x, grad_outputs=torch.tensor([1.0, 10.0]), retain_graph=True)[0]))
    backward(edge, torch.tensor([1.0, 1.0]))
    print(values(x.grad))


@program
def an_edge_of_one_of_several_outputs():
    x = leaf(1.0, 2.0, 3.0, 4.0)
    first, second = x.split(2)
    print(values(grad((first * second).sum(), get_gradient_edge(second))[0]))


@program
def edges_of_tensors_without_history():
    attempt("plain", lambda: get_gradient_edge(torch.ones(1)))
    print(get_gradient_edge(leaf(1.0)).node.name())
    attempt("a number", lambda: get_gradient_edge(5))


@program
def edges_among_the_inputs_of_backward():
    x = leaf(2.0)
    y = x * 3
    attempt("the leaf's edge", lambda: y.sum().backward(inputs=[get_gradient_edge(x)]))
    print(values(x.grad))


@program
def the_edge_outlives_its_tensor():
    x = leaf(2.0)
    y = x * 3
    z = (y * 5).sum()
    edge = get_gradient_edge(y)
    del y
    print(values(grad(z, edge)[0]))


@program
def names_of_nodes():
    x, m = leaf(1.0, 2.0), torch.ones(2, 2, requires_grad=True)
    results = {
        "add": x + 1, "sub": x - 1, "mul": x * 2, "div": x / 2, "neg": -x, "pow": x**2,
        "exp": x.exp(), "log": x.log(), "sum": x.sum(), "sum dim": m.sum(0),
        "mean": x.mean(), "max": x.max(), "max dim": m.max(0)[0], "matmul": m @ m, "mv": m @ x, "dot": x.dot(x),
        "t": m.t(), "view": m.view(4), "reshape": m.reshape(4), "index": m[0], "slice": x[:1], "list": x[[0]],
        "cat": torch.cat([x, x]), "stack": torch.stack([x, x]), "clone": x.clone(), "abs": x.abs(),
        "relu": x.relu(), "sigmoid": x.sigmoid(), "tanh": x.tanh(), "where": torch.where(x > 0, x, x),
        "expand": x.expand(2, 2), "squeeze": x.squeeze(), "unsqueeze": x.unsqueeze(0), "permute": m.permute(1, 0),
        "double": x.double(), "softmax": x.softmax(0), "clamp": x.clamp(0, 1), "prod": x.prod(),
        "cumsum": x.cumsum(0), "norm": x.norm(), "sqrt": x.sqrt(), "sin": x.sin(), "masked": x[x > 1],
        "flip": x.flip(0), "diagonal": m.diagonal(), "transpose": m.transpose(0, 1),
    }  # fmt: skip
    for name, result in results.items():
        print(name, result.grad_fn.name())


@program
def names_that_tell_how_an_operation_was_dispatched():
    x = leaf(1.0)
    print((1 - x).grad_fn.name(), (1 / x).grad_fn.name(), (2**x).grad_fn.name(), (x**x).grad_fn.name())


@program
def names_of_nodes_of_changes_in_place():
    x = leaf(1.0, 2.0)

    def after(change):
        y = x * 1
        change(y)
        return y.grad_fn.name()

    print(after(lambda y: y.add_(1)), after(lambda y: y.mul_(2)), after(lambda y: y.exp_()))
    print(after(lambda y: y.zero_()), after(lambda y: y.copy_(x)))
    print(after(lambda y: y.__setitem__(torch.tensor([0]), 5.0)), after(lambda y: y.masked_fill_(y > 0, 0.0)))


@program
def next_functions_mark_what_needs_nothing():
    x, c = leaf(1.0), torch.ones(1)
    for result in (x + c, c + x, x * c, torch.cat([c, x, c])):
        print([(n.name() if n is not None else None, i) for n, i in result.grad_fn.next_functions])


@program
def a_leaf_has_one_accumulating_node():
    x = leaf(1.0)
    y, z = x * 2, x * 3
    print(y.grad_fn.next_functions[0][0] is z.grad_fn.next_functions[0][0])
    print(y.grad_fn.next_functions[0][0].variable is x, y.grad_fn.next_functions[0][0].next_functions)


@program
def identity_of_nodes():
    x = leaf(1.0)
    y = x * 2
    print(y.grad_fn is y.grad_fn, (x * 2).grad_fn is y.grad_fn, y.output_nr, x.output_nr, x.grad_fn)
