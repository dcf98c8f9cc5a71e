"""Copies, pickles and printed forms of tensors and parameters."""

import copy
import pickle

import torch
from telling import attempt, program, values
from torch.nn import Parameter


def leaf(*numbers):
    return torch.tensor(list(numbers), requires_grad=True)


@program
def deep_copies_of_leaves():
    x = leaf(1.0, 2.0)
    (x * 3).sum().backward()
    twin = copy.deepcopy(x)
    print(values(twin), twin.requires_grad, twin.is_leaf, values(twin.grad), twin.grad is x.grad)
    twin.data.zero_()
    print(values(x))
    attempt("of a result", lambda: copy.deepcopy(x * 2))
    attempt("of a detached result", lambda: copy.deepcopy((x * 2).detach()))


@program
def a_deep_copy_keeps_what_is_shared():
    x = leaf(1.0)
    first, second, third = copy.deepcopy([x, x, torch.ones(1)])
    print(first is second, first is x, third.requires_grad)


@program
def hooks_are_not_copied():
    x = leaf(1.0)
    x.register_hook(lambda g: g * 100)
    twin = copy.deepcopy(x)
    (twin * 2).sum().backward()
    print(values(twin.grad))


@program
def shallow_copies_share_memory():
    x = torch.ones(2)
    twin = copy.copy(x)
    twin[0] = 5.0
    print(values(x))


@program
def pickles():
    x = leaf(1.0, 2.0)
    twin = pickle.loads(pickle.dumps(x))
    print(values(twin), twin.requires_grad, twin.dtype, twin.grad)
    plain = pickle.loads(pickle.dumps(torch.arange(6).reshape(2, 3)))
    print(values(plain), plain.dtype, plain.requires_grad)
    parameter = pickle.loads(pickle.dumps(Parameter(torch.ones(1))))
    print(type(parameter).__name__, values(parameter), parameter.requires_grad)


@program
def parameters_copy_as_parameters():
    p = Parameter(torch.tensor([1.0, 2.0]))
    twin = copy.deepcopy(p)
    print(type(twin).__name__, twin.requires_grad, twin is p, values(twin))
    print(isinstance(p, torch.Tensor), isinstance(p * 2, Parameter), type(p.data).__name__, p.is_leaf)
    attempt("of integers", lambda: Parameter(torch.tensor([1])))
    print(Parameter(torch.tensor([1]), requires_grad=False).requires_grad)
    source = torch.ones(2)
    shared = Parameter(source)
    with torch.no_grad():
        shared.mul_(3)
    print(values(source), source.requires_grad)
    result = leaf(1.0) * 2
    print(Parameter(result).is_leaf, Parameter(result).grad_fn)


@program
def printed_tensors():
    for tensor in (
        torch.tensor([1.0, 2.5]), torch.tensor([1, 2]), torch.tensor(3.0), torch.tensor([True, False]),
        torch.tensor([]), torch.ones(2, 2), torch.tensor([1e-5, 1.0]), torch.tensor([1e10, 1.0]),
        torch.tensor([float("nan"), float("inf"), -1.0]), torch.tensor([1.0, 2.0], dtype=torch.float64),
        torch.tensor([1 + 2j, 3.5 - 1j]), torch.zeros(0, 3), torch.tensor([[1.5], [-2.25]]), torch.tensor(7),
        torch.tensor([1, 2], dtype=torch.int32), torch.tensor([0.1234567]), torch.tensor([100000.0, 1.0]),
    ):  # fmt: skip
        print(tensor)


@program
def printed_histories():
    x = leaf(1.0, 2.0)
    print(x)
    print(x * 2)
    print((x * 2).sum())
    print(x[0])
    print(x.detach())
    y = x * 1
    y[0] = 5.0
    print(y)
    print(Parameter(torch.tensor([1.0, 2.0])))
    print(Parameter(torch.tensor([1.0]), requires_grad=False))
    print(torch.tensor([1.0], dtype=torch.float64, requires_grad=True))
    print(f"{x[0]:.2f}" if not x.requires_grad else f"{x[0].item():.2f}", str(x.shape), x.dtype)


@program
def conversions():
    x = leaf(1.5)
    attempt("numpy of a leaf", x.numpy)
    print(x.detach().numpy(), float(x), int(x), bool(x), x.item(), x.tolist())
    attempt("item of many", lambda: torch.ones(2).item())
    attempt("bool of many", lambda: bool(torch.ones(2)))
    attempt("float of many", lambda: float(torch.ones(2)))
    attempt("index of a float", lambda: [1, 2][torch.tensor(1.0)])
    print([1, 2][torch.tensor(1)], len(torch.ones(3)), [values(v) for v in torch.arange(2)])
    attempt("len of a scalar", lambda: len(torch.tensor(1.0)))
    attempt("iteration over a scalar", lambda: list(torch.tensor(1.0)))
    array = torch.ones(2).numpy()
    shared = torch.from_numpy(array)
    array[0] = 9.0
    print(values(shared), torch.Size([2, 3]).numel(), x.shape == (1,), hash(x) == hash(x))
    print(x in [x], torch.equal(torch.ones(2), torch.ones(2)), torch.is_tensor(x), (x == x).dtype)
