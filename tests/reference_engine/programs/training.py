"""Losses, activations and optimisers, as in a small training loop."""

import torch
import torch.nn.functional as F
from telling import attempt, program, values


def data():
    x = torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.0, -0.5], [-1.0, 1.0, 0.25], [2.0, 0.5, 1.0]])
    return x, torch.tensor([0, 2, 1, 0])


@program
def a_classifier_learns_by_adam():
    x, target = data()
    weight = torch.zeros(3, 3, requires_grad=True)
    bias = torch.zeros(3, requires_grad=True)
    optimizer = torch.optim.Adam([weight, bias], lr=0.1)
    for _ in range(5):
        optimizer.zero_grad()
        loss = F.cross_entropy(x @ weight + bias, target)
        loss.backward()
        optimizer.step()
    print(values(loss), values(weight), values(bias), weight.is_leaf)


@program
def adam_with_decay_and_groups():
    a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    groups = [{"params": a}, {"params": [b], "lr": 1.0, "weight_decay": 0.1}]
    optimizer = torch.optim.Adam(groups, lr=0.5, betas=(0.5, 0.9))
    for _ in range(3):
        optimizer.zero_grad()
        ((a * b) ** 2).sum().backward()
        optimizer.step()
    print(values(a), values(b))
    attempt("rate", lambda: torch.optim.Adam([a], lr=-1.0))
    attempt("betas", lambda: torch.optim.Adam([a], betas=(1.0, 0.9)))
    attempt("a non-leaf", lambda: torch.optim.Adam([a * 2]))


@program
def weights_of_classes_and_targets_to_ignore():
    x, target = data()
    for options in (
        {"weight": torch.tensor([1.0, 2.0, 0.5])},
        {"ignore_index": 2},
        {"reduction": "sum"},
        {"reduction": "none"},
    ):
        z = x.clone().requires_grad_()
        F.cross_entropy(z, target, **options).sum().backward()
        print(*options, values(z.grad))
    attempt("a class too many", lambda: F.cross_entropy(x, torch.tensor([0, 1, 2, 3])))
    attempt("no such reduction", lambda: F.mse_loss(x, x, reduction="median"))


@program
def kinks_of_activations():
    for name in ("relu", "leaky_relu", "elu", "hardtanh", "relu6", "softsign", "silu", "gelu"):
        x = torch.tensor([-1.0, 0.0, 1.0, 6.0], requires_grad=True)
        getattr(F, name)(x).sum().backward()
        print(name, values(x.grad))


@program
def layers_in_a_row():
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.GELU(), torch.nn.Dropout(0.5), torch.nn.Linear(4, 3))
    model.eval()
    x, target = data()
    loss = torch.nn.CrossEntropyLoss()(model(x), target)
    loss.backward()
    print(values(loss), [values(p.grad.norm()) for p in model.parameters()])


@program
def an_embedding_adds_up_what_is_looked_up_twice():
    table = torch.arange(6.0).reshape(3, 2).requires_grad_()
    F.embedding(torch.tensor([0, 2, 2]), table).pow(2).sum().backward()
    print(values(table.grad))
    print(values(F.one_hot(torch.tensor([0, 2]))))


@program
def a_layer_norm_looks_at_whole_rows():
    x = torch.tensor([[1.0, 2.0, 4.0]], requires_grad=True)
    weight = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    out = F.layer_norm(x, (3,), weight)
    (out * torch.tensor([1.0, 0.0, 2.0])).sum().backward()
    print(values(out), values(x.grad), values(weight.grad))
    attempt("another size", lambda: F.layer_norm(x, (2,)))


@program
def dropout_keeps_the_mean():
    torch.manual_seed(1)
    x = torch.ones(1000, requires_grad=True)
    out = F.dropout(x, 0.25)
    out.sum().backward()
    print(sorted(set(values(x.grad))), 0.9 < float(out.mean().detach()) < 1.1)
    print(F.dropout(x, 0.25, training=False).detach().eq(x.detach()).all().item())
    attempt("no probability", lambda: F.dropout(x, 1.5))
