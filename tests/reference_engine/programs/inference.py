"""Inference mode: tensors that stay out of autograd, and what is refused for them."""

import torch
from telling import attempt, program, values


def leaf(*numbers):
    return torch.tensor(list(numbers), requires_grad=True)


def inference_tensor():
    with torch.inference_mode():
        return torch.ones(2)


@program
def what_is_made_inside():
    x = leaf(1.0, 2.0)
    with torch.inference_mode():
        result, made, wanted = x * 2, torch.ones(2), torch.ones(2, requires_grad=True)
        view = x[:1]
        print(torch.is_grad_enabled(), torch.is_inference_mode_enabled())
        print(result.is_inference(), made.is_inference(), wanted.requires_grad, view.is_inference())
        print(result.requires_grad, (wanted * 2).requires_grad)
    print(torch.is_grad_enabled(), torch.is_inference_mode_enabled(), x.is_inference())


@program
def it_can_be_switched_off_again():
    x = leaf(1.0)
    with torch.inference_mode():
        with torch.inference_mode(False):
            print(torch.is_inference_mode_enabled(), torch.is_grad_enabled(), (x * 2).requires_grad)
        with torch.enable_grad():
            print((x * 2).requires_grad, (x * 2).is_inference())
    with torch.inference_mode(mode=False):
        print((x * 2).requires_grad)


@program
def as_a_decorator():
    @torch.inference_mode()
    def with_call(x):
        return (x * 2).is_inference()

    @torch.inference_mode
    def without_call(x):
        return (x * 2).is_inference()

    print(with_call(torch.ones(1)), without_call(torch.ones(1)), torch.is_inference_mode_enabled())


@program
def outside_inference_tensors_compute():
    made = inference_tensor()
    result = made * 2 + torch.ones(2)
    print(values(result), result.is_inference(), result.requires_grad)
    attempt("added to a leaf, saving nothing", lambda: leaf(1.0, 2.0) + made)
    attempt("multiplied with a leaf, which saves it", lambda: leaf(1.0, 2.0) * made)
    attempt("its clone", lambda: (leaf(1.0, 2.0) * made.clone()).sum().backward())


@program
def outside_inference_tensors_are_not_changed():
    made = inference_tensor()
    attempt("add_", lambda: made.add_(1))
    attempt("setitem", lambda: made.__setitem__(0, 5.0))
    attempt("through a view", lambda: made[:1].mul_(2))
    attempt("copy_", lambda: made.copy_(torch.zeros(2)))
    attempt("requires_grad_", lambda: made.requires_grad_())
    attempt("_version", lambda: made._version)
    attempt("add_ inside", lambda: torch.inference_mode()(lambda: made.add_(1))())
    attempt("add_ under no_grad", lambda: torch.no_grad()(lambda: made.add_(1))())
    print(values(made))


@program
def inside_normal_tensors_may_be_changed():
    x = torch.ones(2)
    y = leaf(1.0) * 2
    with torch.inference_mode():
        x.add_(1)
        y.mul_(5)
        x[0] = 7.0
    print(values(x), values(y), x._version, y._version, x.is_inference())


@program
def a_saved_value_changed_inside_is_noticed():
    x = leaf(2.0)
    y = x * 1
    z = y * y
    with torch.inference_mode():
        y.add_(1)
    attempt("backward", z.sum().backward)


@program
def views_of_inference_tensors():
    made = inference_tensor()
    print(made[:1].is_inference(), made.detach().is_inference(), made.view(2).is_inference())
    x = torch.ones(2)
    with torch.inference_mode():
        view = x[:1]
    print(view.is_inference(), view._is_view())
    attempt("a view of a normal tensor", lambda: view.add_(1))
    print(values(x))


@program
def leaves_made_inside_are_no_good_outside():
    with torch.inference_mode():
        x = torch.ones(1, requires_grad=True)
    print(x.requires_grad, x.is_inference())
    attempt("used in a graph", lambda: (x + 1).sum().backward())
    attempt("saved", lambda: x * x)


@program
def gradients_computed_inside():
    x = leaf(2.0)
    y = (x * x).sum()
    with torch.inference_mode():
        attempt("backward inside", y.backward)
    print(x.grad is None)


@program
def a_custom_function_inside():
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    with torch.inference_mode():
        result = Double.apply(torch.ones(1, requires_grad=True))
    print(result.is_inference(), result.requires_grad)
    attempt("saving an inference tensor", lambda: Double.apply(inference_tensor() + leaf(1.0, 1.0)))
