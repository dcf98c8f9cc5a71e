"""What custom functions return: views, inputs as they are, dirty ones, several, nothing; and pickles of tensors."""

import copy
import io
import pickle

import torch
from telling import attempt, program, values
from torch.autograd import Function, grad


def leaf(*numbers):
    return torch.tensor(list(numbers), requires_grad=True)


class AsItIs(Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 2


class FirstPart(Function):
    @staticmethod
    def forward(ctx, x):
        return x[:1]

    @staticmethod
    def backward(ctx, g):
        return torch.cat([g, g * 0])


class BothParts(Function):
    @staticmethod
    def forward(ctx, x):
        return x[:1], x[1:]

    @staticmethod
    def backward(ctx, *gs):
        return torch.cat(gs)


class InPlace(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    @staticmethod
    def backward(ctx, g):
        return g * 2


def giving(result, method="backward"):
    """A function whose backward gives what is asked for."""
    parts = {"forward": staticmethod(lambda ctx, x: x * 1), method: staticmethod(lambda ctx, g: result(g))}
    return type("Giving", (Function,), parts)


@program
def an_input_as_it_is_comes_out_as_a_view():
    x = leaf(1.0)
    out = AsItIs.apply(x)
    print(out is x, out._is_view(), out._base is x, out.grad_fn.name())
    attempt("written to", lambda: AsItIs.apply(x * 1).mul_(2))
    out.backward()
    print(values(x.grad))


@program
def views_may_not_be_written_to():
    x = leaf(1.0, 2.0)
    part = FirstPart.apply(x * 1)
    print(part._is_view(), part.grad_fn.name())
    attempt("one", lambda: part.mul_(2))
    attempt("one of two", lambda: BothParts.apply(x * 1)[1].mul_(2))
    base = x * 1
    part = FirstPart.apply(base)
    attempt("the base", lambda: base.mul_(2))
    with torch.no_grad():
        attempt("not recorded", lambda: FirstPart.apply(x * 1).mul_(2))
    first, second = BothParts.apply(x * 1)
    print(values(grad((first * 2 + second * 3).sum(), x)[0]))


@program
def what_is_dirty():
    x = leaf(1.0, 2.0)
    y = x * 1
    out = InPlace.apply(y)
    print(out is y, y._version, y.grad_fn.name(), values(grad(out.sum(), x)[0]))
    attempt("a leaf", lambda: InPlace.apply(leaf(1.0)))
    attempt("a view of a leaf", lambda: InPlace.apply(leaf(1.0, 2.0)[:1]))
    marks = type("Marks", (Function,), {"forward": staticmethod(lambda ctx, x: (ctx.mark_dirty(x), x.clone())[1])})
    attempt("not returned", lambda: marks.apply(x * 1))


@program
def an_input_returned_and_not_differentiable():
    constant = type(
        "Constant", (Function,), {"forward": staticmethod(lambda ctx, x: (ctx.mark_non_differentiable(x), x)[1])}
    )
    print(constant.apply(leaf(1.0)).requires_grad)


@program
def what_backward_may_give():
    x = leaf(1.0, 1.0)
    given = {
        "none": lambda g: None, "a list": lambda g: [g], "a tuple": lambda g: (g,), "surplus none": lambda g: (g, None),
        "too many": lambda g: (g, g), "a number": lambda g: 1.0, "larger": lambda g: g.expand(3, 2),
        "smaller": lambda g: g[:1], "another type": lambda g: g.double(), "complex": lambda g: g.to(torch.complex64),
    }  # fmt: skip
    for name, result in given.items():
        attempt(name, lambda result=result: giving(result).apply(x).sum().backward())
    print(values(x.grad))


@program
def backward_has_two_names():
    x = leaf(1.0)
    giving(lambda g: g * 3, "vjp").apply(x).backward()
    print(values(x.grad))
    both = type("Both", (giving(lambda g: g),), {"vjp": staticmethod(lambda ctx, g: g)})
    attempt("both", lambda: both.apply(x).backward())


@program
def nodes_can_be_called():
    x, y = leaf(2.0, 3.0), leaf(4.0, 5.0)
    node = (x * y).grad_fn
    print([values(g) for g in node(torch.tensor([1.0, 10.0]))])
    print(values(x.exp().log().grad_fn(torch.ones(2))))
    attempt("without gradients", lambda: node())
    attempt("with too many", lambda: node(torch.ones(2), torch.ones(2)))
    node.register_hook(lambda given, received: (given[0] * 100, given[1]))
    print(values(node(torch.ones(2))[0]))
    print(values(grad(node(torch.ones(2))[0].sum(), y)[0]))


@program
def hooks_return_tensors_of_the_same_dtype():
    x = leaf(1.0)
    x.register_hook(lambda g: g.double())
    attempt("another dtype", lambda: (x * 2).backward())
    y = leaf(1.0).exp()
    y.grad_fn.register_hook(lambda given, received: (5,))
    attempt("a number from a node", lambda: y.backward())


@program
def results_do_not_change_their_flag():
    y = leaf(1.0) * 2
    attempt("off", lambda: setattr(y, "requires_grad", False))
    attempt("on", lambda: setattr(y, "requires_grad", True))
    attempt("on, by the method", lambda: y.requires_grad_())
    attempt("off, by the method", lambda: y.requires_grad_(False))


@program
def pack_hooks_see_leaves_themselves():
    x, seen = leaf(1.0), []
    with torch.autograd.graph.saved_tensors_hooks(lambda t: (seen.append(t is x), t)[1], lambda t: t):
        product = x * x
    print(seen, values(grad(product, x)[0]))


@program
def tensors_are_pickled():
    x = leaf(1.0, 2.0)
    x.grad = torch.ones(2)
    again = pickle.loads(pickle.dumps(x))
    print(values(again), again.requires_grad, again.grad, again.is_leaf, type(again).__name__)
    weights = torch.nn.Linear(2, 1).state_dict()
    same = pickle.loads(pickle.dumps(weights))
    print([torch.equal(same[name], weights[name]) for name in weights])
    result = pickle.loads(pickle.dumps(x * 2))
    print(result.requires_grad, result.is_leaf)
    twin = copy.copy(x)
    print(twin.data_ptr() == x.data_ptr(), twin.requires_grad, twin is x)


@program
def tensors_are_saved():
    file = io.BytesIO()
    torch.save({"weight": torch.arange(3.0)}, file)
    file.seek(0)
    print(values(torch.load(file)["weight"]))


@program
def inputs_of_grad_must_be_tensors():
    x = leaf(1.0)
    attempt("a number", lambda: grad(x * 2, [1]))
    attempt("a text", lambda: grad(x * 2, "x"))
