"""Other names for arguments, results put into given tensors, and what was saved and what was not."""

import torch
from telling import attempt, program, values


def grid():
    return torch.arange(6.0).reshape(2, 3).requires_grad_()


@program
def numpy_names():
    x = grid()
    print(values(x.sum(axis=0)), values(torch.mean(x, axis=1, keepdims=True)), values(x.amax(axis=1)))
    print(values(torch.cat([x, x], axis=1)), values(x.softmax(axis=0).sum()), values(x.std(axis=0, keepdims=True)))
    print(values(x.max(axis=1).values), tuple(torch.stack([x, x], axis=2).shape))
    attempt("both names", lambda: x.sum(axis=0, dim=0))
    attempt("no such name", lambda: x.sum(axes=0))


@program
def arguments_by_name():
    x = grid()
    print(values(torch.pow(x, exponent=2)), values(torch.sub(input=x, other=x)))
    print(tuple(torch.permute(input=x, dims=(1, 0)).shape), tuple(x.reshape(shape=(3, 2)).shape))
    print(tuple(x.expand(size=(4, 2, 3)).shape), tuple(x.repeat(repeats=(2, 1)).shape))


@program
def a_result_put_somewhere():
    x, out = torch.arange(3.0), torch.empty(3)
    same = torch.exp(x, out=out)
    print(same is out, values(out), out._version)
    torch.add(x, 1, out=out)
    print(values(out), out._version)


@program
def nothing_recorded_can_be_put_somewhere():
    x = grid()
    attempt("of a leaf", lambda: torch.exp(x, out=torch.empty(2, 3)))
    attempt("into a leaf", lambda: torch.exp(x.detach(), out=torch.empty(2, 3, requires_grad=True)))
    with torch.no_grad():
        attempt("unrecorded", lambda: torch.exp(x, out=torch.empty(2, 3)))


@program
def results_that_may_be_changed():
    for name, function in (
        ("quotient", lambda x: x / (x + 2)),
        ("number by tensor", lambda x: (3 / (x + 1)) * 1),
        ("product", lambda x: x * (x + 1)),
        ("sine", torch.sin),
        ("exponential", torch.exp),
        ("root", lambda x: (x + 1).sqrt()),
        ("sign", torch.sign),
        ("sinc", torch.sinc),
        ("mean", lambda x: x.mean(0)),
        ("lerp", lambda x: x.lerp(x * 2, 0.5)),
    ):
        x = grid()
        result = function(x)
        result.zero_()
        attempt(name, lambda result=result: result.sum().backward())


@program
def graphs_that_saved_nothing():
    for name, function in (
        ("sum", lambda x: x.sum()),
        ("transpose", lambda x: x.t()),
        ("lerp by a number", lambda x: x.lerp(x, 0.5)),
        ("index", lambda x: x[torch.tensor([0, 1])]),
        ("gather", lambda x: x.gather(0, torch.tensor([[0, 1, 0]]))),
        ("sort", lambda x: x.sort(0).values),
        ("mask", lambda x: x.masked_fill(x > 1, 0)),
        ("floor", torch.floor),
        ("add at an index", lambda x: x.index_add(0, torch.tensor([0]), torch.ones(1, 3))),
        ("repeated", lambda x: x.repeat_interleave(2)),
    ):
        out = function(grid()).sum()
        out.backward()
        attempt(name, out.backward)


@program
def free_phases():
    z = torch.tensor([[1 + 1j, 2 - 1j], [0.5j, 3]], dtype=torch.complex128, requires_grad=True)
    u, _, vh = torch.linalg.svd(z)
    attempt("left vectors", lambda: u.real.sum().backward(retain_graph=True))
    attempt("right vectors", lambda: vh.imag.sum().backward(retain_graph=True))
    attempt("absolute values", lambda: u.abs().sum().backward(retain_graph=True))
    attempt("together", lambda: (u @ vh).real.sum().backward())
    attempt("eigenvectors", lambda: torch.linalg.eigh(z + z.mH)[1].real.sum().backward())
    attempt("their sizes", lambda: torch.linalg.eigh(z + z.mH)[1].abs().sum().backward())


@program
def a_pseudo_inverse_of_lower_rank():
    x = torch.tensor([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]], dtype=torch.float64, requires_grad=True)
    inverse = torch.linalg.pinv(x)
    (inverse * torch.arange(6.0).reshape(2, 3)).sum().backward()
    print(values(inverse), values(x.grad))


@program
def quantiles_and_ties():
    x = torch.tensor([3.0, 1.0, 2.0, 2.0], requires_grad=True)
    for q in (0.0, 0.5, 0.8, 1.0):
        print(q, values(x.quantile(q)), values(torch.autograd.grad(x.quantile(q), x)[0]))
    attempt("beyond one", lambda: x.quantile(1.5))


@program
def reductions_by_index():
    for name in ("sum", "prod", "mean", "amax", "amin"):
        x = torch.tensor([2.0, 3.0, 4.0], requires_grad=True)
        src = torch.tensor([2.0, 5.0, 5.0], requires_grad=True)
        out = x.scatter_reduce(0, torch.tensor([0, 1, 1]), src, name)
        out.sum().backward()
        print(name, values(out), values(x.grad), values(src.grad))
    attempt("no such reduction", lambda: x.scatter_reduce(0, torch.tensor([0]), src, "middle"))


@program
def gamma_and_its_kin():
    x = torch.tensor([0.5, 1.5, 4.0], dtype=torch.float64, requires_grad=True)
    for function in (torch.lgamma, torch.digamma, lambda v: torch.erfinv(v / 8), lambda v: v.logcumsumexp(0)):
        first = torch.autograd.grad(function(x).sum(), x, create_graph=True)[0]
        print(values(function(x)), values(first), values(torch.autograd.grad(first.sum(), x)[0]))


@program
def windows_of_a_signal_as_a_convolution():
    signal = torch.tensor([1.0, 2.0, 0.0, -1.0], requires_grad=True)
    kernel = torch.tensor([1.0, 0.5], requires_grad=True)
    (signal.unfold(0, 2, 1) @ kernel).pow(2).sum().backward()
    print(values(signal.grad), values(kernel.grad))


@program
def what_cannot_be_made():
    attempt("negative sizes", lambda: torch.zeros(2, -1))
    attempt("a range the other way", lambda: torch.arange(3, 0))
    attempt("a range of no steps", lambda: torch.arange(0, 3, 0))
    attempt("a list for an array", lambda: torch.from_numpy([1.0]))
    print(values(torch.arange(3, 0, -1)), values(torch.arange(2, 2)), values(torch.zeros(0)))
