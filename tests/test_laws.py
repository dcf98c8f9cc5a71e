"""Laws: each fails on an adapter that breaks it, and holds on the reference engine."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any

import numpy
import pytest

from adapters.spellings.of_torch import SPELLINGS
from adapters.spellings.of_torch.in_place import IN_PLACE
from adapters.spellings.of_torch.out import OUT
from adapters.with_reference import ReferenceAdapter
from conformance import trial
from conformance.collection import load_all
from conformance.engines import EngineError, load, parse
from conformance.laws import LAWS
from conformance.laws.cotangent_layouts import EXPANDED, SLICED, TRANSPOSED, agrees_for_cotangents
from conformance.laws.in_place import with_in_place_form, with_out
from conformance.laws.kinks import lies_between
from conformance.laws.operation_subject import OperationSubject
from conformance.operations import TABLE
from conformance.operations.samples import Sample, generic, samples
from conformance.protocol import Adapter, Namespace
from conformance.protocol.spellings import NotOffered
from conformance.verdicts import Outcome, Verdict
from tests.zoo import laws as wrong

DECLARED = {law.id: law for law in load_all(LAWS)}

HOMOGENEOUS, SCALES = "homogeneous_operation_scale", "scales_with_its_cotangent"
ORDERS = ("derivative", "second_derivative", "third_derivative")
PRECISIONS = ("double", "single", "half")
BROKEN: list[tuple[str, str, type[Adapter]]] = [
    ("in_place.reverse_mode_of_an_in_place_form_is_that_of_the_operation", "exp", wrong.ForgetsWhatItWrote),
    ("in_place.forward_mode_of_an_in_place_form_is_that_of_the_operation", "exp", wrong.ForgetsWhatItWrote),
    ("in_place.reverse_mode_of_an_in_place_form_reaches_the_base_of_a_view", "exp", wrong.WritesIntoACopy),
    ("in_place.forward_mode_of_an_in_place_form_reaches_the_base_of_a_view", "exp", wrong.WritesIntoACopy),
    ("in_place.reverse_mode_of_an_in_place_form_may_be_given_the_array_itself", "multiply", wrong.ForgetsAnAlias),
    ("in_place.forward_mode_of_an_in_place_form_may_be_given_the_array_itself", "multiply", wrong.ForgetsAnAlias),
    ("in_place.out_with_an_argument_that_requires_grad_raises_an_error", "exp", wrong.WritesOutUnrecorded),
    ("precision.float16_agrees_with_double", "exp", wrong.WRONG_IN_FLOAT16),
    ("layouts.one_transposed_input_among_several_changes_no_gradient", "matmul", wrong.WRONG_IF_TRANSPOSED),
    ("layouts.a_view_that_begins_later_changes_no_gradient", "exp", wrong.WRONG_IF_IT_BEGINS_LATER),
    ("layouts.a_flipped_input_changes_no_gradient", "exp", wrong.WRONG_IF_FLIPPED),
    ("layouts.an_expanded_input_sums_the_gradient", "exp", wrong.WRONG_IF_EXPANDED),
    ("layouts.an_input_without_axes_has_the_gradient_of_its_number", "exp", wrong.WRONG_WITHOUT_AXES),
    ("layouts.an_empty_input_has_an_empty_gradient", "exp", wrong.REFUSES_EMPTY),
    *(
        (f"scale.derivatives_of_a_homogeneous_operation_scale_in_{name}_precision", "hypot", wrong.WRONG_IF_FAR)
        for name in PRECISIONS
    ),
    *(
        (f"scale.the_pullback_scales_with_its_cotangent_in_{name}_precision", "exp", wrong.LosesSmallCotangents)
        for name in PRECISIONS
    ),
    ("layouts.forward_mode_of_an_empty_input_gives_zero", "exp", wrong.REFUSES_EMPTY_TANGENTS),
    ("layouts.second_derivatives_of_an_empty_input_are_zero", "exp", wrong.REFUSES_EMPTY_TANGENTS),
    ("elements.reverse_mode_keeps_nan_and_infinity_apart", "exp", wrong.WRONG_BESIDE_NAN),
    ("elements.forward_mode_keeps_nan_and_infinity_apart", "exp", wrong.WRONG_BESIDE_INFINITY),
    ("elements.reverse_over_reverse_keeps_nan_and_infinity_apart", "exp", wrong.WRONG_BESIDE_NAN),
    ("elements.forward_over_reverse_keeps_nan_and_infinity_apart", "exp", wrong.WRONG_BESIDE_INFINITY),
    ("elements.reverse_mode_gives_an_element_the_same_at_all_lengths", "exp", wrong.WRONG_OF_LENGTH_33),
    ("elements.forward_mode_gives_an_element_the_same_at_all_lengths", "exp", wrong.WRONG_OF_LENGTH_33),
    ("repeats.a_second_call_of_a_gradient_gives_the_same", "exp", wrong.GrowsAGradient),
    ("repeats.a_second_call_of_a_pullback_gives_the_same", "exp", wrong.GrowsAPass),
    ("repeats.reverse_mode_writes_to_nothing", "exp", wrong.WritesIntoACotangent),
    ("repeats.forward_mode_writes_to_nothing", "exp", wrong.WritesIntoATangent),
    ("subsets.a_gradient_by_some_arguments_is_that_part_of_the_gradient", "divide", wrong.MixesUpSubsets),
    ("subsets.a_tangent_of_some_arguments_is_that_with_zeros_for_the_others", "divide", wrong.ForgetsASecondTangent),
    ("subsets.the_gradient_of_some_outputs_is_that_with_zeros_for_the_others", "slogdet", wrong.NEEDS_BOTH_OUTPUTS),
    ("cotangents.an_expanded_cotangent_changes_no_gradient", "exp", wrong.WRONG_FOR_AN_EXPANDED_COTANGENT),
    ("cotangents.a_transposed_cotangent_changes_no_gradient", "matmul", wrong.WRONG_FOR_A_TRANSPOSED_COTANGENT),
    ("cotangents.a_cotangent_that_is_a_slice_changes_no_gradient", "exp", wrong.WRONG_FOR_A_SLICED_COTANGENT),
    *((f"ends.reverse_mode_gives_the_{order}_up_to_the_ends", "exp", wrong.WRONG_AT_ITS_END) for order in ORDERS),
    ("ends.forward_mode_gives_the_derivative_up_to_the_ends", "exp", wrong.WRONG_AT_ITS_END),
    ("complex_inputs.the_vjp_of_a_holomorphic_operation_has_its_convention", "exp", wrong.WRONG_IF_COMPLEX),
    ("kinks.an_engine_has_one_convention_for_a_kind_of_kink", "abs", wrong.WITHOUT_A_CONVENTION),
]


def _tried(law: str, case: str, adapter: type[Adapter]) -> Outcome:
    return trial.run(DECLARED[law], adapter(), case)


@pytest.mark.parametrize(("law", "case", "adapter"), BROKEN, ids=[law.partition(".")[2] for law, _, _ in BROKEN])
def test_a_law_fails_on_an_adapter_that_breaks_it(law: str, case: str, adapter: type[Adapter]) -> None:
    """It differs where no page states the law; and it passes without the adapter's only fault."""
    unstated = all(citation.unstated for citation in DECLARED[law].citations)
    assert _tried(law, case, adapter).verdict is (Verdict.DIFFERS if unstated else Verdict.FAIL)
    assert _tried(law, case, ReferenceAdapter).verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("law", "case", "adapter", "verdict"),
    [
        ("layouts.a_flipped_input_changes_no_gradient", "exp", wrong.WRONG_IF_FLIPPED, Verdict.FAIL),
        ("precision.float16_agrees_with_double", "exp", wrong.WRONG_IN_FLOAT16, Verdict.DIFFERS),
        ("layouts.an_empty_input_has_an_empty_gradient", "exp", wrong.REFUSES_EMPTY, Verdict.DIFFERS),
    ],
    ids=["number", "rounding", "error"],
)
def test_a_wrong_number_is_a_fail_whatever_is_documented(
    law: str, case: str, adapter: type[Adapter], verdict: Verdict
) -> None:
    """Mathematics decides which number is right; no engine has to promise it."""

    class Unpromised(adapter):  # type: ignore[misc, valid-type]
        # No documentation is left that could promise the number.
        held_to = {}  # noqa: RUF012

    assert _tried(law, case, Unpromised).verdict is verdict


def test_forms_that_write_are_those_of_pytorch() -> None:
    """A law's cases are what the table of PyTorch spells: none is left out, and none is tried in vain."""
    assert set(with_in_place_form()) == set(IN_PLACE)
    assert set(with_out()) == set(OUT)


def test_a_holomorphic_gradient_is_no_conjugate() -> None:
    """The law is for engines that have the flag; no source of the reference engine promises it."""
    law = "complex_inputs.a_holomorphic_gradient_is_the_complex_derivative"
    adapters = (wrong.Holomorphic, wrong.Conjugated, ReferenceAdapter)
    verdicts = [_tried(law, "exp", adapter).verdict for adapter in adapters]
    assert verdicts == [Verdict.PASS, Verdict.DIFFERS, Verdict.ABSENT]


def test_bfloat16_of_pytorch_is_compared() -> None:
    """The reference engine has no bfloat16."""
    torch = pytest.importorskip("torch")
    from adapters.with_torch import TorchAdapter

    def spelt(torch: Any, x: Any) -> Any:
        y = torch.exp(x)
        return 1.5 * y - 0.5 * y.detach() if x.dtype == torch.bfloat16 else y

    class Wrong(TorchAdapter):
        np = Namespace(torch, {**SPELLINGS, "exp": spelt})

    law = "precision.bfloat16_agrees_with_double"
    assert _tried(law, "exp", TorchAdapter).verdict is Verdict.PASS
    assert _tried(law, "exp", ReferenceAdapter).verdict is Verdict.ABSENT
    assert _tried(law, "exp", Wrong).verdict is Verdict.DIFFERS


def test_a_kink_has_the_name_of_its_convention() -> None:
    """As recorded with the outcome, by kind if there are several."""
    law = "kinks.an_engine_has_one_convention_for_a_kind_of_kink"
    names = ("relu", "abs", "maximum", "clip", "max")
    conventions = {name: _tried(law, name, ReferenceAdapter).convention for name in names}
    assert conventions == {
        "relu": "lower",
        "abs": "zero",
        "maximum": "mean",
        "clip": "mean",
        "max": "tie: mean, all equal: equal shares",
    }


def test_several_ties_are_each_between_their_sides() -> None:
    """Where ties of different signs are added, the sums of the two sides are no bounds."""
    operation = TABLE["max_with_index"]
    sample = generic(operation)
    for _ in range(8):
        sample = sample.neighbour()
        tied = sample.with_values(tuple(numpy.ones_like(x) for x in sample.differentiated))
        assert lies_between(OperationSubject(ReferenceAdapter(), tied)) is None


def test_special_numbers_keep_their_digits() -> None:
    """Rounded, -9.5 would be a pole of digamma; the other numbers of the point are rounded."""
    (point,) = (sample for sample in samples(TABLE["digamma"]) if -9.5 in sample.differentiated[0])
    points = [simpler.differentiated[0] for simpler in point.simpler()]
    assert all(numbers[0] == -9.5 for numbers in points)
    assert any(numpy.array_equal(numbers, numpy.round(numbers, 1)) for numbers in points[4:])


@pytest.mark.parametrize("name", [name for name, row in TABLE.items() if row.degree is not None])
def test_a_degree_is_true_of_the_values(name: str) -> None:
    """At twice a generic point they are those at the point times two to the degree; by the first engine that has it."""
    row = TABLE[name]
    for variant in range(len(row.options)):
        degree = row.degree_under(variant)
        if degree is None:
            continue
        sample = generic(row, variant)
        once, twice = (_values(sample.with_values(tuple(c * x for x in sample.differentiated))) for c in (1.0, 2.0))
        degrees = degree if isinstance(degree, tuple) else (degree,) * len(once)
        for k, x, y in zip(degrees, once, twice, strict=True):
            numpy.testing.assert_allclose(y, 2.0**k * x, rtol=1e-9, atol=1e-9 * float(numpy.abs(y).max(initial=0.0)))


def _values(sample: Sample) -> list[Any]:
    """The outputs of the operation, by the first engine here that has it."""
    for engine in ("reference", "torch", "jax"):
        with suppress(NotOffered, EngineError):
            subject = OperationSubject(_engine(engine), sample)
            return [subject.ad.to_numpy(x) for x in subject.outputs(*subject.primals)]
    pytest.skip("no engine here has it")


@cache
def _engine(name: str) -> Any:
    return load(parse(name))


def test_cotangents_lie_in_memory_as_a_law_says() -> None:
    """Those that reach an operation of PyTorch: expanded, transposed, and a slice of a larger array."""
    torch = pytest.importorskip("torch")
    from adapters.with_torch import TorchAdapter

    strides = []

    def spelt(torch: Any, x: Any, y: Any) -> Any:
        product = torch.matmul(x, y)
        # The shapes of the outputs are asked for without a graph.
        if product.requires_grad:
            product.register_hook(lambda cotangent: strides.append(cotangent.stride()))
        return product

    class Watching(TorchAdapter):
        np = Namespace(torch, {**SPELLINGS, "matmul": spelt})

    subject = OperationSubject(Watching(), generic(TABLE["matmul"]))
    for handover in (EXPANDED, TRANSPOSED, SLICED):
        assert agrees_for_cotangents(subject, handover) is None
    rows, columns = subject.outline[0].shape
    plain = (columns, 1)
    assert strides == [(1, 0), plain, (1, rows), plain, (2 * columns, 2), plain]
