"""Views of views of views, and writes at each of their floors."""

import torch
from telling import attempt, program, values
from torch.autograd import grad


def square(requires_grad=True):
    return torch.arange(4.0).reshape(2, 2).requires_grad_(requires_grad)


@program
def a_write_three_views_down():
    x = square()
    base = x * 1
    inner = base.t()[1][:1]
    inner.mul_(10)
    print(values(base), type(base.grad_fn).__name__, type(inner.grad_fn).__name__)
    base.sum().backward()
    print(values(x.grad))


@program
def writes_at_every_floor():
    x = square()
    base = x * 1
    row = base[0]
    one = row[1:]
    one.mul_(2)
    row.mul_(3)
    base.mul_(5)
    print(values(one), values(row), values(base))
    print(values(grad(one.sum(), x, retain_graph=True)[0]), values(grad((row * row).sum(), x)[0]))


@program
def a_history_comes_by_a_write_two_views_down():
    x = torch.tensor(3.0, requires_grad=True)
    base = torch.zeros(2, 3)
    view = base[1]
    view.narrow(0, 1, 1).copy_(x)
    for t in (base, view, base.t(), base[0]):
        print(t.requires_grad, t.is_leaf, type(t.grad_fn).__name__)
    (base * 2).sum().backward()
    print(values(x.grad))


@program
def the_base_and_the_flag_of_a_view():
    x = square()
    base = x * 1
    view = base.view(4)[1:3]
    print(view._base is base, view._is_view(), base._is_view(), view.detach()._base is None)
    with torch.no_grad():
        late = base[0]
    print(late._base is base, late._is_view())
    attempt("a view of a leaf that is a view", lambda: x[0].add_(1))
    attempt("a view of a leaf", lambda: x.clone().detach().requires_grad_()[0].add_(1))


@program
def operands_that_are_written_later():
    base = square() * 1
    base[0] = base[1] * base[0]
    attempt("a row saved for the other", lambda: base.sum().backward())
    base = square() * 1
    base[0].mul_(base[1])
    attempt("a row that stays as it was", lambda: base.sum().backward())


@program
def a_view_written_by_itself():
    x = square()
    base = x * 1
    base[0] = base[1].clone() * base[0].clone()
    base[:, 1] += base[:, 0]
    print(values(base))
    base.pow(2).sum().backward()
    print(values(x.grad))


@program
def views_through_many_operations():
    x = torch.arange(12.0, requires_grad=True)
    base = x * 1
    view = base.reshape(3, 4).unsqueeze(0).transpose(1, 2).squeeze(0)[1:3].diagonal().unflatten(0, (1, 2))
    print(view._base is base, view.shape == (1, 2))
    view.mul_(7)
    print(values(grad(base.sum(), x)[0]))


@program
def second_derivatives_through_a_written_view():
    x = square()
    base = x * 1
    base[0].mul_(base[1].clone())
    (g,) = grad(base.pow(2).sum(), x, create_graph=True)
    print(values(g))
    print(values(grad(g.pow(2).sum(), x)[0]))


@program
def a_view_is_refreshed_when_its_base_is_written():
    x = square()
    base = x * 1
    view = base[0]
    before = view.grad_fn
    base.mul_(2)
    print(view.grad_fn is before, type(before).__name__, type(view.grad_fn).__name__)
    print(view.grad_fn is view.grad_fn, [type(n).__name__ for n, _ in view.grad_fn.next_functions])
    print(values(grad(view.sum(), x)[0]))


@program
def hooks_of_a_view_after_it_was_written():
    seen = []
    x = square()
    base = x * 1
    view = base[0]
    view.mul_(2)
    view.register_hook(lambda g: seen.append(("view", values(g))))
    base.register_hook(lambda g: seen.append(("base", values(g))))
    (base.sum() + view.sum() * 3).backward()
    print(seen, values(x.grad))


@program
def a_detached_twin_is_written():
    x = square()
    base = x * 1
    saved = base.exp()
    twin = saved.detach()
    twin.zero_()
    print(saved._version == twin._version, values(saved))
    attempt("backward", lambda: saved.sum().backward())
    other = (x * 1).exp()
    other.data.zero_()
    print(other._version, values(grad(other.sum(), x)[0]))


@program
def views_that_are_returned_by_a_function_of_views():
    x = square()
    parts = (x * 1).chunk(2, 1)
    print([p.requires_grad for p in parts], [type(p.grad_fn).__name__ for p in parts])
    attempt("writing one", lambda: parts[0].mul_(2))
    attempt("writing a view of one", lambda: parts[1][0].mul_(2))
    print(values(grad(parts[0].sum() + 2 * parts[1].sum(), x)[0]))


@program
def numbers_of_outputs():
    print([p.output_nr for p in square().unbind()])


@program
def an_expanded_view_is_read_and_its_base_written():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    base = x * 1
    wide = base.expand(3, 2)
    base.mul_(2)
    print(values(wide), values(grad(wide.sum(), x)[0]))


@program
def integer_and_complex_views():
    z = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
    base = z * 1
    torch.view_as_real(base)[:, 0].mul_(10)
    base.imag.add_(1)
    print(values(base))
    print(values(grad(base.abs().pow(2).sum(), z)[0]))
