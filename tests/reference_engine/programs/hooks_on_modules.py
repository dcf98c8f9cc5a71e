"""Hooks on the backward pass of modules: what they are given, what they replace, and where they are not called."""

import torch
from telling import attempt, program, values, warned
from torch import nn


class Two(nn.Module):
    """Two inputs, two outputs."""

    def forward(self, x, y):
        return 2 * x * y, 3 * x


def shown(gradients):
    return [values(g) for g in gradients]


def telling(who):
    return lambda module, *gradients: print(who, type(module).__name__, *[shown(g) for g in gradients])


def leaf(*numbers):
    return torch.tensor(numbers, requires_grad=True)


@program
def every_input_and_output_has_a_place():
    module = Two()
    module.register_full_backward_pre_hook(telling("before"))
    module.register_full_backward_hook(telling("after"))
    x, y = leaf(2.0), leaf(5.0)
    product, multiple = module(x, y)
    (product + 10 * multiple).sum().backward()
    print(values(x.grad), values(y.grad))


@program
def what_has_no_gradient_is_none():
    module = Two()
    module.register_full_backward_hook(telling("after"))
    x = leaf(2.0)
    product, multiple = module(x, torch.tensor([5.0]))
    multiple.sum().backward(retain_graph=True)
    product.sum().backward()
    print(values(x.grad))


@program
def hooks_follow_one_another():
    module = nn.Linear(1, 1, bias=False)
    nn.init.ones_(module.weight)
    module.register_full_backward_pre_hook(lambda module, outputs: (outputs[0] + 1,))
    module.register_full_backward_pre_hook(lambda module, outputs: (outputs[0] * 10,))
    module.register_full_backward_hook(lambda module, inputs, outputs: (inputs[0] + 1,))
    removed = module.register_full_backward_hook(lambda module, inputs, outputs: (inputs[0] * 7,))
    module.register_full_backward_hook(telling("last"))
    removed.remove()
    x = leaf(3.0)
    module(x).sum().backward()
    print(values(x.grad), values(module.weight.grad))


@program
def inner_modules_are_watched_too():
    net = nn.Sequential(nn.Linear(1, 1, bias=False), nn.Tanh())
    nn.init.ones_(net[0].weight)
    for module in net.modules():
        module.register_full_backward_hook(telling("after"))
    net(leaf(0.0)).sum().backward()


@program
def a_plain_input_makes_the_outputs_decide():
    module = nn.Linear(1, 1, bias=False)
    nn.init.ones_(module.weight)
    module.register_full_backward_hook(telling("after"))
    y = module(torch.tensor([3.0])).sum()
    warned("backward", y.backward)
    print(values(module.weight.grad))


@program
def nothing_to_watch():
    module = nn.Linear(1, 1)
    module.register_full_backward_hook(telling("after"))
    with torch.no_grad():
        print(module(leaf(3.0)).requires_grad)
    module.requires_grad_(False)
    print(module(torch.tensor([3.0])).requires_grad)


@program
def a_wrong_number_is_refused():
    for wrong in ((), (torch.ones(1), torch.ones(1))):
        module = nn.Linear(1, 1)
        handle = module.register_full_backward_hook(lambda module, inputs, outputs, wrong=wrong: wrong)
        attempt("after", lambda module=module: module(leaf(3.0)).sum().backward())
        handle.remove()
        module.register_full_backward_pre_hook(lambda module, outputs, wrong=wrong: wrong)
        attempt("before", lambda module=module: module(leaf(3.0)).sum().backward())


@program
def writes_are_refused():
    module = nn.Tanh()
    module.register_full_backward_hook(telling("after"))
    x = leaf(0.0) * 1
    y = module(x)
    attempt("output", lambda: y.add_(1))
    attempt("use of the input, changed", lambda: x.add_(1) + 1)


@program
def second_derivatives_pass():
    module = Two()
    module.register_full_backward_hook(lambda module, inputs, outputs: (2 * inputs[0], inputs[1]))
    x, y = leaf(2.0), leaf(5.0)
    (first,) = torch.autograd.grad(module(x, y)[0].sum(), x, create_graph=True)
    print(values(first), shown(torch.autograd.grad(first.sum(), y)))
