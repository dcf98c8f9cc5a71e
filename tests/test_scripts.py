"""Scripts: a check in the engine's own words, whose exit status says in a fresh interpreter what the run saw."""

from __future__ import annotations

import ast
import random
import statistics
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from adapters.with_reference import ReferenceAdapter
from autograd_conformance import derive_worker
from autograd_conformance.derived import derive_scripts
from conformance import collection, trial
from conformance.results import ResultRecord
from conformance.results_file import read
from conformance.scripts.derivation import SCRIPTED, derive
from conformance.scripts.trees import Underivable
from conformance.verdicts import Outcome, Verdict, Witness
from reports.beside import Scripts, beside, read_beside
from tests.matrices import joined
from tests.scripting.adapter import NumpyAdapter
from tests.support import ROOT, conform
from tests.systems import posix
from workshop.scripts import mismatches

TOYS = ROOT / "tests" / "scripting" / "chapters"
ENGINES = {"reference": "numpy", "torch": "torch", "torch_func": "torch", "jax": "jax", "jax:jit": "jax"}
# One of each kind: a Function, a scope, a write, a hook, a convention, a warning, a thread, a module, a case with code.
KINDS = (
    "custom_functions.backward_is_recorded_only_with_create_graph[plain]",
    "saved_tensors.only_the_innermost_hooks_are_applied",
    "saved_tensors.each_thread_has_its_own_hooks",
    "inplace.a_view_of_a_leaf_cannot_be_overwritten[element]",
    "hooks.a_tensor_hook_can_replace_the_gradient[backward]",
    "custom_rules.a_captured_array_gets_no_gradient",
    "anomalies.detect_anomaly_warns",
    "modes.inference_mode_does_not_set_evaluation_mode",
    "purity.an_augmented_assignment",
    "custom_rules.a_custom_vjp_has_no_forward_mode[jacobian]",
)
# An engine takes seconds to import, so a single script in FRESH does that alone.
SAMPLE, FRESH, SEED, LONGEST_MEDIAN = 12, 10, 20, 30

# behaviour: what its program says, and what it does not
WORDS = {
    "an_expression": ("result = np.exp(np.array([0.0], dtype=np.float64))\nassert result.shape == (1,)", "_dtype"),
    "an_argument_that_is_used_twice": ("square(np.exp(", "* np.exp"),
    "a_name_that_is_used_twice": ("result = x * x\n", "square("),
    "a_statement": ("\nx[0] = 5.0\n", "set_item"),
    "a_name_that_a_verb_binds_anew": ("augment(x, 1.0)", "\nx += 1.0"),
    "a_name_within_a_lambda[value]": ("(lambda value: 2 * value)(np.array(1.0, dtype=np.float64)) + 7.0", "2 * 7.0"),
    "a_function_beside_the_adapter": ("_twofold(", "detach"),
    "a_verb_with_a_condition": ("result = checkpoint(lambda x: 3 * x)(", "self"),
    "a_verb_that_is_handed_on": ("map(exp, ", "lambda"),
    "a_case[two]": ("def _half(x, np):\n    return np_.exp(x) / np", "ad"),
    "a_case[four]": ("def function(x, by):\n    return np.exp(x) / by", "ad"),
    "a_refusal": ("try:\n    x[3] = 5.0\nexcept IndexError as error:\n    assert 'out of bounds' in", "raises("),
    "an_answer": ("result = np.exp(np.array(0.0, dtype=np.float64))\nassert result.shape == ()\n", "refused"),
}


def toy(name: str) -> str:
    """The script of a toy that passes."""
    return derive(*collection.cells(TOYS)[f"toys.{name}"], NumpyAdapter(), Outcome(Verdict.PASS))


@pytest.mark.parametrize("name", WORDS)
def test_a_program_speaks_as_the_engine_does(name: str) -> None:
    """Verbs are replaced by the adapter's code for them, where that means the same; else they are functions."""
    present, missing = WORDS[name]
    text = "\n".join(line for line in toy(name).splitlines() if not line.startswith("# "))
    assert present in text
    assert missing not in text.replace(present, "")


def test_a_script_begins_with_comment_imports_and_what_the_adapter_sets_up() -> None:
    """The statement, the cell, sources and versions; then imports; then the switches of the engine."""
    heading, imports, setup, *_ = toy("an_expression").split("\n\n")
    assert heading.startswith("# A verb of one expression takes the place of its call.\n# toys.an_expression (must)\n")
    assert heading.endswith("seen: pass")
    assert (imports, setup) == ("import numpy as np", "np.seterr(under='ignore')")


def test_a_script_has_the_tolerance_of_the_dtype_asked_for_and_asserts_one_that_was_wrong() -> None:
    """Half precision has four units in the last place; a dtype is asserted where another was seen."""
    behaviours, passed = {behaviour.id: behaviour for behaviour in collection.load_all()}, Outcome(Verdict.PASS)
    half = behaviours["dtypes.the_gradient_of_a_float16_array_is_float16"]
    double = behaviours["grad_arguments.gradients_of_several_outputs_add_up"]
    other = Outcome(Verdict.FAIL, witness=Witness("float16", "float64", "dtype"))
    assert "rtol=0.004" in derive(half, None, ReferenceAdapter(), passed)
    assert "dtype == 'float64'" not in derive(double, None, ReferenceAdapter(), passed)
    assert "dtype == 'float64'" in derive(double, None, ReferenceAdapter(), other)


def test_a_verb_without_source_has_no_script() -> None:
    """The reason names the verb."""
    with pytest.raises(Underivable, match="number_of"):
        toy("a_verb_without_source")


def test_what_was_derived_before_changes_no_script() -> None:
    """The same text at first, and after others."""
    cells = ["gradients.a_function_has_its_derivative[square]", *KINDS[:6]]
    adapter, seen, known = ReferenceAdapter(), Outcome(Verdict.PASS), collection.cells()
    forward = [derive(*known[cell], adapter, seen) for cell in cells]
    backward = [derive(*known[cell], ReferenceAdapter(), seen) for cell in reversed(cells)]
    assert forward == backward[::-1]


@pytest.fixture(scope="module")
def toys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results file of a run of all toys."""
    output = tmp_path_factory.mktemp("toys")
    engine = "tests.scripting.adapter:NumpyAdapter"
    conform("run", "--engine", engine, "--scripts", "--chapters", TOYS, "--output", output, output=output)
    return next((output / "results").glob("*.jsonl"))


def scripted(results: Path) -> tuple[list[ResultRecord], dict[str, str]]:
    """The rows that can be tried, and their scripts."""
    rows = [row for row in read(results).results if row.verdict in SCRIPTED and row.verdict is not Verdict.TIMEOUT]
    return rows, read_beside(beside(results, Scripts), Scripts).cells


@pytest.mark.parametrize("fork", [False, pytest.param(True, marks=posix)])
def test_each_toy_exits_as_the_run_saw(toys: Path, tmp_path: Path, fork: bool) -> None:
    """Passes with 0, wrong values, wrong errors and exceptions with 1; what has no script is named."""
    rows, scripts = scripted(toys)
    failed = {row.id.partition(".")[2] for row in rows if row.verdict is Verdict.FAIL}
    assert failed == {"another_refusal", "a_disappointment", "an_exception"}
    assert [*mismatches(rows, scripts, tmp_path, workers=2, fork=fork)] == ["toys.a_verb_without_source: has no script"]


def test_a_script_with_another_outcome_is_an_error(toys: Path, tmp_path: Path) -> None:
    """The verification can fail: an expected number that is another, a broken script for a fail."""
    rows, scripts = scripted(toys)
    by_name = {row.id: row for row in rows}
    right, wrong = by_name["toys.an_expression"], by_name["toys.a_disappointment"]
    changed = scripts | {right.id: scripts[right.id].replace(", [1.0]", ", [3.0]"), wrong.id: "nowhere()\n"}
    first, second = mismatches([right, wrong], changed, tmp_path)
    assert "toys.an_expression: exited with 1, expected 0" in first
    assert "toys.a_disappointment: is broken: NameError" in second


def test_the_page_has_the_scripts_that_lie_beside_the_results(toys: Path) -> None:
    """Also where the report is made elsewhere; a cell without script has a reason; other runs are left out."""
    _, scripts = scripted(toys)
    cells = {cell.behaviour: cell.script for cell in joined([toys]).cells}
    assert cells["toys.an_expression"] == scripts["toys.an_expression"] != ""
    assert cells["toys.a_verb_without_source"].startswith("# No script: number_of cannot be shown")
    file = beside(toys, Scripts)
    before = file.read_text()
    try:
        file.write_text(before.replace('"started":"', '"started":"another'))
        assert not any(cell.script for cell in joined([toys]).cells)
        file.write_text("torn")
        assert not any(cell.script for cell in joined([toys]).cells)
    finally:
        file.write_text(before)


def test_results_without_their_engine_have_no_scripts(toys: Path) -> None:
    """The reason is a line, and nothing else is lost."""
    other = toys.with_name("other.jsonl")
    other.write_text(toys.read_text().replace("NumpyAdapter", "NoAdapter"))
    assert "has no class 'NoAdapter'" in derive_scripts(other, TOYS)
    assert not any(cell.script for cell in joined([other]).cells)
    other.unlink()


def derived_or_reason(case: Any, adapter: Any) -> str:
    """A script, or the line that says why there is none."""
    try:
        return derive(*case, adapter, Outcome(Verdict.PASS))
    except Underivable as error:
        return str(error)


def test_every_script_is_short_and_imports_one_engine_and_nothing_of_the_suite() -> None:
    """All cells of the reference engine that are not absent have a script that needs nothing else."""
    adapter, lengths = ReferenceAdapter(), []
    alone = sys.stdlib_module_names | {"numpy", "reference_engine"}
    lacking = {feature for absence in adapter.absences for feature in absence.features}
    for cell, case in collection.cells(collection.CHAPTERS).items():
        text = derived_or_reason(case, adapter)
        # A reason has one line, a script several.
        if "\n" not in text:
            assert text.rpartition("ad.")[2] in lacking | {verb.rpartition(".")[2] for verb in lacking}, cell
            continue
        nodes = list(ast.walk(ast.parse(text)))
        names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
        names += [str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)]
        assert {name.partition(".")[0] for name in names} <= alone, cell
        lengths.append(text.count("\n"))
    assert statistics.median(lengths) <= LONGEST_MEDIAN


@posix
@pytest.mark.parametrize("engine", ENGINES)
def test_a_sample_of_scripts_exits_as_the_run_saw(engine: str, tmp_path: Path) -> None:
    """Cells drawn by a seed and a cell of each kind, most in forks, some alone; and a changed number exits with 1."""
    if find_spec(ENGINES[engine]) is None:
        pytest.skip(f"{engine} is not installed")
    every = [cell for behaviour in collection.load_all() for cell in behaviour.ids()]
    drawn = random.Random(SEED).sample(every, SAMPLE)
    call = conform("run", "--engine", engine, *drawn, *KINDS, "--scripts", "-o", tmp_path, output=tmp_path)
    assert call.status in (0, 1), call.err
    rows, scripts = scripted(next((tmp_path / "results").glob("*.jsonl")))
    # Absent cells have no script, and an engine may lack most of a sample.
    assert len(rows) > len(drawn) // 4
    assert not [*mismatches(rows, scripts, tmp_path / "forked", fork=True)]
    assert not [*mismatches(rows[::FRESH], scripts, tmp_path / "fresh", workers=2)]
    changed = {row.id: mutant for row in rows if row.verdict is Verdict.PASS and (mutant := mutated(scripts[row.id]))}
    passed = [row for row in rows if row.id in changed]
    assert passed
    lines = [*mismatches(passed, changed, tmp_path / "changed", fork=True)]
    assert [line.partition(", expected")[0] for line in lines] == [f"{row.id}: exited with 1" for row in passed]


def mutated(script: str) -> str:
    """The script with another expected number in a comparison; empty if it compares with none."""
    tree = ast.parse(script)
    compared = [node.test for node in tree.body if isinstance(node, ast.Assert)]
    expected = [test.comparators[-1] for test in compared if isinstance(test, ast.Compare)]
    closes = [node.value for node in tree.body if isinstance(node, ast.Expr) and "assert_allclose" in ast.unparse(node)]
    for part in [*(close.args[1] for close in closes if isinstance(close, ast.Call)), *expected]:
        for node in ast.walk(part):
            # Not isinstance, by which True is an integer.
            if isinstance(node, ast.Constant) and type(node.value) in (int, float):
                node.value += 3
                return ast.unparse(tree)
    return ""


def test_show_prints_a_script_that_runs_as_it_is(tmp_path: Path) -> None:
    """The output can be written to a file, and run."""
    cell = "custom_rules.a_rule_receives_the_cotangent"
    shown = conform("show", cell, "--engine", "reference", "--script", output=tmp_path)
    (tmp_path / "program.py").write_text(shown.out)
    command = [sys.executable, str(tmp_path / "program.py")]
    assert "seen: pass" in shown.out
    assert subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 0


def test_a_cell_that_ends_the_process_is_shown_without_running_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The script of a crash is what somebody wants to paste into an issue."""
    monkeypatch.setattr(trial, "run", None)
    answer = derive_worker.scripts(NumpyAdapter(), str(TOYS), verdict="crash")
    assert "seen: crash" in answer("toys.an_expression", lambda: None).script
