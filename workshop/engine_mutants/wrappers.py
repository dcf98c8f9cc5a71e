"""Wrappers of public functions, which report each call to a watch and change what it changes."""

from __future__ import annotations

import functools
import inspect
import pkgutil
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from workshop.engine_mutants.engine_fault import Call, EngineFault
from workshop.engine_mutants.library import Library, library
from workshop.engine_mutants.target import PAIR, PROGRAM, PROGRAMS, Target
from workshop.mutant import patched


class Watch:
    """The faults of a wrapper. `acted` has the texts of those whose condition held.

    A watch that is not live changes nothing, and only records.
    """

    def __init__(self, faults: Sequence[EngineFault], live: bool = True) -> None:
        self.faults, self.live = faults, live
        # Texts, as they name mutants.
        self.acted: set[str] = set()
        self.seen: dict[int, tuple[Any, int]] = {}
        self.busy = False  # with a fault, whose own calls are not wrong

    def begin(self) -> None:
        """Forget what was called before: another program begins."""
        self.acted.clear()
        self.seen.clear()

    def _acts(self, fault: EngineFault, call: Call) -> bool:
        try:
            acts = fault.when(call)
        except (AttributeError, TypeError, ValueError, KeyError, IndexError):
            # Wrong calls, whose errors are the library's to raise.
            acts = False
        if acts:
            self.acted.add(fault.text)
        return bool(acts) and self.live

    def before(self, call: Call, stage: int) -> Callable[[], Any] | None:
        """Change the arguments, or return what to do in place of the call."""
        with self._working():
            for fault in self.faults:
                if fault.stage == stage and fault.change_result is None and self._acts(fault, call):
                    if fault.instead is not None:
                        return functools.partial(fault.instead, call)
                    assert fault.change_arguments is not None
                    call.args, call.options = fault.change_arguments(call)
            return None

    def after(self, call: Call, stage: int) -> Any:
        """The result, changed by the faults that act after the call."""
        with self._working():
            for fault in self.faults:
                if fault.stage == stage and fault.change_result is not None and self._acts(fault, call):
                    call.result = fault.change_result(call)
            return call.result

    @contextmanager
    def _working(self) -> Iterator[None]:
        # A fault computes with the library: its own calls must not count, or be wrong, again.
        self.busy = True
        try:
            yield
        finally:
            self.busy = False


@contextmanager
def watched(target: Target, watch: Watch) -> Iterator[None]:
    """Wrap the target."""
    owner, _, name = target.name.rpartition(".")
    with patched(pkgutil.resolve_name(owner), name, lambda old: wrapped(target, old, watch)):
        yield


def wrapped(target: Target, old: Any, watch: Watch) -> Any:
    """The wrapper of a function, method or attribute."""
    if target.is_property:
        get = _function(target, lambda self: old.__get__(self), watch)
        return property(get, getattr(old, "__set__", None), getattr(old, "__delete__", None))
    function = _function(target, old, watch)
    # A class method, such as Function.apply, is bound to the class that it is called on.
    if inspect.ismethod(old):
        bound = _function(target, lambda cls, *args, **options: old.__func__(cls, *args, **options), watch)
        return classmethod(bound)
    # Python makes `__new__` static in a class statement only, not where it is set later.
    return staticmethod(function) if target.name.endswith(".__new__") else function


def _function(target: Target, old: Callable[..., Any], watch: Watch) -> Any:
    # Once per wrapper: binding a call needs the parameters' names and defaults.
    signature = _signature(old)
    lib = library(target.library)

    @functools.wraps(old)
    def function(*args: Any, **options: Any) -> Any:
        # What a wrong call does on its way is not its caller's.
        if watch.busy:
            return old(*args, **options)
        call = _call(signature, args, options)
        call.number = _count(watch, lib, args)
        instead = watch.before(call, 0)
        call.result = instead() if instead else old(*call.args, **call.options)
        watch.after(call, 0)
        return _returned(target, call, watch)

    return function


def _signature(old: Any) -> inspect.Signature | None:
    try:
        return inspect.signature(old)
    except (TypeError, ValueError):
        return None


def _call(signature: inspect.Signature | None, args: tuple[Any, ...], options: dict[str, Any]) -> Call:
    if signature is None:
        return Call(args, options)
    try:
        bound = signature.bind(*args, **options)
    except TypeError:
        return Call(args, options)
    # A condition asks for options that the call may have left out.
    bound.apply_defaults()
    defaults = {n: p.default for n, p in signature.parameters.items() if p.default is not p.empty}
    return Call(args, options, dict(bound.arguments), defaults, signature)


def _count(watch: Watch, lib: Library, args: tuple[Any, ...]) -> int:
    """Number of calls with the same first array or object, which is not kept alive."""
    subject = args[0] if args else None
    leaves = lib.arrays(subject) if isinstance(subject, (list, tuple)) else [subject]
    first = leaves[0] if leaves else None
    try:
        # An id alone would count calls on a new object in the place of one that is gone.
        reference = weakref.ref(first)
    except TypeError:
        return 1
    known, count = watch.seen.get(id(first), (None, 0))
    count = count + 1 if known is not None and known() is first else 1
    watch.seen[id(first)] = reference, count
    return count


def _returned(target: Target, call: Call, watch: Watch) -> Any:
    """The result, with functions in it wrapped as well."""
    # JAX flattens functions that it returned, such as a pullback, as containers of residuals.
    make = _program_of_jax if target.library == "jax" else _program
    if target.what == PROGRAM:
        return make(call.result, call, watch)
    if target.what == PAIR:
        value, program, *rest = call.result
        return (value, make(program, call, watch), *rest)
    if target.what == PROGRAMS:
        return type(call.result)(make(program, call, watch) for program in call.result)
    return call.result


def _program(function: Callable[..., Any], outer: Call, watch: Watch) -> Any:
    count = 0

    @functools.wraps(function)
    def program(*args: Any, **options: Any) -> Any:
        nonlocal count
        count += 1
        return _inner(function, outer, watch, args, options, count)

    return program


def _inner(
    function: Callable[..., Any],
    outer: Call,
    watch: Watch,
    args: tuple[Any, ...],
    options: dict[str, Any],
    number: int,
) -> Any:
    if watch.busy:
        return function(*args, **options)
    call = Call(args, options, number=number, outer=outer)
    instead = watch.before(call, 1)
    call.result = instead() if instead else function(*call.args, **call.options)
    return watch.after(call, 1)


class _Program:
    """A function that JAX returned: containers of arrays some of them are, with attributes."""

    def __init__(self, function: Any, outer: Call, watch: Watch) -> None:
        self.__wrapped__, self._outer, self._watch, self._count = function, outer, watch, 0

    def __call__(self, *args: Any, **options: Any) -> Any:
        self._count += 1
        return _inner(self.__wrapped__, self._outer, self._watch, args, options, self._count)

    def __getattr__(self, name: str) -> Any:
        # Copying and unpickling look attributes up before `__init__` has run: without this, recursion.
        if name == "__wrapped__":
            raise AttributeError(name)
        return getattr(self.__wrapped__, name)


def _program_of_jax(function: Any, outer: Call, watch: Watch) -> Any:
    import jax

    # A plain function is a leaf, and stays one; a pullback is a container, and its wrapper has to be.
    if jax.tree_util.all_leaves([function]):
        return _program(function, outer, watch)
    _registered()
    return _Program(function, outer, watch)


@functools.cache
def _registered() -> None:
    import jax

    jax.tree_util.register_pytree_node(
        _Program,
        lambda program: ((program.__wrapped__,), (program._outer, program._watch)),
        lambda context, parts: _Program(parts[0], *context),
    )
