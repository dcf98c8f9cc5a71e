"""The laws of the transforms hold on every engine, for programs and containers that are drawn, and can fail."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from conformance.programs.engine import engine_of
from tests.transforms import laws
from tests.transforms.drawn import Leaf, Smooth, filled, flattened, leaves, programs, unflattened

VECTORS = st.sampled_from([Leaf((2,)), Leaf((3,))])
MODULES = {"reference": "reference_engine", "torch": "torch", "torch_func": "torch", "jax": "jax"}
# JAX compiles each primitive for each shape; torch.func.linearize traces the program.
EXAMPLES = {"jax": 2, "torch_func": 8}
ANY, VECTOR = programs(), programs(VECTORS, VECTORS)
# The programs that a law is for, and what it needs of an engine beside `vjp` and `jvp`.
LAWS: dict[laws.Law, tuple[st.SearchStrategy[Smooth], tuple[str, ...]]] = {
    laws.the_jvp_is_the_derivative: (ANY, ()),
    laws.the_vjp_is_the_transposed_derivative: (ANY, ()),
    laws.the_jvp_is_linear: (ANY, ()),
    laws.the_vjp_is_linear: (ANY, ()),
    laws.vjp_and_jvp_are_transposes: (ANY, ()),
    laws.the_chain_rule_of_jvp: (ANY, ()),
    laws.the_chain_rule_of_vjp: (ANY, ()),
    laws.a_jvp_transposed_is_the_vjp: (ANY, ()),
    laws.a_linearized_program_is_the_jvp: (ANY, ("linearize",)),
    laws.a_transposed_linear_program_is_the_vjp: (ANY, ("linearize", "linear_transpose")),
    laws.vmap_is_a_loop: (ANY, ("vmap",)),
    laws.vmap_of_a_vjp_is_a_loop: (ANY, ("vmap",)),
    laws.vmap_of_a_jvp_is_a_loop: (ANY, ("vmap",)),
    laws.jacobians_multiply: (VECTOR, ("jacobian", "jacfwd")),
    laws.hessians_are_symmetric: (programs(st.just(Leaf(())), VECTORS), ("hessian", "jacobian", "jacfwd")),
}
# Within vmap a tape takes no gradient, and PyTorch's makes no dual numbers: torch.func is for that.
ONLY_TRANSFORMS: dict[str, tuple[laws.Law, ...]] = {
    "reference": (laws.vmap_of_a_vjp_is_a_loop,),
    "torch": (laws.vmap_of_a_vjp_is_a_loop, laws.vmap_of_a_jvp_is_a_loop),
}


class Tape:
    """A tape: dual numbers are arrays, so a JVP is between arrays, and a pullback is called once."""

    def __init__(self, ad: Any) -> None:
        self._ad = ad

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ad, name)

    def jvp(self, program: Callable[..., Any], primals: Any, tangents: Any) -> Any:
        given: list[Any] = []

        def between_arrays(*arrays: Any) -> Any:
            output = program(*filled(primals, iter(arrays)))
            given[:] = [filled(output, iter([Leaf(tuple(array.shape)) for array in leaves(output)]))]
            return flattened(self._ad, output)

        pair = self._ad.jvp(between_arrays, tuple(leaves(primals)), tuple(leaves(tangents)))
        return tuple(unflattened(self._ad, given[0], flat) for flat in pair)

    def vjp(self, program: Callable[..., Any], *primals: Any) -> Any:
        output, _ = self._ad.vjp(program, *primals)
        return output, lambda cotangent: self._ad.vjp(program, *primals)[1](cotangent)


def loaded(spec: str) -> Any:
    """The verbs of an engine."""
    engine = engine_of(spec)
    return Tape(engine.ad) if engine.has("backward") else engine.ad


def holds(law: laws.Law, ad: Any, examples: int, phases: tuple[Phase, ...] = tuple(Phase)) -> None:
    """Try the law on programs that are the same in each run."""
    unhurried = settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=phases,
        suppress_health_check=list(HealthCheck),
    )
    unhurried(given(LAWS[law][0])(lambda one: law(ad, one)))()


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("spec", MODULES)
def test_a_law_holds(spec: str, law: laws.Law) -> None:
    """On each engine that has the verbs, tapes among them."""
    if find_spec(MODULES[spec]) is None:
        pytest.skip("not installed")
    engine = engine_of(spec)
    if missing := [verb for verb in LAWS[law][1] if not engine.has(verb)]:
        pytest.skip(f"has no {missing[0]}")
    if law in ONLY_TRANSFORMS.get(spec, ()):
        pytest.skip("a tape does not do this within vmap")
    holds(law, loaded(spec), EXAMPLES.get(spec, 25))


class Wrong:
    """An engine with one verb that is wrong."""

    def __init__(self, ad: Any, verb: str, fault: Callable[[Any], Any]) -> None:
        self._ad, self._verb, self._fault = ad, verb, fault

    def __getattr__(self, name: str) -> Any:
        right = getattr(self._ad, name)
        return self._fault(right) if name == self._verb else right


def scaled(tree: Any, factor: float) -> Any:
    return filled(tree, iter([factor * array for array in leaves(tree)]))


def tangent_doubled(jvp: Any) -> Any:
    def wrong(*args: Any) -> Any:
        output, tangent = jvp(*args)
        return output, scaled(tangent, 2.0)

    return wrong


def tangent_squared(jvp: Any) -> Any:
    def wrong(*args: Any) -> Any:
        output, tangent = jvp(*args)
        return output, filled(tangent, iter([one * one for one in leaves(tangent)]))

    return wrong


def only_the_first_tangent(jvp: Any) -> Any:
    return lambda program, primals, tangents: jvp(program, primals, (tangents[0], scaled(tangents[1], 0.0)))


def first_cotangent_doubled(vjp: Any) -> Any:
    def wrong(program: Any, *primals: Any) -> Any:
        output, pullback = vjp(program, *primals)

        def both(cotangent: Any) -> Any:
            first, *others = pullback(cotangent)
            return (scaled(first, 2.0), *others)

        return output, both

    return wrong


def second_call_doubled(vjp: Any) -> Any:
    def wrong(program: Any, *primals: Any) -> Any:
        output, pullback = vjp(program, *primals)
        calls: list[None] = []

        def counted(cotangent: Any) -> Any:
            calls.append(None)
            return scaled(tuple(pullback(cotangent)), 2.0 if len(calls) == 2 else 1.0)

        return output, counted

    return wrong


def linear_part_doubled(linearize: Any) -> Any:
    def wrong(program: Any, *primals: Any) -> Any:
        output, linear = linearize(program, *primals)
        return output, lambda *tangents: scaled(linear(*tangents), 2.0)

    return wrong


def result_doubled(verb: Any) -> Any:
    return lambda program, *args, **options: lambda *given: scaled(verb(program, *args, **options)(*given), 2.0)


def one_entry_lost(hessian: Any) -> Any:
    def wrong(program: Any) -> Any:
        def matrix(x: Any) -> Any:
            found = hessian(program)(x)
            return 1.0 * found - found[0:1]

        return matrix

    return wrong


@pytest.mark.parametrize(
    ("law", "spec", "verb", "fault"),
    [
        (laws.the_jvp_is_the_derivative, "reference", "jvp", only_the_first_tangent),
        (laws.the_vjp_is_the_transposed_derivative, "reference", "vjp", first_cotangent_doubled),
        (laws.the_jvp_is_linear, "reference", "jvp", tangent_squared),
        (laws.the_vjp_is_linear, "reference", "vjp", second_call_doubled),
        (laws.vjp_and_jvp_are_transposes, "reference", "vjp", first_cotangent_doubled),
        (laws.the_chain_rule_of_jvp, "reference", "jvp", tangent_doubled),
        (laws.the_chain_rule_of_vjp, "reference", "vjp", first_cotangent_doubled),
        (laws.a_jvp_transposed_is_the_vjp, "reference", "jvp", tangent_doubled),
        (laws.a_linearized_program_is_the_jvp, "torch_func", "linearize", linear_part_doubled),
        (laws.a_transposed_linear_program_is_the_vjp, "jax", "linear_transpose", result_doubled),
        (laws.vmap_is_a_loop, "reference", "vmap", result_doubled),
        (laws.vmap_of_a_vjp_is_a_loop, "torch_func", "vmap", result_doubled),
        (laws.vmap_of_a_jvp_is_a_loop, "reference", "vmap", result_doubled),
        (laws.jacobians_multiply, "reference", "jacfwd", result_doubled),
        (laws.hessians_are_symmetric, "reference", "hessian", one_entry_lost),
    ],
    ids=lambda part: getattr(part, "__name__", part),
)
def test_a_wrong_engine_breaks_the_law(law: laws.Law, spec: str, verb: str, fault: Callable[[Any], Any]) -> None:
    """Each law can fail."""
    if find_spec(MODULES[spec]) is None:
        pytest.skip("not installed")
    with pytest.raises(AssertionError):
        holds(law, Wrong(loaded(spec), verb, fault), 2, (Phase.generate,))
