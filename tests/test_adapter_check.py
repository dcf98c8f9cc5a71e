"""The check of an adapter: every column passes it, and a wrong adapter fails its question with what to mend."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import uuid
from importlib.util import find_spec

import pytest

from autograd_conformance.new_engine import adapter_check, check_worker, reach
from autograd_conformance.new_engine.records import QUESTIONS, Finding
from autograd_conformance.options import BadInput
from conformance.collection import load_all
from conformance.engines import load, parse
from conformance.features import features_of
from tests.support import ROOT, Call, conform, survivors, tagged
from tests.systems import posix
from tests.test_engines_of_the_suite import ENGINES
from tests.test_spellings import NOT_IN_THE_REFERENCE

LIMIT_S = 4  # a busy machine needs some of it for the chapters and the reference engine
# The question, and what its line must say of what was got, was expected, and is to be done.
CAUGHT = {
    "WrongSin": ("np.sin", "ad.np.sin([0.25, 0.5, 0.75]) = [0.968912421", "0.24740395", "mend `np.sin`"),
    "SingleFloats": ("array: float64", "of dtype float32", "float64", "say so in `missing_dtypes`"),
    # Found by reading twice: the first reading is right.
    "WritesWhenRead": ("array: shapes", "when read again = 4.0", "3.0", "leave the value"),
    "GivesLists": ("array: float64", "of type list", "a NumPy array", "or `to_numpy`"),
    "HalfGradient": ("grad", "grad(x * x)(3.0): item 0 = 3.", "6.", "mend `grad`"),
    "Misspelt": ("verbs: their names", "value_and_grat", "value_and_grad", "rename it"),
    "WrongArguments": (
        "verbs: their arguments",
        "detach: too many positional",
        "detach(x:",
        "the protocol's arguments",
    ),
    # Behaviours give these arguments by position.
    "WrongOrder": ("verbs: their arguments", "vjp: ", "vjp(program:", "the protocol's arguments"),
    # In a run the error would be taken for the engine's, and the cell for a fail.
    "RaisesItself": ("verbs: raise no errors", "a `raise` in vjp", "none", "leave out what the engine lacks"),
    "DoublesAfterAll": ("array: float64", "an array of dtype float64", "none", "take float64 out of it"),
    "HasIt": ("absence: backward", "not hold: AssertionError: the engine has it", "no exception", "write backward"),
    "ProbesItself": ("absence: backward", "a probe that never uses `ad`", "calls a verb", "a small program"),
    "ProbesEveryEngine": (
        "absence: backward",
        "a probe that also holds on the reference engine, which has backward",
        "AssertionError where",
        "show what only",
    ),
    # Every cell of a run would have left it changed.
    "Drifting": ("global_state: read twice", "{'state': ", "{'state': ", "compared by =="),
    "Raising": ("np.sin", "raised AttributeError", "no exception", "mend `np.sin`"),
    "RaisesOutside": ("np.sin", "raised KeyboardInterrupt", "no exception", "mend `np.sin`"),
    "RaisesOnSight": ("verbs: looked up", "detach: RuntimeError: do not look when", "a method", "let it be a method"),
    "NoArrays": ("array and to_numpy are written", "no array", "both", "write them first"),
}

# What is wrong with these is seen by several questions.
SEVERAL = {"SingleFloats", "WritesWhenRead", "GivesLists", "Drifting", "WrongArguments", "WrongOrder", "RaisesItself"}


def check(engine: str, *options: str) -> Call:
    return conform("adapter", "check", engine, *options, output=ROOT)


@pytest.mark.parametrize("engine", ENGINES)
def test_every_column_is_sane(engine: str) -> None:
    """Nothing is to be mended on the suite's own adapters, and every behaviour is within their reach.

    But for those that need an operation that the reference engine lacks.
    """
    if find_spec(ENGINES[engine]) is None:
        pytest.skip(f"{engine} is not installed")
    call = check(engine)
    assert call.status == 0, call.out + call.err
    cells = sum(len(behaviour.ids()) for behaviour in load_all())
    counted = re.search(rf"cells within reach: (\d+) of {cells}", call.out)
    assert counted, call.out
    assert cells - int(counted[1]) <= (len(NOT_IN_THE_REFERENCE) * 2 if engine == "reference" else 0), call.out
    assert ", 0 problems" in call.out


def test_the_next_verb_is_named_for_a_sane_adapter() -> None:
    """With --verbose every question is a line; then the verbs that would bring most behaviours within reach."""
    call = check("tests.zoo.wrong:Right", "--verbose")
    assert call.status == 0, call.out + call.err
    assert {"ok       np.sin", "ok       grad", "ok       operators"} <= set(call.out.splitlines())
    assert "right 1.0: 4 of " in call.out
    assert "next verb to write: ad." in call.out


def test_an_engine_without_float64_and_complex_numbers_can_be_sane() -> None:
    """Dtypes that are declared missing have to be missing, and no problem is made of it."""
    call = check("tests.zoo.wrong:NoDoubles", "--verbose")
    assert call.status == 0, call.out + call.err
    assert {"ok       array: float64", "ok       array: complex128"} <= set(call.out.splitlines())


def test_a_function_in_single_precision_is_remarked() -> None:
    """It is the engine's affair, and no reason to stop; the output names it."""
    call = check("tests.zoo.wrong:ImpreciseSin")
    assert call.status == 0, call.out
    assert "ok       np.sin: a float64 that is " in call.out


@pytest.mark.parametrize("name", CAUGHT)
def test_the_fault_of_a_wrong_adapter_is_named(name: str) -> None:
    """The only fault is named, with what was got, what was expected, and what to do."""
    question, *phrases = CAUGHT[name]
    adapter = load(parse(f"tests.zoo.wrong:{name}"))
    answer = check_worker.prepare(adapter)
    answers = [answer(question, lambda: None) for question in answer(QUESTIONS, lambda: None)]
    problems = {line.name: line for line in answers if isinstance(line, Finding) and line.got}
    assert set(problems) == {question} or (name in SEVERAL and question in problems)
    texts = [problems[question].got, problems[question].expected, problems[question].todo]
    assert [phrase for phrase, text in zip(phrases, texts, strict=True) if phrase not in text] == [], texts


def test_problems_are_lines_of_the_text() -> None:
    """Quietly, the problems alone are printed, each in one line with got, expected and remedy."""
    call = check("tests.zoo.wrong:HasIt", "--quiet")
    (line,) = call.out.splitlines()
    assert line.startswith("problem  absence: backward: got a probe that does not hold: AssertionError: the")


def test_what_an_engine_prints_is_no_answer() -> None:
    """Noise on standard output, from Python or below it, does not reach the reader."""
    call = check("tests.zoo.wrong:Printing", "--json")
    assert call.status == 0, call.out + call.err
    assert json.loads(call.out)["reach"]["engine"] == "right"


@pytest.mark.parametrize(
    ("name", "end"),
    [
        pytest.param("Dying", "was ended by SIGSEGV", marks=posix),
        ("Leaving", "exited with status 2"),
    ],
)
def test_an_engine_that_dies_fails_its_last_question(name: str, end: str) -> None:
    """A process that a verb ends has its last question for a problem; what was answered before is there."""
    call = check(f"tests.zoo.wrong:{name}", "--json")
    findings = json.loads(call.out)["findings"]
    assert (call.status, findings[-1]["name"], findings[-1]["ok"]) == (1, "np.sin", False)
    assert end in findings[-1]["got"]
    assert {finding["name"] for finding in findings if finding["ok"]} >= {"grad", "operators"}


# Where an adapter hangs, and the question that has no answer then.
HANGS = {
    "Hanging": "np.sin",
    "Stopping": "np.sin",
    "HangsInArray": "array: float64",
    "HangsOnSight": "verbs: looked up",
    "HangsInState": "global_state: restored",
}


@pytest.mark.parametrize("name", HANGS)
def test_an_engine_that_hangs_is_left(name: str) -> None:
    """A question without an answer in time is the problem; what was answered before is kept."""
    heard = adapter_check.ask(f"tests.zoo.wrong:{name}", LIMIT_S)
    assert heard.reach is None
    assert [(finding.name, finding.got) for finding in heard.problems] == [
        (HANGS[name], f"it took longer than {LIMIT_S} s")
    ]
    assert len(heard.findings) > 1 or name in ("HangsOnSight", "HangsInArray")


def test_an_adapter_that_hangs_when_it_is_made_is_left() -> None:
    """There is nothing to ask yet: a line of bad input."""
    # Two limits without progress, as for the start of a worker.
    with pytest.raises(BadInput, match=f"could not be asked: it made no progress for {2 * LIMIT_S} s"):
        adapter_check.ask("tests.zoo.crashes:HangsWhenMade", LIMIT_S)


def test_an_engine_that_hangs_at_its_end_has_answered() -> None:
    """The process is ended, and nothing is made of it: all that was asked is known."""
    heard = adapter_check.ask("tests.zoo.wrong:HangsAtExit", LIMIT_S)
    assert (heard.problems, heard.reach is not None) == ([], True)


def test_an_engine_may_write_where_its_answers_go() -> None:
    """Text in files that are not its own is no answer, and no traceback."""
    heard = adapter_check.ask("tests.zoo.wrong:Scribbling")
    assert (heard.problems, heard.reach is not None) == ([], True)


def test_processes_of_an_engine_are_ended() -> None:
    """A process that an engine has started does not outlive the check."""
    call = check("tests.zoo.wrong:LeavesAProcess")
    assert call.status == 0, call.out + call.err
    assert survivors(call.tag) == []


def test_a_check_that_is_killed_leaves_no_engine() -> None:
    """The engine's process ends with the command line's, though it belongs to another group."""
    tag = uuid.uuid4().hex
    command = [sys.executable, "-m", "autograd_conformance", "adapter", "check", "tests.zoo.wrong:Hanging"]
    with subprocess.Popen(command, cwd=ROOT, env=tagged(tag), stdout=subprocess.DEVNULL) as process:
        # The command line, and the process that has the engine.
        while len(survivors(tag, patience_s=0)) < 2:
            assert process.poll() is None
            time.sleep(0.1)
        process.kill()
    assert survivors(tag) == []


def test_a_version_may_be_of_a_type_of_its_own() -> None:
    """Such as that of `torch.__version__`, which is a string and more."""
    call = check("tests.zoo.wrong:HasAVersionOfItsOwn", "--json")
    assert (call.status, json.loads(call.out)["reach"]["version"]) == (0, "2.13.0+cpu"), call.err


def test_the_next_verb_is_the_one_that_brings_most() -> None:
    """A cell is within reach if all that it touches is written or absent; a verb counts where it alone is missing."""
    every = load_all()
    chosen = [behaviour for behaviour in every if behaviour.chapter == "ties"]
    touched = [
        features_of(behaviour.check, *values) for behaviour in chosen for values in behaviour.cases.values() or [()]
    ]
    all_but_one = set().union(*touched) - {"grad"}
    reached = reach.reach("toy", "1", all_but_one, set(), chosen)
    within = sum("grad" not in verbs for verbs in touched)
    assert (reached.reach, reached.cells) == (within, len(touched))
    assert reached.following == {"grad": len(touched) - within}
    assert reach.reach("toy", "1", all_but_one, {"grad"}, chosen).reach == len(touched)
