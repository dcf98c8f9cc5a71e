"""Views: what shares memory, how a change through one reaches the others' histories, and what is refused."""

import torch
from telling import attempt, program, values


def leaf(*numbers):
    return torch.tensor(list(numbers), requires_grad=True)


@program
def a_change_through_a_view_reaches_the_base():
    x = leaf(1.0, 2.0, 3.0)
    base = x * 1
    base[1:].mul_(10)
    print(values(base), base.grad_fn.name())
    base.sum().backward()
    print(values(x.grad))


@program
def a_change_of_the_base_reaches_the_view():
    x = leaf(1.0, 2.0, 3.0)
    base = x * 1
    view = base[1:]
    base.mul_(10)
    print(values(view), view.grad_fn.name())
    view.sum().backward()
    print(values(x.grad))


@program
def views_of_views():
    x = leaf(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    base = x * 1
    column = base.view(2, 3).t()[1]
    column.mul_(100)
    print(values(base), column._base is base)
    base.sum().backward()
    print(values(x.grad))


@program
def sister_views_notice_the_change():
    x = leaf(1.0, 2.0, 3.0)
    base = x * 1
    first, second = base[:2], base[1:]
    first.mul_(5)
    print(values(second), second.grad_fn.name())
    second.sum().backward()
    print(values(x.grad))


@program
def a_chain_of_changes_on_base_and_views():
    x = leaf(1.0, 2.0, 3.0, 4.0)
    base = x * 1
    half = base[:2]
    half.mul_(2)
    base.add_(1)
    half[0].mul_(3)
    base[3] = half[1] * 10
    print(values(base), values(half))
    (base * torch.tensor([1.0, 10.0, 100.0, 1000.0])).sum().backward()
    print(values(x.grad))


@program
def a_plain_base_comes_to_require_grad_through_a_view():
    x = leaf(5.0)
    base = torch.zeros(3)
    base[1] = x[0] * 2
    print(base.requires_grad, base.is_leaf, values(base), base.grad_fn.name())
    base.sum().backward()
    print(values(x.grad))
    attempt("the leaf's own gradient", lambda: print(x.grad is None))


@program
def a_view_of_a_plain_base_requires_grad_by_itself():
    base = torch.zeros(3)
    view = base[1:]
    view.requires_grad_()
    print(view.is_leaf, view.requires_grad, base.requires_grad)
    attempt("change the leaf view", lambda: view.mul_(2))
    attempt("change the base", lambda: base.mul_(2))
    (view * 3).sum().backward()
    print(values(view.grad))


@program
def several_views_at_once_may_not_be_changed():
    x = leaf(1.0, 2.0, 3.0, 4.0)
    base = x * 1
    attempt("unbind", lambda: base.unbind()[0].mul_(2))
    attempt("split", lambda: base.split(2)[0].mul_(2))
    attempt("chunk", lambda: base.chunk(2)[1].mul_(2))
    attempt("iteration", lambda: next(iter(base)).mul_(2))
    attempt("an index", lambda: base[0].mul_(2))
    attempt("without recording", lambda: torch.no_grad()(base.unbind()[0].mul_)(2))
    print(values(base))


@program
def several_views_of_a_plain_tensor():
    base = torch.ones(4)
    first, second = base.split(2)
    attempt("plain change", lambda: first.mul_(2))
    attempt("a change that needs grad", lambda: second.mul_(leaf(2.0, 3.0)))
    print(values(base), base.requires_grad)


@program
def views_made_without_recording():
    x = leaf(1.0, 2.0)
    base = x * 1
    with torch.no_grad():
        view = base[:1]
        nested = view[:]
    print(view.requires_grad, view.grad_fn)
    attempt("changed with recording", lambda: view.mul_(2))
    attempt("a view of it", lambda: nested.mul_(2))
    with torch.no_grad():
        view.mul_(2)
    print(values(base))
    attempt("the base itself", lambda: base.mul_(3))
    plain = torch.ones(2)
    with torch.no_grad():
        view = plain[:1]
    attempt("of a plain tensor, plainly", lambda: view.mul_(2))
    attempt("of a plain tensor, with grad", lambda: view.mul_(x[:1]))


@program
def a_view_of_a_leaf_may_not_be_changed():
    x = leaf(1.0, 2.0)
    view = x[:1]
    attempt("in place", lambda: view.mul_(2))
    with torch.no_grad():
        view.mul_(2)
    print(values(x), x.is_leaf)
    view.sum().backward()
    print(values(x.grad))


@program
def detached_views_share_memory_and_version():
    x = leaf(1.0, 2.0)
    y = x * 1
    squares = y * y
    y.detach()[0] = 100.0
    attempt("backward", squares.sum().backward)
    print(values(y), y._version)
    detached = y.detach()
    print(detached._is_view(), y[0]._is_view(), y[0]._base is y, (y * 1)._base)


@program
def which_operations_make_views():
    x = torch.arange(6.0).reshape(2, 3)
    ways = {
        "view": lambda: x.view(3, 2), "t": lambda: x.t(), "transpose": lambda: x.transpose(0, 1),
        "permute": lambda: x.permute(1, 0), "expand": lambda: x.expand(4, 2, 3), "squeeze": lambda: x.squeeze(),
        "unsqueeze": lambda: x.unsqueeze(0), "diagonal": lambda: x.diagonal(), "slice": lambda: x[:, 1:],
        "select": lambda: x[0], "narrow": lambda: x.narrow(1, 0, 2), "reshape": lambda: x.reshape(6),
        "reshape of t": lambda: x.t().reshape(6), "flatten": lambda: x.flatten(), "list": lambda: x[[0, 1]],
        "mask": lambda: x[x > 0], "flip": lambda: x.flip(0), "clone": lambda: x.clone(),
        "contiguous": lambda: x.contiguous() is x, "real": lambda: x.real is x, "view_as": lambda: x.view_as(x),
    }  # fmt: skip
    for name, way in ways.items():
        result = way()
        print(name, result if isinstance(result, bool) else (result._is_view(), result.data_ptr() == x.data_ptr()))


@program
def views_of_a_transposed_matrix_must_fit():
    x = torch.arange(6.0).reshape(2, 3)
    attempt("view of a transpose", lambda: x.t().view(6))
    attempt("a wrong size", lambda: x.view(4))
    attempt("two unknown sizes", lambda: x.view(-1, -1))
    print(values(x.t().reshape(-1)))


@program
def writing_through_every_kind_of_view():
    for name, look in {
        "transpose": lambda b: b.t(), "diagonal": lambda b: b.diagonal(), "row": lambda b: b[1],
        "strided": lambda b: b[:, ::2], "unsqueezed": lambda b: b.unsqueeze(0), "flat": lambda b: b.view(-1)[2:7],
        "permuted": lambda b: b.view(3, 3, 1).permute(2, 1, 0)[0, 1:],
    }.items():  # fmt: skip
        x = torch.arange(9.0, requires_grad=True)
        base = (x * 1).view(3, 3) * 1
        look(base).mul_(10)
        base.sum().backward()
        print(name, values(base), values(x.grad))


@program
def a_gradient_through_the_view_after_the_base_is_gone():
    x = leaf(1.0, 2.0, 3.0)
    base = x * 1
    view = base[1:]
    base.mul_(2)
    del base
    view.sum().backward()
    print(values(x.grad))


@program
def saved_views_are_checked_through_their_base():
    x = leaf(1.0, 2.0)
    base = x * 1
    product = base[0] * base[1]
    base.add_(1)
    attempt("backward", product.backward)


@program
def real_and_imaginary_parts_are_views():
    z = torch.tensor([1 + 2j, 3 - 4j], requires_grad=True)
    y = z * 1
    y.real.mul_(10)
    y.imag[0] = 7.0
    print(values(y))
    (y.real.sum() + y.imag.sum() * 2).backward()
    print(values(z.grad))


@program
def an_expanded_base():
    x = leaf(3.0)
    wide = x.expand(4)
    print(values(wide), wide.stride(), wide._is_view())
    (wide * torch.arange(4.0)).sum().backward()
    print(values(x.grad))


@program
def hooks_on_a_view_before_and_after():
    x = leaf(1.0, 2.0)
    base = x * 1
    view = base[:1]
    view.register_hook(lambda g: print("old view", values(g)))
    base.mul_(2)
    view.register_hook(lambda g: print("new view", values(g)))
    (view * 3).sum().backward()
    print(values(x.grad))
