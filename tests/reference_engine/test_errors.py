"""Bad input raises PyTorch's kind of exception, the message helps, and nothing is harmed.

Each case gets a leaf ``x = [1, 2]`` that is in a graph, does what is not allowed, and must leave the
leaf, its gradient, the modes and that graph as they were. The kinds of exceptions are PyTorch's own: where it is
installed, each case runs there too.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

import reference_engine


class Misuse(NamedTuple):
    """An action on an engine and a leaf, the exception it must raise, and words that its message must have."""

    name: str
    action: Callable[[Any, Any], Any]
    kind: type[Exception]
    phrase: str


def _custom(ad: Any, x: Any, gradient: Any) -> Any:
    class Custom(ad.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, value: Any, n: Any) -> Any:
            return value * n

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return gradient(g)

    return Custom.apply(x, 2).sum().backward()


def _twice(ad: Any, x: Any) -> None:
    y = x.exp().sum()
    ad.autograd.grad(y, x)
    y.backward()


def _changed(ad: Any, x: Any) -> None:
    y = x * 1
    z = (y * y).sum()
    y.add_(1)
    z.backward()


def _hooked(x: Any, hook: Any) -> None:
    y = x * 2
    y.register_hook(hook)
    y.sum().backward()


def _inference(ad: Any) -> Any:
    with ad.inference_mode():
        return ad.ones(2)


def _view_of_no_grad(ad: Any, x: Any) -> None:
    y = x * 1
    with ad.no_grad():
        view = y[:1]
    view.mul_(2)


def _dual(ad: Any, primal: Any, tangent: Any) -> None:
    forward_ad = ad.autograd.forward_ad
    with forward_ad.dual_level():
        forward_ad.make_dual(primal, tangent)


CASES = [
    # backward and grad
    Misuse("backward of a vector", lambda ad, x: (x * 2).backward(), RuntimeError, "scalar outputs"),
    Misuse("backward of a constant", lambda ad, x: ad.ones(1).backward(), RuntimeError, "does not require grad"),
    Misuse("backward twice", _twice, RuntimeError, "retain_graph=True"),
    Misuse("a gradient of another shape", lambda ad, x: (x * 2).backward(ad.ones(3)), RuntimeError, "shape"),
    Misuse("a gradient that is a number", lambda ad, x: (x * 2).backward(1.0), TypeError, "Tensors or None"),
    Misuse("a gradient that is a list", lambda ad, x: (x * 2).backward([1.0, 1.0]), TypeError, "float"),
    Misuse("a complex gradient", lambda ad, x: (x * 2).backward(ad.ones(2) * 1j), RuntimeError, "complex"),
    Misuse("no inputs", lambda ad, x: x.sum().backward(inputs=[]), RuntimeError, "cannot be empty"),
    Misuse("inputs that are numbers", lambda ad, x: x.sum().backward(inputs=[1]), RuntimeError, "Tensors"),
    Misuse(
        "too few gradients",
        lambda ad, x: ad.autograd.backward([x.sum(), x.sum()], [ad.ones(())]),
        RuntimeError,
        "2 tensors and 1 gradients",
    ),
    Misuse("an unused input", lambda ad, x: ad.autograd.grad(x.sum(), x * 2), RuntimeError, "allow_unused"),
    Misuse("a plain input", lambda ad, x: ad.autograd.grad(x.sum(), ad.ones(1)), RuntimeError, "require grad"),
    Misuse(
        "unused inputs as zeros, and not",
        lambda ad, x: ad.autograd.grad(x.sum(), x, allow_unused=False, materialize_grads=True),
        ValueError,
        "materialize_grads",
    ),
    Misuse(
        "a batch without a batch",
        lambda ad, x: ad.autograd.grad(x * 2, x, ad.ones(2), is_grads_batched=True),
        RuntimeError,
        "is_grads_batched",
    ),
    # leaves and their gradients
    Misuse("in place on a leaf", lambda ad, x: x.add_(1), RuntimeError, "leaf"),
    Misuse("in place on a view of a leaf", lambda ad, x: x[:1].add_(1), RuntimeError, "leaf"),
    Misuse("storing into a leaf", lambda ad, x: x.__setitem__(0, 5.0), RuntimeError, "leaf"),
    Misuse("integers that require grad", lambda ad, x: ad.tensor([1]).requires_grad_(), RuntimeError, "floating"),
    Misuse("integers, at birth", lambda ad, x: ad.tensor([1], requires_grad=True), RuntimeError, "floating"),
    Misuse("a parameter of integers", lambda ad, x: ad.nn.Parameter(ad.tensor([1])), RuntimeError, "floating"),
    Misuse("no grad on a result", lambda ad, x: (x * 2).requires_grad_(False), RuntimeError, "leaf"),
    Misuse("requires_grad that is no bool", lambda ad, x: setattr(x, "requires_grad", "yes"), RuntimeError, "bool"),
    Misuse(".grad of another shape", lambda ad, x: setattr(x, "grad", ad.ones(3)), RuntimeError, "size"),
    Misuse(".grad of another dtype", lambda ad, x: setattr(x, "grad", ad.ones(2).double()), RuntimeError, "dtype"),
    Misuse(".grad that is a list", lambda ad, x: setattr(x, "grad", [1.0, 2.0]), TypeError, "list"),
    Misuse(".grad that is itself", lambda ad, x: setattr(x, "grad", x), RuntimeError, "own grad"),
    Misuse(".data that is a list", lambda ad, x: setattr(x, "data", [1.0, 2.0]), TypeError, "list"),
    Misuse(".data of integers", lambda ad, x: setattr(x, "data", ad.tensor([1, 2])), RuntimeError, "floating"),
    # views and saved values
    Misuse("a saved value changed", _changed, RuntimeError, "modified by an inplace operation"),
    Misuse("one of several views", lambda ad, x: (x * 1).unbind()[0].mul_(2), RuntimeError, "multiple views"),
    Misuse("a view made under no_grad", _view_of_no_grad, RuntimeError, "no_grad"),
    Misuse("detach_ of a view", lambda ad, x: (x * 1)[:1].detach_(), RuntimeError, "detach"),
    Misuse("a larger result in place", lambda ad, x: ad.ones(2).add_(ad.ones(3, 2)), RuntimeError, "shape"),
    Misuse("a complex result in place", lambda ad, x: ad.ones(2).add_(1j), RuntimeError, "cast"),
    Misuse("writing to an expanded tensor", lambda ad, x: ad.ones(1).expand(2).add_(1), RuntimeError, "clone"),
    # hooks
    Misuse("a hook on a constant", lambda ad, x: ad.ones(1).register_hook(print), RuntimeError, "require"),
    Misuse("a hook that returns a number", lambda ad, x: _hooked(x, lambda g: 1.0), TypeError, "float"),
    Misuse("a hook that changes the shape", lambda ad, x: _hooked(x, lambda g: g[:1]), RuntimeError, "size"),
    Misuse(
        "a post-accumulate hook on a result",
        lambda ad, x: (x * 2).register_post_accumulate_grad_hook(print),
        RuntimeError,
        "non-leaf",
    ),
    # custom functions
    Misuse("too few gradients from backward", lambda ad, x: _custom(ad, x, lambda g: g), RuntimeError, "number"),
    Misuse(
        "a gradient of another shape from backward",
        lambda ad, x: _custom(ad, x, lambda g: (ad.ones(3), None)),
        RuntimeError,
        "shape",
    ),
    Misuse("a gradient for a number", lambda ad, x: _custom(ad, x, lambda g: (g, g)), RuntimeError, "None"),
    Misuse(
        "a complex gradient for a real input",
        lambda ad, x: _custom(ad, x, lambda g: (g * 1j, None)),
        RuntimeError,
        "index 0",
    ),
    Misuse("a gradient that is no tensor", lambda ad, x: _custom(ad, x, lambda g: (1.0, None)), RuntimeError, "float"),
    # modes
    Misuse("changing an inference tensor", lambda ad, x: _inference(ad).add_(1), RuntimeError, "InferenceMode"),
    Misuse("saving an inference tensor", lambda ad, x: x * _inference(ad), RuntimeError, "saved for backward"),
    Misuse("an inference tensor's version", lambda ad, x: _inference(ad)._version, RuntimeError, "version"),
    # forward mode
    Misuse(
        "a dual outside a level",
        lambda ad, x: ad.autograd.forward_ad.make_dual(ad.ones(1), ad.ones(1)),
        RuntimeError,
        "level",
    ),
    Misuse("a tangent of another shape", lambda ad, x: _dual(ad, ad.ones(1), ad.ones(2)), RuntimeError, "size"),
    Misuse("a dual of integers", lambda ad, x: _dual(ad, ad.tensor([1]), ad.tensor([1])), ValueError, "floating"),
    # numbers and shapes
    Misuse("a sum of misfits", lambda ad, x: x + ad.ones(3), RuntimeError, "shapes [[2], [3]]"),
    Misuse("a number in a tensor's place", lambda ad, x: ad.exp(1.0), TypeError, "Tensor"),
    Misuse("the item of many", lambda ad, x: x.item(), RuntimeError, "elements"),
    Misuse("the truth of many", lambda ad, x: bool(x > 0), RuntimeError, "ambiguous"),
    Misuse("the array of a leaf", lambda ad, x: x.numpy(), RuntimeError, "detach"),
    Misuse("a view that does not fit", lambda ad, x: x.view(3), RuntimeError, "3"),
    Misuse("an index that is not there", lambda ad, x: x[5], IndexError, "5"),
    Misuse("a dimension that is not there", lambda ad, x: x.sum(3), IndexError, "range"),
    # modules
    Misuse(
        "a plain tensor in a parameter's place",
        lambda ad, x: setattr(ad.nn.Linear(1, 1), "weight", ad.ones(1)),
        TypeError,
        "parameter",
    ),
    Misuse("a module without forward", lambda ad, x: ad.nn.Module()(x), NotImplementedError, "forward"),
    Misuse("a new dimension without a size", lambda ad, x: x.expand(-1, 2), RuntimeError, "non-existing dimension"),
    Misuse("the triangle of a vector", lambda ad, x: ad.tril(x), RuntimeError, "at least 2 dimensions"),
]


def _engines() -> Iterator[str]:
    yield "reference_engine"
    if importlib.util.find_spec("torch") is not None:
        yield "torch"


@pytest.mark.parametrize("engine", list(_engines()))
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_it_raises_and_nothing_is_harmed(case: Misuse, engine: str) -> None:
    """The kind of exception is PyTorch's; afterwards the leaf, the modes and an unrelated graph are as before."""
    ad = importlib.import_module(engine)
    x = ad.tensor([1.0, 2.0], requires_grad=True)
    # From before the misuse: its backward at the end shows that nothing of it was lost.
    graph = (x * x).sum()
    with pytest.raises(case.kind) as caught:
        case.action(ad, x)
    # PyTorch's words are its own, and change with its versions.
    if ad is reference_engine:
        assert case.phrase in str(caught.value)
    assert x.tolist() == [1.0, 2.0]
    assert x.grad is None
    assert x.requires_grad
    assert ad.is_grad_enabled()
    graph.backward()
    assert x.grad.tolist() == [2.0, 4.0]
