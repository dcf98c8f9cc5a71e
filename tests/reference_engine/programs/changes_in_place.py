"""In-place operations: what they do to histories and saved values, and what is refused."""

import torch
from telling import attempt, program, values


def leaf(*numbers):
    return torch.tensor(list(numbers), requires_grad=True)


@program
def an_intermediate_result_changed_in_place():
    x = leaf(2.0)
    y = x * 3
    y.add_(1)
    y.mul_(y)
    print(values(y), y.grad_fn.name(), y._version)
    y.sum().backward()
    print(values(x.grad))


@program
def leaves_that_require_grad_are_protected():
    x = leaf(2.0)
    attempt("add_", lambda: x.add_(1))
    attempt("+=", lambda: x.__iadd__(1))
    attempt("zero_", lambda: x.zero_())
    attempt("copy_", lambda: x.copy_(torch.ones(1)))
    attempt("fill_", lambda: x.fill_(1.0))
    attempt("setitem", lambda: x.__setitem__(0, 1.0))
    attempt("through a view", lambda: x[:].add_(1))
    attempt("through detach", lambda: x.detach().add_(1))
    attempt("through data", lambda: x.data.add_(1))
    print(values(x), x._version)
    with torch.no_grad():
        x.add_(1)
    print(values(x), x.is_leaf, x.requires_grad, x._version)


@program
def values_saved_and_then_changed_are_noticed():
    for name, change in {
        "exp result": lambda x: x.exp().add_(1),
        "sin argument": lambda x: (lambda y: (y.sin(), y.add_(1))[0])(x * 1),
        "cos argument untouched": lambda x: (x * 1).cos(),
        "add argument": lambda x: (lambda y: (y + 1, y.add_(1))[0])(x * 1),
        "product": lambda x: (lambda y: (y * y, y.mul_(2))[0])(x * 1),
        "constant factor": lambda x: (lambda y: (y * 2, y.mul_(2))[0])(x * 1),
        "sqrt result": lambda x: (lambda y: (y.mul_(2), y)[1])(x.sqrt()),
        "sum argument": lambda x: (lambda y: (y.sum(), y.mul_(2))[0])(x * 1),
    }.items():
        x = leaf(2.0)
        out = change(x)
        attempt(name, lambda out=out: out.sum().backward())


@program
def version_counters_count_and_are_shared():
    x = torch.ones(3)
    view, detached, other = x[1:], x.detach(), x.data
    x.add_(1)
    view.mul_(2)
    detached.zero_()
    print(x._version, view._version, detached._version, other._version)
    other.add_(1)
    print(x._version, other._version, values(x))
    x[0] = 5.0
    print(x._version, torch.ones(1).requires_grad_()._version)


@program
def a_scalar_that_starts_to_require_grad():
    x = torch.zeros(2)
    y = leaf(3.0, 4.0)
    x.add_(y * 2)
    print(x.requires_grad, x.is_leaf, x.grad_fn.name())
    x.sum().backward()
    print(values(y.grad))


@program
def copy_broadcasts_and_converts():
    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    y = torch.zeros(3, 2)
    y.copy_(x)
    print(values(y), y.dtype)
    (y * torch.arange(6.0).reshape(3, 2)).sum().backward()
    print(values(x.grad), x.grad.dtype)


@program
def copy_forgets_the_old_history():
    a, b = leaf(1.0, 2.0), leaf(3.0, 4.0)
    y = a * 2
    y.copy_(b)
    y.sum().backward()
    print(values(a.grad), values(b.grad))


@program
def zero_and_fill_cut_the_gradient():
    x = leaf(1.0, 2.0)
    y = x * 2
    y.zero_()
    print(y.requires_grad, y.grad_fn.name())
    y.sum().backward()
    print(values(x.grad))
    x, value = leaf(1.0, 2.0), torch.tensor(3.0, requires_grad=True)
    y = x * 2
    y.fill_(value)
    y.sum().backward()
    print(values(x.grad), values(value.grad))


@program
def storing_with_indices_and_masks():
    x, v = leaf(1.0, 2.0, 3.0, 4.0), leaf(10.0, 20.0)
    y = x * 1
    y[torch.tensor([0, 2])] = v
    y[y > 15] = 0.0
    print(values(y))
    (y * torch.tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
    print(values(x.grad), values(v.grad))


@program
def storing_a_masked_selection():
    x, v = leaf(1.0, 2.0, 3.0, 4.0), leaf(10.0, 20.0)
    mask = torch.tensor([True, False, False, True])
    y = x * 1
    y[mask] = v * 2
    y.sum().backward()
    print(values(y), values(x.grad), values(v.grad))


@program
def adding_at_duplicate_indices():
    x, v = leaf(1.0, 2.0), leaf(10.0, 20.0, 30.0)
    y = x * 1
    y.index_put_((torch.tensor([0, 0, 1]),), v, accumulate=True)
    print(values(y))
    (y * torch.tensor([2.0, 3.0])).sum().backward()
    print(values(x.grad), values(v.grad))
    z = torch.zeros(2)
    z.index_add_(0, torch.tensor([1, 1, 1]), v)
    z.sum().backward()
    print(values(z), values(v.grad))


@program
def changing_an_index_later_has_no_effect():
    x = leaf(1.0, 2.0, 3.0)
    index = torch.tensor([0, 1])
    y = x[index]
    index.zero_()
    attempt("backward", y.sum().backward)


@program
def filling_where_a_mask_holds():
    x = leaf(1.0, -2.0, 3.0)
    y = x * 2
    y.masked_fill_(y < 0, 7.0)
    y.sum().backward()
    print(values(y), values(x.grad))


@program
def shapes_and_types_do_not_change():
    x = torch.ones(2)
    attempt("a larger result", lambda: x.add_(torch.ones(3, 2)))
    attempt("a smaller operand", lambda: x.add_(torch.ones(1)))
    attempt("a complex operand", lambda: x.add_(1j))
    attempt("floats into integers", lambda: torch.ones(2, dtype=torch.int64).add_(0.5))
    attempt("integers into floats", lambda: x.add_(torch.ones(2, dtype=torch.int64)))
    attempt("into an expanded tensor", lambda: torch.ones(1).expand(3).add_(1))
    attempt("a tensor that does not fit", lambda: x.copy_(torch.ones(3)))
    print(values(x), x._version)


@program
def a_refusal_leaves_everything_as_it_was():
    x = leaf(2.0)
    y = x * 3
    attempt("misfit", lambda: y.mul_(torch.ones(5, 5)))
    print(values(y), y.grad_fn.name(), y._version)
    y.sum().backward()
    print(values(x.grad))


@program
def in_place_under_no_grad_keeps_the_history():
    x = leaf(2.0)
    y = x * x
    with torch.no_grad():
        y.add_(100)
    print(values(y), y.grad_fn.name())
    y.sum().backward()
    print(values(x.grad))


@program
def detach_in_place():
    x = leaf(2.0)
    y = x * 3
    z = y * y
    y.detach_()
    print(y.requires_grad, y.is_leaf, y.grad_fn)
    attempt("still used by the graph", z.sum().backward)
    print(values(x.grad))
    y.requires_grad_()
    (y * 2).sum().backward()
    print(values(y.grad), values(x.grad))
    attempt("on a view", lambda: (x * 1)[:].detach_())
    attempt("on a leaf", lambda: x.detach_())
    print(x.requires_grad)


@program
def data_can_be_exchanged():
    x = leaf(2.0)
    x.data = torch.tensor([5.0])
    (x * x).sum().backward()
    print(values(x), values(x.grad), x.is_leaf)
    attempt("something that is no tensor", lambda: setattr(x, "data", [1.0]))
    attempt("another type", lambda: setattr(x, "data", torch.tensor([1])))
    print(values(x))


@program
def operators_in_place():
    x = leaf(2.0, 4.0)
    y = x * 1
    y += 1
    y -= 0.5
    y *= 2
    y /= 4
    y **= 2
    print(values(y), y._version)
    y.sum().backward()
    print(values(x.grad))


@program
def the_same_tensor_on_both_sides():
    x = leaf(2.0, 3.0)
    y = x * 1
    y.mul_(y).add_(y)
    y[0] = y[1]
    print(values(y))
    y.sum().backward()
    print(values(x.grad))
