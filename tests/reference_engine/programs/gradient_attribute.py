"""The attribute .grad: how gradients accumulate, and what may be assigned to it."""

import torch
from telling import attempt, program, values, warned


def leaf(*numbers):
    return torch.tensor(list(numbers), requires_grad=True)


@program
def accumulation_is_in_place_without_a_graph():
    x = leaf(1.0)
    (x * 2).sum().backward()
    first = x.grad
    (x * 3).sum().backward()
    print(first is x.grad, values(first), first._version > 0, first.requires_grad, first.is_leaf)


@program
def accumulation_is_out_of_place_with_a_graph():
    x = leaf(2.0)
    (x * x).sum().backward()
    first = x.grad
    warned("create_graph", lambda: (x * x).sum().backward(create_graph=True))
    print(first is x.grad, values(first), values(x.grad), x.grad.requires_grad)
    x.grad = None


@program
def a_graph_in_the_gradient_stays_usable():
    x = leaf(2.0)
    warned("create_graph", lambda: (x**3).sum().backward(create_graph=True))
    held = x.grad
    print(values(held), held.requires_grad, held.grad_fn is not None)
    (second,) = torch.autograd.grad(held.sum(), x)
    print(values(second))
    x.grad = None


@program
def leaves_do_not_share_the_gradient():
    x, y = leaf(1.0, 1.0), leaf(2.0, 2.0)
    weights = torch.ones(2)
    (x + y).backward(weights)
    x.grad.zero_()
    print(values(x.grad), values(y.grad), values(weights))


@program
def the_given_gradient_is_not_changed_later():
    x = leaf(1.0, 1.0)
    weights = torch.ones(2)
    for _ in range(2):
        x.view(2).backward(weights)
    print(values(x.grad), values(weights))


@program
def what_may_be_assigned():
    x = leaf(1.0, 2.0)
    attempt("another shape", lambda: setattr(x, "grad", torch.ones(3)))
    attempt("another dtype", lambda: setattr(x, "grad", torch.ones(2, dtype=torch.float64)))
    attempt("a number", lambda: setattr(x, "grad", 1.0))
    attempt("a list", lambda: setattr(x, "grad", [1.0, 2.0]))
    attempt("itself", lambda: setattr(x, "grad", x))
    attempt("its detached twin", lambda: setattr(x, "grad", x.detach()))
    attempt("None", lambda: setattr(x, "grad", None))
    attempt("a gradient with history", lambda: setattr(x, "grad", x * 2))
    attempt("to a plain tensor", lambda: setattr(torch.ones(2), "grad", torch.ones(2)))
    print(values(x.grad))
    x.grad = torch.tensor([5.0, 5.0])
    (x * 2).sum().backward()
    print(values(x.grad))
    del x.grad
    print(x.grad)


@program
def an_assigned_gradient_is_kept_by_identity():
    x = leaf(1.0)
    g = torch.tensor([7.0])
    x.grad = g
    (x * 2).sum().backward()
    print(x.grad is g, values(g))


@program
def an_assigned_gradient_with_history():
    x, y = leaf(1.0), leaf(2.0)
    x.grad = y * 3
    (x * 2).sum().backward()
    print(values(x.grad))


@program
def reading_the_gradient_of_an_intermediate_result_warns():
    x = leaf(1.0)
    y = x * 2
    print(warned("non-leaf", lambda: y.grad))
    print(warned("leaf", lambda: x.grad))
    y.retain_grad()
    print(warned("retaining", lambda: y.grad))
    print(warned("detached", lambda: y.detach().grad))


@program
def zeroing():
    x = leaf(1.0)
    (x * 2).sum().backward()
    x.grad.zero_()
    (x * 3).sum().backward()
    print(values(x.grad))
    x.grad = None
    (x * 4).sum().backward()
    print(values(x.grad))


@program
def gradients_have_the_type_and_shape_of_the_leaf():
    x = torch.ones(2, 1, dtype=torch.float64, requires_grad=True)
    (x * torch.ones(2, 3)).float().sum().backward()
    print(x.grad.dtype, tuple(x.grad.shape), values(x.grad))
    half = torch.ones(2, dtype=torch.float16, requires_grad=True)
    (half * 3).sum().backward()
    print(half.grad.dtype, values(half.grad))


@program
def requires_grad_and_who_may_have_it():
    attempt("integers", lambda: torch.ones(1, dtype=torch.int64).requires_grad_())
    attempt("booleans", lambda: torch.tensor([True], requires_grad=True))
    attempt("integers at birth", lambda: torch.tensor([1], requires_grad=True))
    attempt("complex", lambda: torch.tensor([1j], requires_grad=True))
    x = leaf(1.0)
    y = x * 2
    attempt("off on a non-leaf", lambda: y.requires_grad_(False))
    attempt("on on a non-leaf", lambda: y.requires_grad_())
    attempt("off on a leaf", lambda: x.requires_grad_(False))
    print(x.requires_grad, y.requires_grad, (x * 2).requires_grad)
    attempt("something that is no bool", lambda: setattr(x, "requires_grad", "yes"))


@program
def a_leaf_that_stops_requiring_grad():
    x = leaf(2.0)
    y = x * x
    x.requires_grad_(False)
    y.sum().backward()
    print(values(x.grad))


@program
def a_late_leaf_gets_only_later_gradients():
    x = torch.ones(1)
    early = x * 2
    x.requires_grad_()
    late = x * 3
    print(early.requires_grad, late.requires_grad)
    (early + late).sum().backward()
    print(values(x.grad))


@program
def constants_take_no_part():
    x, w = leaf(1.0), torch.tensor([2.0])
    (x * w).sum().backward()
    print(w.grad, w.is_leaf, w.requires_grad)


@program
def a_gradient_that_is_not_connected_is_none():
    x, y = leaf(1.0), leaf(2.0)
    (x * 2).sum().backward()
    print(values(x.grad), y.grad)
    z = (y * 0).sum()
    z.backward()
    print(values(y.grad))


@program
def a_first_gradient_lies_as_its_leaf_does():
    leaves = {
        "rows": lambda: torch.ones(2, 3),
        "turned": lambda: torch.ones(3, 2).t(),
        "steps": lambda: torch.ones(4, 6)[::2],
        "spread": lambda: torch.ones(3).expand(2, 3),
        "three": lambda: torch.ones(2, 1, 3).transpose(0, 2),
    }
    for name, make in leaves.items():
        x, y, z = (make().detach().requires_grad_() for _ in range(3))
        x.backward(torch.ones(tuple(x.shape)))
        y.backward(torch.ones(()).expand(tuple(y.shape)))
        (z * 2).sum().backward()
        print(name, x.grad.stride(), y.grad.stride(), z.grad.stride())
