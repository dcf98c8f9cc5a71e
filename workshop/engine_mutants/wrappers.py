"""Wrappers of public functions: they tell a watch of each call, and do what it says."""

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

__all__ = ["Watch", "watched", "wrapped"]


class Watch:
    """What is to be wrong, and what would have been: `acted` has the texts of the faults that were asked and said yes.

    A watch that is not live changes nothing, and only notes.
    """

    def __init__(self, faults: Sequence[EngineFault], live: bool = True) -> None:
        self.faults, self.live = faults, live
        self.acted: set[str] = set()
        self.seen: dict[int, tuple[Any, int]] = {}
        self.busy = False  # with a fault: what it calls is not what it is about

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
        """Change what is given, or say what to do in place of the call."""
        with self._working():
            for fault in self.faults:
                if fault.stage == stage and fault.found is None and self._acts(fault, call):
                    if fault.instead is not None:
                        return functools.partial(fault.instead, call)
                    assert fault.given is not None
                    call.args, call.options = fault.given(call)
            return None

    def after(self, call: Call, stage: int) -> Any:
        """What is returned for what was found."""
        with self._working():
            for fault in self.faults:
                if fault.stage == stage and fault.found is not None and self._acts(fault, call):
                    call.found = fault.found(call)
            return call.found

    @contextmanager
    def _working(self) -> Iterator[None]:
        self.busy = True
        try:
            yield
        finally:
            self.busy = False


@contextmanager
def watched(target: Target, watch: Watch) -> Iterator[None]:
    """The target is wrapped meanwhile."""
    owner, _, name = target.name.rpartition(".")
    with patched(pkgutil.resolve_name(owner), name, lambda old: wrapped(target, old, watch)):
        yield


def wrapped(target: Target, old: Any, watch: Watch) -> Any:
    """What takes the place of a function, method or attribute."""
    if target.is_property:
        get = _function(target, lambda self: old.__get__(self), watch)
        return property(get, getattr(old, "__set__", None), getattr(old, "__delete__", None))
    function = _function(target, old, watch)
    # A class method, such as Function.apply, is bound to the class that it is called on.
    if inspect.ismethod(old):
        bound = _function(target, lambda cls, *args, **options: old.__func__(cls, *args, **options), watch)
        return classmethod(bound)
    return staticmethod(function) if target.name.endswith(".__new__") else function


def _function(target: Target, old: Callable[..., Any], watch: Watch) -> Any:
    signature = _signature(old)
    one = library(target.library)

    @functools.wraps(old)
    def function(*args: Any, **options: Any) -> Any:
        # What a wrong call does on its way is not its caller's.
        if watch.busy:
            return old(*args, **options)
        call = _call(signature, args, options)
        call.number = _count(watch, one, args)
        instead = watch.before(call, 0)
        call.found = instead() if instead else old(*call.args, **call.options)
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
    bound.apply_defaults()
    defaults = {n: p.default for n, p in signature.parameters.items() if p.default is not p.empty}
    return Call(args, options, dict(bound.arguments), defaults, signature)


def _count(watch: Watch, one: Library, args: tuple[Any, ...]) -> int:
    """How often a function was called with the same first array or object, without keeping it alive."""
    subject = args[0] if args else None
    leaves = one.arrays(subject) if isinstance(subject, (list, tuple)) else [subject]
    first = leaves[0] if leaves else None
    try:
        reference = weakref.ref(first)
    except TypeError:
        return 1
    known, count = watch.seen.get(id(first), (None, 0))
    count = count + 1 if known is not None and known() is first else 1
    watch.seen[id(first)] = reference, count
    return count


def _returned(target: Target, call: Call, watch: Watch) -> Any:
    """What is returned, with functions in it wrapped as well."""
    make = _program_of_jax if target.library == "jax" else _program
    if target.what == PROGRAM:
        return make(call.found, call, watch)
    if target.what == PAIR:
        value, program, *rest = call.found
        return (value, make(program, call, watch), *rest)
    if target.what == PROGRAMS:
        return type(call.found)(make(program, call, watch) for program in call.found)
    return call.found


def _program(found: Callable[..., Any], outer: Call, watch: Watch) -> Any:
    count = 0

    @functools.wraps(found)
    def program(*args: Any, **options: Any) -> Any:
        nonlocal count
        count += 1
        return _inner(found, outer, watch, args, options, count)

    return program


def _inner(
    found: Callable[..., Any],
    outer: Call,
    watch: Watch,
    args: tuple[Any, ...],
    options: dict[str, Any],
    number: int,
) -> Any:
    if watch.busy:
        return found(*args, **options)
    call = Call(args, options, number=number, outer=outer)
    instead = watch.before(call, 1)
    call.found = instead() if instead else found(*call.args, **call.options)
    return watch.after(call, 1)


class _Program:
    """A function that JAX returned: containers of arrays some of them are, with attributes."""

    def __init__(self, found: Any, outer: Call, watch: Watch) -> None:
        self.__wrapped__, self._outer, self._watch, self._count = found, outer, watch, 0

    def __call__(self, *args: Any, **options: Any) -> Any:
        self._count += 1
        return _inner(self.__wrapped__, self._outer, self._watch, args, options, self._count)

    def __getattr__(self, name: str) -> Any:
        if name == "__wrapped__":
            raise AttributeError(name)
        return getattr(self.__wrapped__, name)


def _program_of_jax(found: Any, outer: Call, watch: Watch) -> Any:
    import jax

    if jax.tree_util.all_leaves([found]):
        return _program(found, outer, watch)
    _registered()
    return _Program(found, outer, watch)


@functools.cache
def _registered() -> None:
    import jax

    jax.tree_util.register_pytree_node(
        _Program,
        lambda program: ((program.__wrapped__,), (program._outer, program._watch)),
        lambda told, parts: _Program(parts[0], *told),
    )
