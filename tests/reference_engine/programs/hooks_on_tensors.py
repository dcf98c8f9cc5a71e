"""Hooks on tensors: their order, what they may return, removal, leaves against intermediate results."""

import torch
from telling import attempt, program, values


@program
def hooks_run_in_order_of_registration():
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    y.register_hook(lambda g: print("first sees", values(g)))
    y.register_hook(lambda g: g * 2)
    y.register_hook(lambda g: print("third sees", values(g)))
    y.sum().backward()
    print("x.grad", values(x.grad))


@program
def a_hook_on_a_leaf_outlives_the_graph():
    x = torch.ones(2, requires_grad=True)
    seen = []
    handle = x.register_hook(lambda g: seen.append(values(g)))
    (x * 2).sum().backward()
    (x * 5).sum().backward()
    handle.remove()
    (x * 7).sum().backward()
    print(seen, values(x.grad))


@program
def a_hook_on_a_leaf_sees_the_sum_of_all_uses():
    x = torch.tensor([2.0], requires_grad=True)
    x.register_hook(lambda g: print("sees", values(g)))
    (x * x + 3 * x).sum().backward()


@program
def a_hook_removes_itself():
    x = torch.ones(1, requires_grad=True)
    count = []
    handles = []

    def once(gradient):
        count.append(1)
        handles[0].remove()

    handles.append(x.register_hook(once))
    x.register_hook(lambda g: count.append(10))
    for _ in range(2):
        (x * 2).sum().backward()
    print(count)


@program
def removing_twice_is_harmless():
    x = torch.ones(1, requires_grad=True)
    handle = x.register_hook(lambda g: g * 100)
    handle.remove()
    handle.remove()
    x.sum().backward()
    print(values(x.grad))


@program
def a_handle_is_a_context_manager():
    x = torch.ones(1, requires_grad=True)
    with x.register_hook(lambda g: g * 10):
        (x * 2).sum().backward()
    (x * 2).sum().backward()
    print(values(x.grad))


@program
def a_hook_that_raises_stops_backward_and_harms_nothing():
    x = torch.ones(1, requires_grad=True)
    y = x * x
    z = y * 2

    def fail(gradient):
        raise KeyError("in the hook")

    handle = y.register_hook(fail)
    attempt("backward", lambda: z.sum().backward(retain_graph=True))
    print("nothing arrived:", x.grad)
    handle.remove()
    z.sum().backward()
    print("afterwards", values(x.grad), torch.is_grad_enabled())


@program
def what_a_hook_may_return():
    def with_hook(hook):
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        y.register_hook(hook)
        y.sum().backward()
        print("x.grad", values(x.grad))

    attempt("None", lambda: with_hook(lambda g: None))
    attempt("a tensor", lambda: with_hook(lambda g: g + 1))
    attempt("a number", lambda: with_hook(lambda g: 1.0))
    attempt("another shape", lambda: with_hook(lambda g: g[:1].expand(1)))
    attempt("a longer one", lambda: with_hook(lambda g: torch.ones(3)))


@program
def a_hook_needs_a_tensor_that_requires_grad():
    plain = torch.ones(1)
    attempt("plain tensor", lambda: plain.register_hook(print))
    attempt("leaf", lambda: plain.clone().requires_grad_().register_hook(print))
    with torch.no_grad():
        result = torch.ones(1, requires_grad=True) * 2
    attempt("result under no_grad", lambda: result.register_hook(print))


@program
def a_hook_before_an_in_place_change_belongs_to_the_old_value():
    x = torch.tensor([1.0], requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: print("registered before", values(g)))
    y.mul_(5)
    y.register_hook(lambda g: print("registered after", values(g)))
    (y * 3).sum().backward()
    print(values(x.grad))


@program
def a_hook_on_a_leaf_that_was_changed_without_recording():
    x = torch.tensor([1.0], requires_grad=True)
    x.register_hook(lambda g: print("sees", values(g)))
    with torch.no_grad():
        x.mul_(4)
    (x * x).sum().backward()
    print(values(x.grad))


@program
def retain_grad_comes_after_the_hooks():
    x = torch.ones(1, requires_grad=True)
    y = x * 2
    y.retain_grad()
    y.register_hook(lambda g: g * 10)
    print("retains", y.retains_grad, x.retains_grad)
    y.sum().backward()
    print(values(y.grad), values(x.grad))


@program
def retain_grad_follows_in_place_changes():
    x = torch.ones(1, requires_grad=True)
    y = x * 2
    y.retain_grad()
    y.mul_(3)
    (y * 5).sum().backward()
    print(values(y.grad), values(x.grad))


@program
def retain_grad_twice_and_on_a_leaf():
    x = torch.ones(1, requires_grad=True)
    y = x * 2
    y.retain_grad()
    y.retain_grad()
    x.retain_grad()
    y.sum().backward()
    print(values(y.grad), values(x.grad), x.retains_grad)
    attempt("on a plain tensor", torch.ones(1).retain_grad)


@program
def hooks_run_for_grad_as_well():
    x = torch.ones(1, requires_grad=True)
    y = x * 2
    x.register_hook(lambda g: g * 10)
    y.register_hook(lambda g: g + 1)
    print([values(g) for g in torch.autograd.grad(y.sum(), (x, y))])
    print(x.grad)


@program
def hooks_with_create_graph_are_differentiated():
    x = torch.tensor([3.0], requires_grad=True)
    y = x * x
    y.register_hook(lambda g: g * x)
    (first,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x)
    print(values(first), values(second), first.requires_grad)


@program
def a_hook_that_writes_to_the_gradient_changes_it():
    x = torch.ones(2, requires_grad=True)
    y = x * 2

    def zero(gradient):
        gradient.zero_()

    y.register_hook(zero)
    (y * torch.tensor([1.0, 2.0])).sum().backward()
    print(values(x.grad))


@program
def a_hook_may_call_backward_itself():
    x = torch.tensor([2.0], requires_grad=True)
    other = torch.tensor([5.0], requires_grad=True)
    y = x * x
    y.register_hook(lambda g: (other * other).sum().backward())
    y.sum().backward()
    print(values(x.grad), values(other.grad))


@program
def a_hook_on_one_of_several_outputs():
    x = torch.arange(4.0, requires_grad=True)
    first, second = x.split(2)
    first.register_hook(lambda g: g * 10)
    (first.sum() + second.sum()).backward()
    print(values(x.grad))


@program
def the_hook_sees_gradients_without_history():
    x = torch.ones(1, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: print(g.requires_grad, torch.is_grad_enabled()))
    y.sum().backward()
    y = x * x
    y.register_hook(lambda g: print(g.requires_grad, torch.is_grad_enabled()))
    torch.autograd.grad((y * y).sum(), x, create_graph=True)
