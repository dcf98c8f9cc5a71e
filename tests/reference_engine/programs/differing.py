"""What the engine does otherwise: each program is in `program_differences`, with the reason."""

import gc
import weakref

import torch
from telling import attempt, program, values
from torch.autograd import grad, graph


def leaf(*numbers):
    return torch.tensor(list(numbers), requires_grad=True)


@program
def a_captured_tensor_is_written_to():
    captured = torch.ones(2)
    attempt("in a transform", lambda: torch.func.grad(lambda x: captured.mul_(x).sum())(torch.ones(2)))


@program
def more_gradients_than_outputs():
    x = leaf(1.0)
    attempt("surplus", lambda: grad(x * 2, x, [torch.ones(1), torch.ones(1)]))


@program
def a_hook_that_cannot_be_called():
    attempt("a number", lambda: leaf(1.0).register_hook(5))


@program
def a_bool_is_subtracted():
    attempt("from a number", lambda: 1 - torch.tensor([True]))


@program
def the_gradient_of_a_count():
    print(grad(leaf(1.0, 0.0).norm(0), leaf(1.0), allow_unused=True), end=" ")
    x = leaf(1.0, 0.0)
    print(grad(x.norm(0), x, allow_unused=True)[0] is None)


@program
def a_cycle_through_a_hook():
    x = leaf(1.0) * 2
    x.register_hook(lambda g, x=x: None)
    watched = weakref.ref(x)
    del x
    gc.collect()
    print("collected", watched() is None)


@program
def mutation_allowed_only_for_a_while():
    with graph.allow_mutation_on_saved_tensors():
        out = (leaf(1.0) * 1) ** 2
    attempt("backward afterwards", lambda: out.sum().backward())


@program
def pack_hooks_of_results():
    seen = []
    with graph.saved_tensors_hooks(lambda t: (seen.append(t.requires_grad), t)[1], lambda t: t):
        leaf(1.0).exp()
    print(seen)


@program
def reductions_along_no_dimension():
    x = torch.tensor([[True, False]])
    print(values(x.all(())), values(x.any(())))


@program
def other_kinds_of_exceptions():
    x = leaf(1.0)
    attempt("an output that is a number", lambda: grad([1], x))
    attempt("hooks on tensors without gradients", lambda: graph.register_multi_grad_hook((torch.ones(1),), print))


@program
def a_shape_that_changes_under_a_kept_gradient():
    x = leaf(1.0, 2.0)
    y = x * 1
    y.retain_grad()
    z = y * 2
    y.unsqueeze_(0)
    z.sum().backward()
    print(values(y.grad))


@program
def a_write_after_a_shape_that_changed_under_a_kept_gradient():
    x = leaf(1.0, 2.0)
    y = x * 1
    y.retain_grad()
    y.unsqueeze_(0)
    attempt("a write", lambda: y.mul_(2))


@program
def memory_copied_over_itself():
    x = torch.arange(6.0)
    x.view(3, 2).t()[0].copy_(x[:3])
    print(values(x))
    x = torch.ones(3)
    x.unfold(0, 2, 1).mul_(2)
    print(values(x))
