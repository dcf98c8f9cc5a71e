"""Modules: parameters by name, modes, state, layers, and an optimiser."""

import torch
from telling import attempt, program, values
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 3)
        self.rest = nn.Sequential(nn.Tanh(), nn.Linear(3, 1))
        self.scale = nn.Parameter(torch.tensor(2.0))
        self.register_buffer("offset", torch.tensor([0.5]))
        self.register_buffer("scratch", torch.zeros(1), persistent=False)
        self.number = 5

    def forward(self, x):
        return self.rest(self.first(x)) * self.scale + self.offset


def seeded():
    torch.manual_seed(0)
    return Net()


@program
def parameters_and_their_names():
    net = seeded()
    print([(name, tuple(p.shape)) for name, p in net.named_parameters()])
    print([name for name, _ in net.named_parameters(recurse=False)], [n for n, _ in net.named_buffers()])
    print([name for name, _ in net.named_modules()], [name for name, _ in net.named_children()])
    print([type(m).__name__ for m in net.modules()], len(list(net.parameters())), len(list(net.children())))
    print(all(p.is_leaf and p.requires_grad for p in net.parameters()), net.offset.requires_grad)
    print(net.get_parameter("rest.1.bias") is net.rest[1].bias, net.get_submodule("rest.0") is net.rest[0])


@program
def first_values_follow_the_seed():
    net = seeded()
    print(values(net.first.weight), values(net.first.bias))
    print(values(net(torch.ones(2))), values(net(torch.ones(2, 2))))
    print(values(nn.Linear(20, 1, bias=False).weight), nn.Linear(2, 2, bias=False).bias)
    print(values(nn.Linear(2, 2, dtype=torch.float64).weight))


@program
def backward_through_a_module():
    net = seeded()
    net(torch.tensor([1.0, -1.0])).sum().backward()
    for name, parameter in net.named_parameters():
        print(name, values(parameter.grad))
    net.zero_grad()
    print([p.grad for p in net.parameters()])
    net(torch.ones(2)).sum().backward()
    net.zero_grad(set_to_none=False)
    print(values(net.first.bias.grad))


@program
def training_and_evaluation():
    net = seeded()
    print(net.training, net.eval() is net, net.training, net.rest[0].training, net.train().rest.training)
    attempt("a mode that is no bool", lambda: net.train("yes"))
    net.requires_grad_(False)
    print([p.requires_grad for p in net.parameters()], net(torch.ones(2)).requires_grad)


@program
def state_is_saved_and_loaded():
    net = seeded()
    state = net.state_dict()
    print(list(state), state["scale"].requires_grad, type(state["scale"]).__name__)
    other = Net()
    print(other.load_state_dict(state))
    print(values(other(torch.ones(2))) == values(net(torch.ones(2))), other.scale is net.scale)
    attempt("a missing name", lambda: other.load_state_dict({"scale": torch.tensor(1.0)}))
    print(
        len(other.load_state_dict({"scale": torch.tensor(7.0), "more": 1}, strict=False).missing_keys),
        values(other.scale),
    )
    attempt("another shape", lambda: other.load_state_dict({**state, "scale": torch.ones(2)}))
    attempt("no dictionary", lambda: other.load_state_dict([1]))
    state["scale"].fill_(100.0)
    print(values(net.scale), net.state_dict(keep_vars=True)["scale"] is net.scale)


@program
def assigning_parts():
    net = seeded()
    attempt("a plain tensor in a parameter's place", lambda: setattr(net, "scale", torch.ones(1)))
    attempt("a number in a module's place", lambda: setattr(net, "first", 5))
    attempt("None in a parameter's place", lambda: setattr(net, "scale", None))
    print([name for name, _ in net.named_parameters(recurse=False)], net.scale)
    net.extra = nn.Parameter(torch.ones(1))
    del net.first
    print([name for name, _ in net.named_parameters()])
    attempt("what is not there", lambda: net.first)
    attempt("a name with a dot", lambda: net.register_parameter("a.b", None))
    attempt("a name that is taken", lambda: net.register_buffer("number", torch.ones(1)))
    attempt("a parameter that is none", lambda: net.register_parameter("c", torch.ones(1)))

    class Late(nn.Module):
        def __init__(self):
            self.w = nn.Parameter(torch.ones(1))

    attempt("before super().__init__()", Late)
    attempt("no forward", lambda: nn.Module()(1))


@program
def shared_parameters_count_once():
    first = nn.Linear(2, 2)
    net = nn.Sequential(first, nn.ReLU(), first)
    print(len(list(net.parameters())), len(list(net.named_parameters(remove_duplicate=False))), len(net.state_dict()))
    net(torch.ones(2)).sum().backward()
    print(first.weight.grad is net[2].weight.grad)


@program
def functions_applied_to_all():
    net = seeded()

    @torch.no_grad()
    def ones(module):
        if type(module) is nn.Linear:
            module.weight.fill_(1.0)
            nn.init.zeros_(module.bias)

    print(net.apply(ones) is net, values(net(torch.ones(2))))
    print(net.double().first.weight.dtype, net.offset.dtype, net(torch.ones(2, dtype=torch.float64)).dtype)


@program
def hooks_around_forward():
    net = nn.Linear(2, 1, bias=False)
    nn.init.ones_(net.weight)
    before = net.register_forward_pre_hook(lambda module, args: (args[0] * 10,))
    after = net.register_forward_hook(lambda module, args, output: print(values(args[0]), values(output)))
    print(values(net(torch.ones(2))))
    before.remove()
    after.remove()
    print(values(net(torch.ones(2))))


@program
def layers_and_losses():
    x = torch.tensor([-1.0, 0.0, 2.0], requires_grad=True)
    for layer in (nn.ReLU(), nn.Tanh(), nn.Sigmoid(), nn.Softplus(), nn.Softplus(beta=2), nn.Identity()):
        x.grad = None
        y = layer(x)
        y.sum().backward()
        print(layer, values(y), values(x.grad))
    target = torch.tensor([0.0, 0.0, 1.0])
    print([values(nn.MSELoss(reduction=r)(x, target)) for r in ("mean", "sum", "none")])
    print(values(nn.functional.mse_loss(x, target)), values(nn.functional.relu(x)))


@program
def printed_modules():
    print(nn.Linear(2, 3))
    print(nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Sequential(nn.Linear(3, 1, bias=False))))
    print(seeded())


@program
def descending_by_sgd():
    for options in ({"lr": 0.1}, {"lr": 0.1, "momentum": 0.9}, {"lr": 0.01, "momentum": 0.9, "nesterov": True},
                    {"lr": 0.1, "weight_decay": 0.5}, {"lr": 0.1, "momentum": 0.5, "dampening": 0.5}):  # fmt: skip
        net = seeded()
        optimizer = torch.optim.SGD(net.parameters(), **options)
        for _ in range(4):
            optimizer.zero_grad()
            loss = (net(torch.tensor([1.0, 2.0])) - 3).pow(2).sum()
            loss.backward()
            optimizer.step()
        print(sorted(options), values(loss.detach()), values(net.first.bias))


@program
def an_optimiser_is_careful():
    p = nn.Parameter(torch.ones(1))
    attempt("no parameters", lambda: torch.optim.SGD([], lr=0.1))
    attempt("a negative rate", lambda: torch.optim.SGD([p], lr=-1.0))
    attempt("a tensor", lambda: torch.optim.SGD(p, lr=0.1))
    attempt("a number", lambda: torch.optim.SGD([1.0], lr=0.1))
    attempt("a non-leaf", lambda: torch.optim.SGD([p * 2], lr=0.1))
    attempt("nesterov without momentum", lambda: torch.optim.SGD([p], lr=0.1, nesterov=True))
    optimizer = torch.optim.SGD([{"params": [p]}, {"params": torch.ones(1, requires_grad=True), "lr": 1.0}], lr=0.1)
    optimizer.step()
    print(values(p), [g["lr"] for g in optimizer.param_groups], optimizer.step(lambda: 5))
