"""Functions that return several views, and when a change of one, or of what they look at, is refused."""

import torch
from telling import attempt, program, values


def rows():
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    return x, x * 1


@program
def one_of_several_is_not_changed():
    for name, take in (
        ("unbind", lambda y: y.unbind()[0]),
        ("split", lambda y: y.split(1)[0]),
        ("split by sizes", lambda y: y.split([1, 1])[1]),
        ("chunk", lambda y: y.chunk(2)[0]),
        ("iteration", lambda y: next(iter(y))),
        ("tensor_split", lambda y: y.tensor_split(2)[0]),
        ("hsplit", lambda y: y.hsplit(2)[0]),
        ("indexing", lambda y: y[0]),
    ):
        _, y = rows()
        attempt(name, lambda take=take, y=y: take(y).mul_(2))


@program
def nor_is_a_view_of_one():
    _, y = rows()
    attempt("a view of one of several", lambda: y.split(1)[0][0].mul_(2))
    attempt("its shape", lambda: y.unbind()[0].unsqueeze_(0))
    attempt("a copy of one", lambda: y.unbind()[0].clone().mul_(2))


@program
def a_change_of_the_whole_is_noticed_when_a_part_is_used():
    _, y = rows()
    part = y.unbind()[0]
    y.mul_(2)
    print(tuple(part.shape), values(part.detach()))
    attempt("grad_fn", lambda: part.grad_fn)
    attempt("requires_grad", lambda: part.requires_grad)
    attempt("use", lambda: part * 2)
    attempt("use without recording", lambda: torch.no_grad()(lambda: part * 2)())
    attempt("gradient", lambda: part.grad)


@program
def parts_taken_after_the_change_are_good():
    x, y = rows()
    y.mul_(2)
    y.unbind()[1].sum().backward()
    print(values(x.grad))


@program
def unrecorded_changes_of_a_part():
    _, y = rows()
    part = y.split(1)[0]
    with torch.no_grad():
        part.mul_(2)
    attempt("afterwards", lambda: part.grad_fn)
    print(values(y))


@program
def parts_of_what_needs_no_gradient():
    y = torch.ones(2, 2)
    part = y.unbind()[0]
    part.mul_(3)
    print(values(y))
    attempt("with what needs one", lambda: part.mul_(torch.ones(2, requires_grad=True)))


@program
def views_made_without_recording_and_changed():
    x = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        view = x[:1]
        x.mul_(2)
    attempt("grad_fn", lambda: view.grad_fn)
    attempt("use", lambda: view * 2)
    attempt("shape", lambda: view.unsqueeze_(0))


@program
def kept_gradients_follow_a_change_through_a_view():
    x = torch.ones(3, requires_grad=True)
    y = x * 1
    y.retain_grad()
    y[0] = 5.0
    (y * 2).sum().backward()
    print(values(y.grad), values(x.grad))


@program
def kept_gradients_of_a_view_whose_base_changes():
    x = torch.ones(3, requires_grad=True)
    y = x * 1
    view = y[1:]
    view.retain_grad()
    y.mul_(2)
    (view * 3).sum().backward()
    print(values(view.grad), values(x.grad))


@program
def kept_gradients_are_added_out_of_place():
    x = torch.ones(2, requires_grad=True)
    y = x * 1
    y.retain_grad()
    y.sum().backward(retain_graph=True)
    first = y.grad
    y.sum().backward()
    print(values(first), values(y.grad), first is y.grad)
