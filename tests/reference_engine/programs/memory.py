"""Memory named twice, looked at in other steps, or laid out in another order; shapes changed in place."""

import torch
from telling import attempt, program, values


def leaf(*numbers):
    return torch.tensor(list(numbers), requires_grad=True)


def grid():
    return torch.arange(6.0).reshape(2, 3).requires_grad_()


@program
def windows_add_up():
    x = leaf(1.0, 2.0, 3.0, 4.0)
    windows = x.unfold(0, 2, 1)
    (windows * torch.tensor([1.0, 10.0])).sum().backward()
    print(values(windows), values(x.grad))


@program
def steps_through_memory():
    x = grid()
    looked = torch.as_strided(x, (2, 2), (1, 2), 1)
    looked.pow(2).sum().backward()
    print(values(looked), values(x.grad), looked._base is x)


@program
def steps_that_leave_the_memory():
    attempt("too far", lambda: torch.as_strided(torch.ones(3), (2, 2), (2, 2)))
    attempt("as many steps as sizes", lambda: torch.as_strided(torch.ones(3), (2,), (1, 1)))
    attempt("negative", lambda: torch.as_strided(torch.ones(3), (2,), (-1,)))


@program
def what_a_view_looks_at_beyond_itself_gets_nothing():
    x = leaf(1.0, 2.0, 3.0)
    part = x[:2]
    wide = part.as_strided((3,), (1,))
    print(values(wide))
    wide.sum().backward()
    print(values(x.grad))


@program
def expanded_memory_is_not_written():
    wide = torch.zeros(1, 2).expand(3, 2)
    attempt("add_", lambda: wide.add_(1))
    attempt("mul_ by itself", lambda: wide.mul_(wide * 1))
    attempt("copy_", lambda: wide.copy_(torch.ones(2)))
    attempt("a row by rows", lambda: wide.__setitem__(slice(0, 2), torch.ones(2, 2)))
    attempt("cumsum_", lambda: wide.cumsum_(0))
    attempt("scatter_", lambda: wide.scatter_(0, torch.tensor([[0, 0]]), 1.0))
    attempt("fill_", lambda: wide.fill_(2.0))
    attempt("zero_", lambda: wide.zero_())
    attempt("one number", lambda: wide.__setitem__(0, 5.0))
    print(values(wide))
    attempt("not really expanded", lambda: torch.zeros(3, 2).expand(3, 2).add_(1))


@program
def operands_that_overlap_the_target():
    x = torch.arange(4.0)
    attempt("shifted", lambda: x[1:].add_(x[:-1]))
    attempt("shifted copy", lambda: x[1:].copy_(x[:-1]))
    attempt("one element", lambda: x.mul_(x[0]))
    attempt("itself", lambda: x.mul_(x))
    attempt("its twin", lambda: x.mul_(x.detach()))
    attempt("its transpose", lambda: x.view(2, 2).add_(x.view(2, 2).t()))
    attempt("one element by index", lambda: x.__setitem__(0, x[1]))
    attempt("interleaved", lambda: x[::2].add_(x[1::2]))
    print(values(x))


@program
def a_transpose_in_place():
    x = grid()
    y = x * 1
    y.t_()
    print(tuple(y.shape), y._version, y.requires_grad)
    (y * torch.arange(6.0).reshape(3, 2)).sum().backward()
    print(values(x.grad))


@program
def dimensions_in_place():
    x = leaf(1.0, 2.0)
    y = (x * 3).unsqueeze_(0).unsqueeze_(-1)
    print(tuple(y.shape))
    y.squeeze_(0).squeeze_()
    print(tuple(y.shape))
    y[0].backward()
    print(values(x.grad))


@program
def a_view_turned_in_place():
    x = grid()
    y = x * 1
    v = y[:, :2]
    v.transpose_(0, 1)
    v.mul_(torch.tensor([[1.0, 10.0], [100.0, 1000.0]]))
    y.sum().backward()
    print(values(y), values(x.grad))


@program
def shapes_of_leaves_and_of_what_others_see():
    x = grid()
    attempt("a leaf", lambda: x.t_())
    with torch.no_grad():
        x.unsqueeze_(0)
    print(tuple(x.shape), x.is_leaf, x.requires_grad)
    twin = x.detach()
    twin.squeeze_(0)
    print(tuple(twin.shape), tuple(x.shape))


@program
def a_saved_value_whose_shape_changed():
    x = grid()
    y = x * 1
    z = y * y
    y.t_()
    attempt("backward", lambda: z.sum().backward())


@program
def a_first_gradient_lies_as_its_leaf_does():
    x = torch.ones(2, 3).t().requires_grad_()
    (x * 2).sum().backward()
    print(x.stride(), x.grad.stride())
    gaps = torch.ones(4, 2)[::2].detach().requires_grad_()
    (gaps * 2).sum().backward()
    print(gaps.stride(), gaps.grad.stride())


@program
def first_gradients_are_not_shared():
    x, y = leaf(1.0, 2.0), leaf(3.0, 4.0)
    (x + y).sum().backward()
    x.grad.add_(5)
    print(values(x.grad), values(y.grad))


@program
def copies_with_a_part_replaced():
    x, row = grid(), leaf(7.0, 8.0, 9.0)
    out = torch.select_scatter(x, row, 0, 1) * torch.arange(6.0).reshape(2, 3)
    out.sum().backward()
    print(values(x.grad), values(row.grad))
    out = torch.diagonal_scatter(x, torch.zeros(2)) + torch.slice_scatter(x, torch.ones(2, 1), 1, 1, 2)
    print(values(torch.autograd.grad(out.sum(), x)[0]))


@program
def a_rebuilt_view_of_repeated_memory():
    x = leaf(1.0, 2.0)
    y = x * 1
    wide = y.expand(3, 2)
    y.mul_(2)
    wide.sum().backward()
    print(values(x.grad))


@program
def a_rebuilt_view_of_windows():
    x = leaf(1.0, 2.0, 3.0)
    y = x * 1
    windows = y.unfold(0, 2, 1)
    y.mul_(torch.tensor([1.0, 10.0, 100.0]))
    windows.sum().backward()
    print(values(x.grad))
