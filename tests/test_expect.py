"""The assertions of a check: what passes, what fails, and that messages say got, expected and call."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from conformance.behaviour import MUST, Behaviour, Citation, jax, torch
from conformance.expect import an_error, close, equal, one_of, raises, verb_in, warns
from conformance.trial import run
from conformance.verdicts import Outcome, Reason, Verdict, Witness
from tests.zoo.adapters import Healthy, PromisesNothing
from tests.zoo.precision import AgreeingArray, AgreeingName, LacksDoubles

PLAIN = (torch("torch.Tensor.backward"),)
# On Healthy, which is held to torch, `yes` is the documented convention; on PromisesNothing, held to jax, `no`.
TWO = (
    replace(torch("torch.Tensor.backward"), convention="yes"),
    replace(jax("jax.grad", raises=ValueError), convention="no"),
)


def tried(check: Callable[[Any], Any], *citations: Citation, engine: type[Healthy] = Healthy) -> Outcome:
    """The outcome of a check on the toy engine."""
    return run(Behaviour("chapter", "name", MUST, "S.", citations or PLAIN, check), engine())


class Unshowable:
    """Raises an error when it is shown."""

    def __repr__(self) -> str:
        raise RuntimeError("unshowable")


PASSING: dict[str, Callable[[Any], Any]] = {
    "rounding": lambda ad: close(np.array([0.1 + 0.2]), [0.3]),
    # 0.1 is another number in single and half precision: the tolerance is that of the dtype.
    "float32_rounding": lambda ad: close(np.float32(0.1) * np.ones(1, "float32"), [0.1], dtype="float32"),
    "float16_rounding": lambda ad: close(np.float16(0.1), 0.1, dtype="float16"),
    # 5.6e-17 for a zero: by a relative tolerance alone it would fail.
    "a_sum_that_cancels": lambda ad: close(np.array([0.1 + 0.2 - 0.3, 1.0]), [0.0, 1.0]),
    # Python's floats are always of double precision, and the width of integers is the engine's choice.
    "a_number_of_python": lambda ad: close(0.1, 0.1, dtype="float32"),
    "narrow_integers": lambda ad: close(np.array([1, 2], "int32"), [1, 2]),
    "infinities": lambda ad: close(np.array([np.inf, -np.inf, 1.0]), [float("inf"), float("-inf"), 1.0]),
    "containers": lambda ad: close((np.ones(2), {"a": np.zeros(())}), ([1.0, 1.0], {"a": 0.0})),
    "nan_is_nan": lambda ad: close(np.array([np.nan]), [np.nan]),
    "none_in_a_container": lambda ad: close((np.ones(1), None), ([1.0], None)),
    "a_stated_tolerance": lambda ad: close(np.array(0.7363), 0.73632, within=5e-5, because="printed to four digits"),
    "equality": lambda ad: equal((2, 3), (2, 3)),
}


@pytest.mark.parametrize("name", PASSING)
def test_what_is_expected_passes(name: str) -> None:
    """Numbers up to the rounding of their dtype, containers item by item."""
    assert tried(PASSING[name]) == Outcome(Verdict.PASS)


FAILING: dict[str, Callable[[Any], Any]] = {
    "number": lambda ad: close(np.array([1.0, 0.0]), [0.5, 0.5]),
    "call": lambda ad: close(np.array(1.0), 2.0),
    "shape": lambda ad: close(np.ones((1, 1)), [1.0]),
    "none": lambda ad: close(None, [1.0]),
    "not_none": lambda ad: close(np.ones(1), None),
    "length": lambda ad: close((np.ones(1),), ([1.0], [1.0])),
    "not_a_container": lambda ad: close(np.ones(1), ([1.0],)),
    "item": lambda ad: close((np.ones(1), np.ones(1)), ([1.0], [2.0])),
    "rounding": lambda ad: close(np.array([0.3001]), [0.3]),
    "half_precision": lambda ad: close(np.ones(1, "float16"), [1.0]),
    "single_precision": lambda ad: close(np.ones(1, "float32"), [1.0]),
    "double_precision": lambda ad: close(np.ones(1), [1.0], dtype="float32"),
    # An absolute tolerance as large as half precision's relative one would let it pass.
    "one_percent_in_half_precision": lambda ad: close(np.array([0.101], "float16"), [0.1], dtype="float16"),
    "a_thousandth_in_single_precision": lambda ad: close(np.array([1.001], "float32"), [1.0], dtype="float32"),
    "one_infinity": lambda ad: close(np.array([1e308]), [float("inf")]),
    "integers_for_floats": lambda ad: close(np.ones(1, int), [1.0]),
    "floats_for_integers": lambda ad: close(np.ones(1), [1]),
    "complex_for_real": lambda ad: close(np.ones(1, complex), [1.0]),
    "too_many_elements": lambda ad: close(np.broadcast_to(3.0, (10**6, 10**6)), [3.0]),
    # Only the first hundred items are shown; the last would raise an error.
    "too_many_items": lambda ad: close((*range(1000), Unshowable()), [3.0]),
    "an_array_that_agrees": lambda ad: close(np.ones(1).view(AgreeingArray), [2.0]),
    "a_name_that_agrees": lambda ad: equal(("float16", AgreeingName("float16")), ("float16", "float64")),
    # 1 == True in Python.
    "truth_is_no_number": lambda ad: equal(1, True),
    "truth_is_no_number_in_a_tuple": lambda ad: equal((1, 2), (True, 2)),
    "no_error": lambda ad: raises(lambda: 3),
    "no_warning": lambda ad: warns(lambda: 3),
    "an_exception": lambda ad: close(ad.array([1.0])[5], 1.0),
}
# Not beside the checks: a message ends with its check's source line, and would contain the phrase.
SAYS = {
    "number": "got [1.0, 0.0], expected [0.5, 0.5] in ",
    "call": "close(np.array(1.0), 2.0)",
    "shape": "of shape (1, 1), expected [1.0] of shape (1,)",
    "none": "got None, expected [1.0]",
    "not_none": "expected None",
    "length": "got 1 items, expected 2",
    "not_a_container": "expected a container of 1",
    "item": "at item 1",
    "rounding": "got [0.3001]",
    "half_precision": "got float16, expected float64: got [1.0], expected [1.0] in ",
    "single_precision": "got float32, expected float64: got [1.0]",
    "double_precision": "got float64, expected float32: got [1.0]",
    "one_percent_in_half_precision": "got [0.10101318359375], expected [0.1] in ",
    "a_thousandth_in_single_precision": "got [1.00100004",
    "one_infinity": "got [1e+308], expected [inf]",
    "integers_for_floats": "got int64, expected float64: got [1], expected [1.0]",
    "floats_for_integers": "got float64, expected int64: got [1.0], expected [1]",
    "complex_for_real": "got complex128, expected float64",
    "too_many_elements": "of shape (1000000, 1000000), expected [3.0] of shape (1,)",
    "too_many_items": "got (0, 1, 2, 3, 4, 5, 6, 7,",
    "an_array_that_agrees": "got [1.0], expected [2.0]",
    "a_name_that_agrees": "expected ('float16', 'float64')",
    "truth_is_no_number": "got 1, expected True",
    "truth_is_no_number_in_a_tuple": "got (1, 2), expected (True, 2)",
    "no_error": "got 3, expected an error in ",
    "no_warning": "got 3 and no warning",
    "an_exception": "raised IndexError",
}


@pytest.mark.parametrize("name", FAILING)
def test_an_unexpected_value_fails_with_a_reason(name: str) -> None:
    """The message has got, expected and the call; without a promise, it is `differs`."""
    check, phrase = FAILING[name], SAYS[name]
    outcome = tried(check)
    assert outcome.verdict is Verdict.FAIL
    assert phrase in outcome.message
    assert tried(check, engine=PromisesNothing).verdict is Verdict.DIFFERS


def test_a_citation_without_a_sentence_promises_nothing() -> None:
    """But its type of error and its phrase are those that are expected."""
    cited = Citation("torch", "torch.amax", raises=ValueError, says="phrase", unstated="only the message states it")
    wrong, right = (tried(lambda ad, error=error: raises(error), cited) for error in (_key_error, _phrase))
    assert (wrong.verdict, "expected ValueError" in wrong.message) == (Verdict.DIFFERS, True), wrong.message
    assert right.verdict is Verdict.PASS


def _key_error() -> None:
    raise LookupError("phrase")


def _phrase() -> None:
    raise ValueError("a phrase")


def test_an_engine_without_doubles_is_held_to_single_precision() -> None:
    """Where double precision is declared missing, single is asked for: in dtype and in tolerance."""
    numbers: Callable[[Any], Any] = lambda ad: close(ad.array([0.1]), [0.1])  # noqa: E731
    assert tried(numbers, engine=LacksDoubles).verdict is Verdict.PASS
    off = tried(lambda ad: close(ad.detach(ad.array([0.1])), [0.1]), engine=LacksDoubles)
    assert "got [0.100" in off.message
    doubled = tried(lambda ad: close(np.ones(1), [1.0]), engine=LacksDoubles)
    assert "got float64, expected float32: got [1.0]" in doubled.message


def test_what_an_engine_puts_in_the_place_of_numpys_functions_is_not_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison has its own references to NumPy's functions."""

    def check(ad: Any) -> None:
        for name in ("allclose", "isclose", "array_equal", "asarray", "errstate", "ndarray", "dtype", "generic"):
            monkeypatch.setattr(np, name, lambda *args, **kwargs: True)
        close(3.0, 4.0)

    outcome = tried(check)
    monkeypatch.undo()
    assert (outcome.verdict, outcome.message) == (Verdict.FAIL, "got 3.0, expected 4.0 in close(3.0, 4.0)")


def _raise(error: Exception) -> None:
    raise error


def test_an_error_has_the_promised_type_and_phrase() -> None:
    """An error of another type, or without the promised phrase, breaks the promise."""
    promise = torch("torch.Tensor.backward", raises=ValueError, says="Scalar")
    assert tried(lambda ad: raises(lambda: _raise(ValueError("a scalar is needed"))), promise).verdict is Verdict.PASS
    wrong_type = tried(lambda ad: raises(lambda: _raise(TypeError("scalar"))), promise)
    assert "raised TypeError: scalar; expected ValueError" in wrong_type.message
    wrong_words = tried(lambda ad: raises(lambda: _raise(ValueError("no"))), promise)
    assert "expected a message that says 'Scalar'" in wrong_words.message


def test_a_promised_error_may_be_a_class_of_the_engine() -> None:
    """Where only the engine has the class, its dotted name is given."""
    promise = torch("torch.Tensor.backward", raises="numpy.linalg.LinAlgError")
    assert tried(lambda ad: raises(lambda: np.linalg.inv(np.zeros((2, 2)))), promise).verdict is Verdict.PASS
    assert tried(lambda ad: raises(lambda: _raise(ValueError())), promise).verdict is Verdict.FAIL


def test_a_warning_has_the_promised_type_and_phrase() -> None:
    """A promised warning must be among those given, and what the action returns is handed on."""
    promise = torch("torch.Tensor.backward", warns=FutureWarning, says="old")

    def acting(category: type[Warning], text: str) -> Callable[[Any], None]:
        return lambda ad: equal(warns(lambda: (warnings.warn(text, category, stacklevel=1), 7)[1]), 7)

    assert tried(acting(FutureWarning, "an old name"), promise).verdict is Verdict.PASS
    assert "expected FutureWarning" in tried(acting(UserWarning, "an old name"), promise).message
    assert "says 'old'" in tried(acting(FutureWarning, "a name"), promise).message


def test_a_convention_is_held_to_the_engines_source() -> None:
    """The documented convention passes, another listed one fails, and passes without a promise."""
    given: Callable[[Any], Any] = lambda ad: one_of(np.array(1.0), yes=1.0, no=2.0)  # noqa: E731
    other: Callable[[Any], Any] = lambda ad: one_of(np.array(2.0), yes=1.0, no=2.0)  # noqa: E731
    assert tried(given, *TWO) == Outcome(Verdict.PASS, "yes")
    assert (tried(other, *TWO).verdict, tried(other, *TWO).convention) == (Verdict.FAIL, "no")
    assert tried(given, *TWO, engine=PromisesNothing).verdict is Verdict.FAIL  # it is held to jax
    unlisted = tried(lambda ad: one_of(np.array(3.0), yes=1.0, no=2.0), *TWO)
    assert (unlisted.verdict, unlisted.convention) == (Verdict.FAIL, None)
    assert "expected one of yes (1.0), no (2.0)" in unlisted.message
    assert tried(lambda ad: one_of(np.float16(1.0), yes=1.0, no=2.0), *TWO).verdict is Verdict.FAIL


def test_an_error_can_be_a_convention() -> None:
    """`an_error` among the conventions is an error of the type that its citation names."""
    check: Callable[[Any], Any] = lambda ad: one_of(lambda: _raise(TypeError("no")), yes=1.0, no=an_error)  # noqa: E731
    assert tried(check, *TWO).convention == "no"
    assert tried(check, *TWO, engine=PromisesNothing).verdict is Verdict.FAIL  # jax documents a ValueError


FAULTS: dict[str, tuple[Callable[[Any], Any], tuple[Citation, ...], str]] = {
    "no_assertion": (lambda ad: None, PLAIN, "asserts nothing"),
    "no_tolerance": (lambda ad: close(1.0, 1.0, dtype="bfloat16"), PLAIN, "close(dtype='bfloat16') has no tolerance"),
    "no_reason": (lambda ad: close(np.ones(1), [1.0], within=1.0), PLAIN, "a tolerance has its reason"),
    "other_names": (lambda ad: one_of(np.ones(1), yes=1.0, maybe=2.0), TWO, "one_of names ['maybe', 'yes']"),
    "alike": (lambda ad: one_of(np.array(1.0), yes=1.0, no=1.0), TWO, "cannot tell the conventions"),
    "not_returned": (lambda ad: equal(1, 1), TWO, "return one_of(...)"),
    "unknown_verb": (lambda ad: close(ad.aray([1.0]), [1.0]), PLAIN, "did you mean ad.array?"),
    # An unknown verb is noted when it is asked for, so that no assertion can take its error for the engine's.
    "swallowed": (lambda ad: raises(lambda: ad.aray([1.0])), PLAIN, "did you mean ad.array?"),
    "wrong_call": (lambda ad: close(ad.array(), [1.0]), PLAIN, "was called wrongly"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_the_check_is_an_error(name: str) -> None:
    """A check that no engine could pass or fail is an error, even where `raises` would have caught the exception."""
    check, citations, phrase = FAULTS[name]
    outcome = tried(check, *citations)
    assert outcome.verdict is Verdict.ERROR
    assert phrase in outcome.message


def test_a_missing_feature_cannot_be_swallowed() -> None:
    """`raises` does not take the lack of a verb, or of an argument, for an error of the engine."""
    lacking = tried(lambda ad: raises(lambda: ad.vmap(abs)))
    assert (lacking.verdict, "says nothing about vmap" in lacking.message) == (Verdict.UNSUPPORTED, True)
    argument = tried(lambda ad: raises(lambda: ad.backward(1, retain_graph=True)))
    assert (argument.verdict, "backward.retain_graph" in argument.message) == (Verdict.UNSUPPORTED, True)


def test_what_decides_is_a_field() -> None:
    """Reason, both sides, property, call and verb of a mismatch; type and text of an error that was raised."""
    wrong = tried(lambda ad: close(ad.array([1.0]), [2.0]))
    assert (wrong.reason, wrong.witness) == (
        Reason.DEVIATES,
        Witness("[1.0]", "[2.0]", "", "wrong = tried(lambda ad: close(ad.array([1.0]), [2.0]))"),
    )
    other = tried(lambda ad: close(np.ones(1, "float32"), [1.0])).witness
    assert other
    assert (other.got, other.expected, other.what) == ("float32", "float64: got [1.0], expected [1.0]", "dtype")
    raised = tried(lambda ad: _raise(ValueError("no\nmore")))
    assert (raised.reason, raised.witness) == (Reason.RAISED, Witness(error="ValueError", text="no"))
    promise = torch("torch.Tensor.backward", raises=ValueError)
    unlike = tried(lambda ad: raises(lambda: _raise(TypeError("no"))), promise)
    assert unlike.witness
    assert (unlike.reason, unlike.witness.expected) == (Reason.RAISED, "ValueError")
    assert tried(lambda ad: one_of(np.array(2.0), yes=1.0, no=2.0), *TWO).reason is Reason.OTHER_CONVENTION
    assert tried(lambda ad: None).reason is Reason.CHECK


@pytest.mark.parametrize(
    ("call", "verb"),
    [
        ("close(ad.grad(f)(x)[0], 2.0)", "grad"),
        ("equal(ad.version_of(x) - before, 1)", "version_of"),
        ("close(x, 2.0)", ""),
        ("y = close(ad.grad(f), (", ""),
    ],
)
def test_the_verb_is_the_leftmost_of_what_is_asserted(call: str, verb: str) -> None:
    """It is read from the line of the check, where that is a whole call."""
    assert verb_in(call) == verb
