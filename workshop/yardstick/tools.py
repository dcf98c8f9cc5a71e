"""The tools that are scored: each as a function of a call, which gives the complaint of each question it asks."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from importlib import import_module
from typing import Any

from autograd_conformance import check
from conformance.messages import first_line
from workshop.yardstick.case import CustomCall

# The complaint of a question: "" if there is none, None if it does not apply to the function.
Complaints = dict[str, str | None]
Asked = tuple[str, Callable[[], Any]]
Options = Mapping[str, Mapping[str, bool]]
# Beside NotImplementedError, how engines refuse what a function does not support.
REFUSALS = (
    "does not support it because it has not been implemented yet",
    "can't apply forward-mode autodiff (jvp) to a custom_vjp function",
    "you must override the setup_context",
    "marked with @once_differentiable",
)
DEFAULT: Options = {"default": {}}
OF_GRADCHECK: Options = {
    **{name: {name: True} for name in ("check_forward_ad", "check_batched_grad", "check_grad_dtypes", "fast_mode")},
    "check_batched_forward_grad": {"check_forward_ad": True, "check_batched_forward_grad": True},
}
OF_GRADGRADCHECK: Options = {
    name: {name: True}
    for name in ("gen_non_contig_grad_outputs", "check_fwd_over_rev", "check_batched_grad", "fast_mode")
}


def by_laws(call: CustomCall) -> Complaints:
    """`check`: of each law, what it compares, or the error."""
    report = check(call.function, *call.arguments, raises=False, **call.declared)
    asked = [answer for answer in report.answers if answer.status in ("holds", "broken")]
    return {answer.law: (answer.what or answer.error) if answer.status == "broken" else "" for answer in asked}


def by_gradcheck(name: str, options: Options, call: CustomCall) -> Complaints:
    """gradcheck or gradgradcheck, once with each of the options."""
    torch: Any = import_module("torch")
    if name == "gradgradcheck" and call.declared.get("order", 2) < 2:
        return {}
    function, arguments = _in_torch(call)
    tool = getattr(torch.autograd, name)
    # It returns True, or raises an error.
    return _complaints((question, partial(tool, function, arguments, **chosen)) for question, chosen in options.items())


def _in_torch(call: CustomCall) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """The function with arguments as the documentation of gradcheck asks for them: double, data without gradient."""
    torch: Any = import_module("torch")
    function, arguments = call.function, [*call.arguments]
    if isinstance(function, torch.nn.Module):
        parameters = dict(function.double().named_parameters())
        function, arguments = partial(_called, function, [*parameters]), [*parameters.values(), *arguments]
    names = _names(function)
    constant = {*call.declared.get("constant", ())}
    marked = any(isinstance(x, torch.Tensor) and x.requires_grad for x in call.arguments)
    for at, x in enumerate(arguments):
        if isinstance(x, torch.Tensor) and (x.is_floating_point() or x.is_complex()):
            free = x.requires_grad if marked else not {at, *names[at : at + 1]} & constant
            double = x.detach().to(torch.promote_types(x.dtype, torch.float64))
            arguments[at] = double.requires_grad_(free)

    def outputs(*xs: Any) -> Any:
        # It takes no containers of outputs, nor writes to a leaf.
        xs = (xs[0].clone(), *xs[1:]) if call.declared.get("inplace") else xs
        leaves = torch.utils._pytree.tree_leaves(function(*xs, **call.declared.get("options", {})))
        return tuple(x for x in leaves if isinstance(x, torch.Tensor) and (x.is_floating_point() or x.is_complex()))

    return outputs, tuple(arguments)


def _called(module: Any, names: list[str], *xs: Any) -> Any:
    """The output of a module with these parameters, which come first."""
    parameters = dict(zip(names, xs, strict=False))
    return import_module("torch.func").functional_call(module, parameters, xs[len(names) :])


def _names(function: Callable[..., Any]) -> list[str]:
    try:
        return [*inspect.signature(function).parameters]
    except (TypeError, ValueError):
        return []


def by_opcheck(call: CustomCall) -> Complaints:
    """Each of its tests, of operators of `torch.library` alone."""
    torch: Any = import_module("torch")
    if not isinstance(call.function, torch.library.CustomOpDef):
        return {}
    arguments = tuple(
        x.clone().requires_grad_() if isinstance(x, torch.Tensor) and x.is_floating_point() else x
        for x in call.arguments
    )
    outcomes = torch.library.opcheck(call.function, arguments, raise_exception=False)
    return {test: "" if outcome == "SUCCESS" else str(outcome) for test, outcome in outcomes.items()}


def by_check_grads(call: CustomCall) -> Complaints:
    """Each of its modes, to the order that the author declares."""
    check_grads: Any = import_module("jax.test_util").check_grads
    names, constant = _names(call.function), {*call.declared.get("constant", ())}
    floats = [at for at, x in enumerate(call.arguments) if hasattr(x, "dtype") and x.dtype.kind in "fc"]
    free = [at for at in floats if not {at, *names[at : at + 1]} & constant]

    def function(*xs: Any) -> Any:
        arguments = [*call.arguments]
        for at, x in zip(free, xs, strict=True):
            arguments[at] = x
        return call.function(*arguments, **call.declared.get("options", {}))

    given, order = tuple(call.arguments[at] for at in free), call.declared.get("order", 2)
    return _complaints((mode, partial(check_grads, function, given, order, modes=[mode])) for mode in ("fwd", "rev"))


def _complaints(questions: Iterable[Asked] | Iterator[Asked]) -> Complaints:
    complaints: Complaints = {}
    for name, ask in questions:
        try:
            ask()
            complaints[name] = ""
        except NotImplementedError:
            complaints[name] = None
        except Exception as error:
            refused = any(words in str(error) for words in REFUSALS)
            complaints[name] = None if refused else first_line(error) or type(error).__name__
    return complaints


TOOLS: Mapping[str, Mapping[str, Callable[[CustomCall], Complaints]]] = {
    "torch": {
        "check": by_laws,
        "gradcheck": partial(by_gradcheck, "gradcheck", DEFAULT),
        "gradcheck, each option": partial(by_gradcheck, "gradcheck", OF_GRADCHECK),
        "gradgradcheck": partial(by_gradcheck, "gradgradcheck", DEFAULT),
        "gradgradcheck, each option": partial(by_gradcheck, "gradgradcheck", OF_GRADGRADCHECK),
        "opcheck": by_opcheck,
    },
    "jax": {"check": by_laws, "check_grads": by_check_grads},
}
