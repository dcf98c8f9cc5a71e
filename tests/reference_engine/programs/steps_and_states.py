"""Optimisers, states of modules and of optimisers, copies and pickles, names of parameters."""

import copy
import pickle

import torch
from telling import attempt, program, values
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 2)
        self.scale = nn.Parameter(torch.tensor([2.0]))
        self.register_buffer("count", torch.zeros(1))
        self.register_buffer("hidden", torch.ones(1), persistent=False)
        self.register_parameter("missing", None)

    def forward(self, x):
        self.count += 1
        return self.first(x).tanh() * self.scale


def filled():
    net = Net()
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.arange(float(p.numel())).reshape(p.shape) / 4 + i)
    return net


@program
def names_of_everything():
    net = nn.Sequential(Net(), nn.ReLU(), nn.Sequential(nn.Linear(2, 1)))
    print([n for n, _ in net.named_parameters()])
    print([n for n, _ in net.named_buffers()], list(net.state_dict()))
    print([n for n, _ in net.named_modules()], [n for n, _ in net.named_children()])
    print([n for n, _ in net[0].named_parameters(prefix="net", recurse=False)])
    print(net.get_parameter("0.first.weight").shape == (2, 2), len(list(net.modules())))


@program
def a_state_is_loaded():
    net, other = filled(), Net()
    print(other.load_state_dict(net.state_dict()))
    print([values(p) for p in other.parameters()])
    state = net.state_dict()
    print(state["scale"].requires_grad, state["scale"].data_ptr() == net.scale.data_ptr())
    del state["count"]
    state["extra"] = torch.ones(1)
    attempt("strictly", lambda: other.load_state_dict(state))
    found = other.load_state_dict(state, strict=False)
    print(found.missing_keys, found.unexpected_keys)
    attempt("of another shape", lambda: other.load_state_dict({**net.state_dict(), "scale": torch.ones(3)}))


@program
def a_module_is_copied_deeply():
    net = filled()
    net(torch.ones(1, 2)).sum().backward()
    twin = copy.deepcopy(net)
    print(values(twin.scale.grad), twin.scale.grad is net.scale.grad, twin.scale.data_ptr() == net.scale.data_ptr())
    with torch.no_grad():
        twin.scale.mul_(10)
    print(values(net.scale), values(twin.scale), type(twin.scale).__name__, twin.scale.is_leaf)


@program
def tensors_are_copied_deeply():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    x.grad = torch.ones(2)
    y = copy.deepcopy(x)
    print(y.requires_grad, values(y.grad), y.grad is x.grad)
    attempt("a result", lambda: copy.deepcopy(x * 2))
    a, b = copy.deepcopy([x, x])
    print(a is b)
    print(values(copy.deepcopy((x * 2).detach())))


@program
def tensors_are_pickled():
    x = torch.tensor([[1.0, 2.0]], requires_grad=True)
    y = pickle.loads(pickle.dumps(x))
    print(values(y), y.requires_grad, y.is_leaf, type(y).__name__)
    p = pickle.loads(pickle.dumps(nn.Parameter(torch.ones(2), requires_grad=False)))
    print(type(p).__name__, p.requires_grad)
    base = torch.arange(4.0)
    a, b = pickle.loads(pickle.dumps((base, base[1:])))
    a[1] = 9.0
    print(values(b))


@program
def momentum_decay_and_nesterov():
    for options in (
        {"momentum": 0.9},
        {"momentum": 0.9, "nesterov": True},
        {"weight_decay": 0.1, "dampening": 0.5, "momentum": 0.5},
        {"maximize": True},
    ):
        p = nn.Parameter(torch.tensor([1.0, -2.0]))
        optimiser = torch.optim.SGD([p], lr=0.1, **options)
        for _ in range(3):
            optimiser.zero_grad()
            (p**2).sum().backward()
            optimiser.step()
        print(sorted(options), values(p))


@program
def groups_and_states_of_an_optimiser():
    p, q = nn.Parameter(torch.ones(1)), nn.Parameter(torch.ones(1))
    optimiser = torch.optim.SGD([{"params": [p]}, {"params": [q], "lr": 1.0}], lr=0.1, momentum=0.9)
    (p * 2 + q * 3).sum().backward()
    optimiser.step()
    print(values(p), values(q), [g["lr"] for g in optimiser.param_groups])
    state = optimiser.state_dict()
    print(sorted(state), [g["params"] for g in state["param_groups"]])
    other = torch.optim.SGD([{"params": [p]}, {"params": [q]}], lr=5.0)
    other.load_state_dict(state)
    other.step()
    print(values(p), values(q))


@program
def adam_step_by_step():
    p = nn.Parameter(torch.tensor([1.0, -2.0]))
    optimiser = torch.optim.Adam([p], lr=0.1, betas=(0.8, 0.9))
    for _ in range(3):
        optimiser.zero_grad()
        (p**3).sum().backward()
        optimiser.step()
        print(values(p))
    print(sorted(optimiser.state[p]), p.grad is not None)
    optimiser.zero_grad(set_to_none=False)
    print(values(p.grad))


@program
def weights_that_shrink_by_themselves():
    p = nn.Parameter(torch.tensor([1.0, -2.0]))
    optimiser = torch.optim.AdamW([p], lr=0.1, weight_decay=0.5)
    for _ in range(2):
        optimiser.zero_grad()
        (p**2).sum().backward()
        optimiser.step()
    print(values(p), optimiser.defaults["weight_decay"], torch.optim.AdamW([p]).defaults["weight_decay"])


@program
def an_optimiser_of_ones_own():
    class Signs(torch.optim.Optimizer):
        def __init__(self, params, lr):
            super().__init__(params, {"lr": lr})

        @torch.no_grad()
        def step(self):
            for group in self.param_groups:
                for p in group["params"]:
                    p.sub_(p.grad.sign(), alpha=group["lr"])
                    self.state[p]["steps"] = self.state[p].get("steps", 0) + 1

    p, q = nn.Parameter(torch.tensor([1.0])), nn.Parameter(torch.tensor([1.0]))
    optimiser = Signs([p], 0.5)
    optimiser.add_param_group({"params": q, "lr": 0.25})
    (p - q).sum().backward()
    optimiser.step()
    print(values(p), values(q), optimiser.state_dict()["state"])
    attempt("other groups", lambda: Signs([p], 0.5).load_state_dict(optimiser.state_dict()))
    attempt("a parameter again", lambda: optimiser.add_param_group({"params": [p]}))


@program
def a_closure():
    p = nn.Parameter(torch.tensor([1.0]))
    optimiser = torch.optim.SGD([p], lr=0.1)

    def closure():
        optimiser.zero_grad()
        loss = (p**2).sum()
        loss.backward()
        return loss

    print(values(optimiser.step(closure)), values(p))


@program
def what_an_optimiser_refuses():
    p = nn.Parameter(torch.ones(1))
    attempt("nothing", lambda: torch.optim.SGD([], lr=0.1))
    attempt("a tensor", lambda: torch.optim.SGD(p, lr=0.1))
    attempt("a result", lambda: torch.optim.SGD([p * 2], lr=0.1))
    attempt("a number", lambda: torch.optim.SGD([1.0], lr=0.1))
    attempt("a negative rate", lambda: torch.optim.SGD([p], lr=-1.0))
    attempt("twice in groups", lambda: torch.optim.SGD([{"params": [p]}, {"params": [p]}], lr=0.1))
    attempt("no gradient", lambda: torch.optim.SGD([p], lr=0.1).step())


@program
def frozen_parts():
    net = filled()
    net.first.requires_grad_(False)
    net(torch.ones(1, 2)).sum().backward()
    print({n: p.grad is None for n, p in net.named_parameters()})
    net.zero_grad()
    print(net.scale.grad, values(net.count), values(net.hidden))


@program
def types_of_a_module():
    net = filled().double()
    print({str(p.dtype) for p in net.parameters()}, net.count.dtype == torch.float64)
    print(net(torch.ones(1, 2, dtype=torch.float64)).dtype == torch.float64)
    attempt("another type", lambda: net(torch.ones(1, 2)))
    print(net.float().scale.dtype == torch.float32, net.scale.is_leaf)
