"""The smoke test: every column of the suite passes it, and an adapter that is wrong in one way is told where."""

from __future__ import annotations

import json
import signal
from importlib.util import find_spec
from typing import Any

import pytest

from autograd_conformance.starting import reach, samples, sanity, smoking
from autograd_conformance.starting.findings import Finding
from conformance.collecting import load_all
from conformance.engines import load, parse
from conformance.protocol import vocabulary
from conformance.recording_adapter import Bench
from conformance.trial import run
from tests.support import ROOT, Call, conform
from tests.test_engines_of_the_suite import ENGINES

# The finding, and what its line must say of what was got, was expected, and is to be done.
CAUGHT = {
    "WrongSin": ("np.sin", "ad.np.sin([ 0.5 -1.25 2. ]) = [ 0.87758256 0.31532236", "0.47942554", "mend `np.sin`"),
    "SingleFloats": ("array: a vector", "of dtype float32", "float64", "floats are float64"),
    "WritesWhenRead": ("to_numpy: read twice", "= [2. 3.]", "[1. 2.]", "leave the value"),
    "GivesLists": ("array: a vector", "of type list", "a NumPy array", "mend `to_numpy`"),
    "HalfGradient": ("grad", "grad(x * x)(3.0) = 3.", "6.", "mend `grad`"),
    "Forgetful": ("grad: once more", "= 12.", "6.", "mend `grad`"),
    "Misspelt": ("verbs: their names", "value_and_grat", "value_and_grad", "rename it"),
    "WrongArguments": (
        "verbs: their arguments",
        "detach: too many positional",
        "detach(x:",
        "the protocol's arguments",
    ),
    "WrongOrder": ("verbs: their arguments", "vjp: ", "vjp(program:", "the protocol's arguments"),
    "HasIt": ("absence: backward", "AssertionError: the engine has it", "no exception", "write backward"),
    "Drifting": ("global_state: restored", "{'state': ", "{'state': ", "compared by =="),
    "Raising": ("np.sin", "raised AttributeError", "no exception", "mend `np.sin`"),
    "NoArrays": ("array and to_numpy are written", "no array", "both", "write them first"),
}

# What is wrong with these is seen by several checks.
SEVERAL = {"SingleFloats", "WritesWhenRead", "GivesLists", "Drifting", "WrongArguments", "WrongOrder"}


def smoke(engine: str, *options: str) -> Call:
    return conform("smoke", "--engine", engine, *options, output=ROOT)


@pytest.mark.parametrize("engine", ENGINES)
def test_every_column_is_sane(engine: str) -> None:
    """Nothing is to be mended on the suite's own adapters, and every behaviour is within their reach."""
    if find_spec(ENGINES[engine]) is None:
        pytest.skip(f"{engine} is not installed")
    call = smoke(engine)
    assert call.status == 0, call.out + call.err
    cells = sum(len(behaviour.ids()) for behaviour in load_all())
    assert f"cells within reach: {cells} of {cells}" in call.out
    assert ", 0 problems" in call.out


def test_a_sane_adapter_is_told_what_to_write_next() -> None:
    """Every check is a line; then how many verbs there are, and which would bring most behaviours within reach."""
    call = smoke("tests.zoo.wrong:Right")
    assert call.status == 0, call.out + call.err
    assert {"ok       np.sin", "ok       grad", "ok       operator: x @ y"} <= set(call.out.splitlines())
    assert "  Transforms             1 of 10" in call.out.splitlines()
    assert "next verb to write: ad." in call.out


@pytest.mark.parametrize("name", CAUGHT)
def test_a_wrong_adapter_is_told_where(name: str) -> None:
    """The one thing that is wrong is found, with what was got, what was expected, and what to do."""
    check, *phrases = CAUGHT[name]
    adapter = load(parse(f"tests.zoo.wrong:{name}"))
    found = {one.name: one for one in sanity.findings(adapter) if isinstance(one, Finding) and not one.ok}
    assert set(found) <= {check, f"{check}: once more"} or name in SEVERAL
    said = [found[check].got, found[check].expected, found[check].todo]
    assert [phrase for phrase, text in zip(phrases, said, strict=True) if phrase not in text] == [], said


def test_problems_are_lines_of_the_text() -> None:
    """Quietly, the problems alone are printed, each in one line with all three parts."""
    call = smoke("tests.zoo.wrong:HasIt", "--quiet")
    (line,) = call.out.splitlines()
    assert line.startswith("problem  absence: backward: got raised AssertionError: the engine has it, expected no")


def test_what_an_engine_prints_is_no_answer() -> None:
    """Noise on standard output, from Python or below it, does not reach the reader."""
    call = smoke("tests.zoo.wrong:Printing", "--json")
    assert call.status == 0, call.out + call.err
    assert json.loads(call.out)["account"]["engine"] == "right"


@pytest.mark.parametrize(
    ("name", "end"), [("Dying", f"died of signal {int(signal.SIGSEGV)}"), ("Leaving", "ended with status 2")]
)
def test_an_engine_that_dies_is_told_by_its_last_question(name: str, end: str) -> None:
    """A process that a verb ends has its last question for a problem; what was answered before is there."""
    call = smoke(f"tests.zoo.wrong:{name}", "--json")
    findings = json.loads(call.out)["findings"]
    assert (call.status, findings[-1]["name"], findings[-1]["ok"]) == (1, "np.sin", False)
    assert end in findings[-1]["got"]
    assert {one["name"] for one in findings if one["ok"]} >= {"grad", "operator: x + y"}


def test_an_engine_that_hangs_is_left() -> None:
    """When the time is over, the question that had no answer is the problem."""
    heard = smoking.ask("tests.zoo.wrong:Hanging", limit_s=10)
    assert heard.account is None
    assert (heard.problems[-1].name, heard.problems[-1].got) == ("np.sin", "no answer within 10 seconds")


BAD = {
    "unknown": ("torhc", "did you mean 'torch'?"),
    "class": ("tests.zoo.wrong:Lion", "has no class 'Lion'"),
    "module": ("no.such:Adapter", "No module named 'no'"),
    "parameters": ("tests.zoo.wrong:Right:size=1", "takes no parameters, got: size"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line(name: str) -> None:
    """Exit status 2: there is no adapter to ask."""
    engine, phrase = BAD[name]
    call = smoke(engine)
    assert (call.status, call.out, call.err.count("\n")) == (2, "", 1), call.err
    assert phrase in call.err


def test_every_function_has_a_sample() -> None:
    """Each verb of `ad.np` is tried on a sample input."""
    assert {f"np.{name}" for name in samples.SAMPLES} == {name for name in vocabulary() if name.startswith("np.")}


class Noting(Bench):
    """A bench that keeps the names of the verbs that were touched."""

    seen: set[str] = set()  # noqa: RUF012 - emptied by the test

    def _touch(self, feature: str) -> None:
        if feature in vocabulary():
            self.seen.add(feature)
        super()._touch(feature)


def test_what_a_check_touches_is_read_from_its_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the reference engine no check touches a verb that was not read from its code before."""
    monkeypatch.setattr("conformance.trial.Bench", Noting)
    adapter: Any = load(parse("reference"))
    tried = [one for one in load_all() if one.chapter in ("ties", "linear_algebra", "transforms", "gradients", "hooks")]
    assert len(tried) > 50
    for behaviour in tried:
        for case, values in behaviour.cases.items() or [(None, ())]:
            Noting.seen.clear()
            run(behaviour, adapter, case)
            assert Noting.seen <= reach.touched(behaviour.check, *values), behaviour.id
            assert Noting.seen


def test_the_next_verb_is_the_one_that_brings_most() -> None:
    """A cell is within reach if all that it touches is written or absent; a verb counts where it alone is missing."""
    every = load_all()
    chosen = [one for one in every if one.chapter == "ties"]
    touched = [reach.touched(one.check, *values) for one in chosen for values in one.cases.values() or [()]]
    all_but_one = set().union(*touched) - {"grad"}
    account = reach.account("toy", "1", all_but_one, set(), chosen)
    within = sum("grad" not in verbs for verbs in touched)
    assert (account.reach, account.cells) == (within, len(touched))
    assert [(one.verb, one.cells) for one in account.following] == [("grad", len(touched) - within)]
    assert reach.account("toy", "1", all_but_one, {"grad"}, chosen).reach == len(touched)
