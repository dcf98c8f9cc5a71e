"""What messages of refusals name: the operation, the argument, the shapes, the way out."""

import torch
import torch.autograd.forward_ad as fwAD
from telling import program
from torch.autograd import Function, grad


def leaf(*numbers):
    return torch.tensor(list(numbers), requires_grad=True)


def named(what, action, *words):
    """Tell the kind of exception, and which of the words its message has."""
    try:
        action()
    except Exception as error:
        print(f"{what}: {type(error).__name__}", [w for w in words if w in str(error)])
    else:
        print(f"{what}: accepted")


@program
def the_operation_whose_value_was_changed():
    x = leaf(1.0, 2.0)
    y = x.exp()
    z = y * y
    y.add_(1)
    named("product", lambda: z.sum().backward(), "modified by an inplace operation", "[2]", "version 1", "version 0")
    y = x.sigmoid()
    y.mul_(2)
    named("sigmoid", lambda: y.sum().backward(), "version 1; expected version 0")


@program
def a_graph_walked_twice():
    y = leaf(1.0).exp()
    y.backward()
    named("again", lambda: y.backward(), "backward through the graph a second time", "retain_graph=True")


@program
def roots_and_their_gradients():
    x = leaf(1.0, 2.0)
    named("not a scalar", lambda: (x * 2).backward(), "grad can be implicitly created only for scalar outputs")
    named("a wrong shape", lambda: (x * 2).backward(torch.ones(3)), "Mismatch in shape", "[3]", "[2]")
    named("a wrong kind", lambda: (x * 2).backward(torch.ones(2, dtype=torch.complex64)), "dtype", "complex")
    named("nothing recorded", lambda: torch.ones(1).backward(), "does not require grad", "grad_fn")
    named("unused", lambda: grad(x.sum(), leaf(1.0)), "appears to not have been used in the graph", "allow_unused=True")
    named("no gradient wanted", lambda: grad(x.sum(), torch.ones(1)), "does not require grad")
    named("empty", lambda: grad(x.sum(), []), "empty")
    named("no inputs", lambda: x.sum().backward(inputs=[]), "empty")


@program
def leaves_and_flags():
    x = leaf(1.0)
    named("in place", lambda: x.add_(1), "leaf Variable that requires grad", "in-place")
    named("a view", lambda: x[:1].add_(1), "view of a leaf Variable that requires grad", "in-place")
    named("a result's flag", lambda: (x * 2).requires_grad_(False), "leaf", "detach")
    named("an integer", lambda: torch.ones(1, dtype=torch.int64).requires_grad_(), "floating point")
    named("NumPy", lambda: x.numpy(), "requires grad", "detach()")
    named("a copy", lambda: __import__("copy").deepcopy(x * 2), "deepcopy", "leaves")
    named("a hook", lambda: torch.ones(1).register_hook(print), "doesn't require gradient")


class Wrong(Function):
    @staticmethod
    def forward(ctx, x, y, answer):
        ctx.answer = answer
        return x * y

    @staticmethod
    def backward(ctx, g):
        return ctx.answer


@program
def custom_functions():
    x = leaf(1.0, 2.0)
    for what, answer in {"too few": (x.detach(),), "too many": (x.detach(),) * 5}.items():
        named(what, lambda answer=answer: Wrong.apply(x, x, answer).sum().backward(), "WrongBackward", "number", "3")
    named("a number", lambda: Wrong.apply(x, x, (1.0, None, None)).sum().backward())
    wrong = (torch.ones(3), None, None)
    named("a shape", lambda: Wrong.apply(x, x, wrong).sum().backward(), "WrongBackward", "index 0", "[3]", "[2]")


class Raising(Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        raise ValueError("said by backward")


@program
def exceptions_of_the_program():
    named("backward", lambda: Raising.apply(leaf(1.0)).sum().backward(), "said by backward")

    def hook(g):
        raise KeyError("said by a hook")

    x = leaf(1.0)
    x.register_hook(hook)
    named("a hook", lambda: (x * 1).backward(), "said by a hook")
    print(x.grad)


@program
def shapes_that_do_not_fit():
    named("sum", lambda: torch.ones(2, 3) + torch.ones(2), "(3)", "(2)", "dimension 1")
    named("product", lambda: torch.ones(2, 3) @ torch.ones(2, 3), "shapes cannot be multiplied")
    named("reshape", lambda: torch.ones(2, 3).reshape(4), "[4]", "6")
    named("index", lambda: torch.ones(2)[5], "5", "2")
    named("dimension", lambda: torch.ones(2).sum(3), "3", "-1, 0")
    named("cat", lambda: torch.cat([torch.ones(2, 2), torch.ones(3, 3)]), "2", "3")
    named("in place", lambda: torch.ones(2).add_(torch.ones(3, 2)), "[2]", "[3, 2]")


@program
def forward_differentiation():
    with fwAD.dual_level():
        named("shape", lambda: fwAD.make_dual(torch.ones(2), torch.ones(3)), "size", "[2]", "[3]")
        named("no rule", lambda: Raising.apply(fwAD.make_dual(torch.ones(1), torch.ones(1))), "jvp", "Function")


@program
def gradients_that_are_assigned():
    x = leaf(1.0, 2.0)
    named("shape", lambda: setattr(x, "grad", torch.ones(3)), "size", "[3]", "[2]")
    named("type", lambda: setattr(x, "grad", torch.ones(2, dtype=torch.float64)), "dtype")
    named("kind", lambda: setattr(x, "grad", 1.0), "Tensor", "float")
    named("itself", lambda: setattr(x, "grad", x), "own grad")


@program
def anomalies():
    x = leaf(-1.0)
    with torch.autograd.set_detect_anomaly(True):
        y = (x * 0).sqrt() * 0
        named("a nan", lambda: y.backward(), "MulBackward0", "SqrtBackward0", "nan", "0th output")
        named("a custom one", lambda: Raising.apply(leaf(1.0)).backward(), "said by backward")
