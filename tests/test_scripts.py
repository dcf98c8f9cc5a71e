"""Scripts: a check in the engine's own words, that shows in a fresh interpreter what the run saw."""

from __future__ import annotations

import ast
import random
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest

from adapters.with_reference import ReferenceAdapter
from conformance import collecting
from conformance.results import ResultRecord, read
from conformance.scripts import Underivable, derive, verifying
from conformance.scripts.verifying import mismatches, tried
from tests.scripting.adapter import NumpyAdapter
from tests.support import ROOT, conform

TOYS = ROOT / "tests" / "scripting" / "chapters"
ENGINES = {"reference": "numpy", "torch": "torch", "torch_func": "torch", "jax": "jax", "jax:jit": "jax"}
# One of each kind: a Function, a scope, a write, a hook, a warning, a convention, a module, a case that is code.
KINDS = (
    "custom_functions.a_rule_is_recorded_only_for_a_graph_of_the_gradient[plain]",
    "saved_tensors.the_innermost_hooks_count",
    "saved_tensors.each_thread_has_its_own_hooks",
    "inplace.a_view_of_a_leaf_cannot_be_overwritten[element]",
    "hooks.a_hook_may_replace_the_gradient",
    "custom_rules.a_captured_array_gets_no_gradient",
    "anomalies.switching_detection_on_warns",
    "modes.inference_mode_leaves_modules_training",
    "purity.an_augmented_assignment",
    "custom_rules.a_reverse_rule_refuses_forward_mode[jacobian]",
)
SAMPLE, SEED = 12, 20

# behaviour: what its program says, and what it does not
WORDS = {
    "an_expression": ("close(np.exp(np.array([0.0], dtype=np.float64)), [1.0])", "_dtype"),
    "an_argument_that_is_used_twice": ("close(square(np.exp(", "* np.exp"),
    "a_name_that_is_used_twice": ("close(x * x, 9.0)", "square("),
    "a_statement": ("    x[0] = 5.0\n", "set_item"),
    "a_name_that_a_verb_binds_anew": ("augment(x, 1.0)", "    x += 1.0"),
    "a_default_that_nobody_would_write": ("close(np.asarray([1.0]), [1.0])", "None"),
    "a_function_beside_the_adapter": ("close(_twofold(", "detach"),
    "a_choice_that_is_made_beforehand": ("lambda *args: (lambda x: 3 * x)(*args)", "policy"),
    "a_verb_that_is_handed_on": ("tuple(map(np.exp, ", "lambda"),
    "a_case[two]": ("def _half(x, np):\n    return np_.exp(x) / np", "ad"),
    "a_case[four]": ("def function(x, by):\n    return np.exp(x) / by", "ad"),
    "a_refusal": ("def action():\n        x[3] = 5.0\n    raises(action, (IndexError, 'out of bounds'))", "ad"),
    "an_answer": ("grows=1.0, refused=refusal())", "ad"),
}


def toy(name: str) -> str:
    """The script of a toy, without a run."""
    behaviour, _, case = name.partition("[")
    declared = {one.name: one for one in collecting.load_all(TOYS)}
    return derive(declared[behaviour], case.removesuffix("]") or None, NumpyAdapter())


def program(script: str) -> str:
    """Of a script, the program and what its chapter has for it."""
    return script.partition("# How")[0].split('"""\n', 1)[1]


@pytest.mark.parametrize("name", WORDS)
def test_a_program_speaks_as_the_engine_does(name: str) -> None:
    """Verbs are replaced by the adapter's code for them, where that means the same; else they are functions."""
    said, unsaid = WORDS[name]
    text = program(toy(name))
    assert said in text
    assert unsaid not in text.replace(said, "")


def test_what_the_adapter_sets_up_stands_at_the_top() -> None:
    """A script begins with what the engine is set to."""
    assert "\nnp.seterr(under='ignore')\n\n\ndef check():" in toy("an_expression")


def test_a_verb_without_source_has_no_script() -> None:
    """The reason names the verb."""
    with pytest.raises(Underivable, match="number_of"):
        toy("a_verb_without_source")


@pytest.fixture(scope="module")
def toys(tmp_path_factory: pytest.TempPathFactory) -> list[ResultRecord]:
    """A run of all toys."""
    output = tmp_path_factory.mktemp("toys")
    engine = "tests.scripting.adapter:NumpyAdapter"
    conform("run", "--engine", engine, "--chapters", TOYS, "--output", output, output=output)
    return read(next((output / "results").glob("*.jsonl"))).results


def test_each_toy_shows_what_the_run_saw(toys: list[ResultRecord], tmp_path: Path) -> None:
    """Passes, conventions, disappointments and exceptions come out again; what has no script is named."""
    verdicts = {row.id.partition(".")[2]: row.verdict.value for row in toys}
    assert {name for name, verdict in verdicts.items() if verdict == "fail"} == {
        "another_refusal",
        "a_disappointment",
        "an_exception",
    }
    assert list(mismatches(tried(toys), tmp_path, workers=2)) == ["toys.a_verb_without_source: has no script"]


def test_a_script_that_shows_something_else_is_found(toys: list[ResultRecord], tmp_path: Path) -> None:
    """The verification can fail: another expected number, and a script that ends before its end."""
    row = next(row for row in toys if row.id == "toys.an_expression")
    wrong = msgspec.structs.replace(row, script=row.script.replace("[1.0])", "[3.0])"))
    torn = msgspec.structs.replace(row, script="raise SystemExit\n")
    assert [*mismatches([wrong], tmp_path, 1)] == ["toys.an_expression: shows 'otherwise', expected 'as expected'"]
    assert "ended before" in next(mismatches([torn], tmp_path, 1))


def test_a_verification_goes_on_where_it_ended(
    toys: list[ResultRecord], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scripts that showed what was expected are left out when resuming, those that did not or have changed are not."""
    ran: list[str] = []

    def shown(path: Path) -> str:
        ran.append(path.stem)
        return "as expected"

    monkeypatch.setattr(verifying, "shown", shown)
    right, wrong = (next(row for row in toys if row.id == f"toys.{name}") for name in ("an_expression", "an_answer"))
    changed = msgspec.structs.replace(right, script=f"{right.script}#")
    assert len([*mismatches([right, wrong], tmp_path, 1)]) == 1
    assert len([*mismatches([right, wrong], tmp_path, 1, resume=True)]) == 1
    assert not [*mismatches([changed], tmp_path, 1, resume=True)]
    assert not [*mismatches([right], tmp_path, 1)]
    assert [name.removeprefix("toys.") for name in ran] == [
        *("an_expression", "an_answer", "an_answer"),
        *("an_expression", "an_expression"),
    ]


def test_every_script_imports_one_engine_and_nothing_of_the_suite() -> None:
    """All cells of the reference engine that are not absent have a script that stands alone."""
    adapter = ReferenceAdapter()
    lacking, alone = [], sys.stdlib_module_names | {"numpy", "reference_engine"}
    for behaviour in collecting.load_all():
        for case in [*behaviour.cases] or [None]:
            try:
                tree = ast.parse(derive(behaviour, case, adapter))
            except Underivable as error:
                lacking.append(str(error))
                continue
            imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
            sources = [str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
            names = [alias.name for node in imports for alias in node.names] + sources
            assert {name.partition(".")[0] for name in names} <= alone, behaviour.id
    assert lacking
    assert all("it is absent by design" in reason for reason in lacking)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_sample_of_scripts_shows_what_the_run_saw(engine: str, tmp_path: Path) -> None:
    """In fresh interpreters, for cells drawn by a seed and one of each kind; `nox -s scripts` tries all."""
    if find_spec(ENGINES[engine]) is None:
        pytest.skip(f"{engine} is not installed")
    every = [cell for behaviour in collecting.load_all() for cell in behaviour.ids()]
    drawn = random.Random(SEED).sample(every, SAMPLE)
    call = conform("run", "--engine", engine, *drawn, *KINDS, "--output", tmp_path, output=tmp_path)
    assert call.status in (0, 1), call.err
    rows = tried(read(next((tmp_path / "results").glob("*.jsonl"))).results)
    assert len(rows) > len(drawn) // 4
    assert not [*mismatches(rows, tmp_path / "scripts", workers=2)]


def test_show_prints_a_script_that_runs_as_it_is(tmp_path: Path) -> None:
    """What is printed can be written to a file, and that file be run."""
    cell = "custom_rules.a_rule_receives_the_cotangent"
    shown = conform("show", cell, "--engine", "reference", "--script", output=tmp_path)
    (tmp_path / "program.py").write_text(shown.out)
    command = [sys.executable, str(tmp_path / "program.py")]
    done = subprocess.run(command, cwd=ROOT, env=None, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("outcome: as expected\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("gradients", "--engine", "reference", "--script"), "a script is of one"),
        (("linearizing", "--engine", "reference"), "--script and --engine go together"),
        (("random_numbers.a_random_key_has_no_gradient", "--engine", "reference", "--script"), "absent by design"),
        (("toys.a_verb_without_source", "--engine", "tests.scripting.adapter:NumpyAdapter", "--script"), "no script"),
    ],
)
def test_show_says_in_one_line_why_there_is_no_script(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    """Too many cells, half a call, an absence, a verb without source."""
    chapters = ("--chapters", str(TOYS)) if words[0].startswith("toys") else ()
    call = conform("show", *words, *chapters, output=tmp_path)
    assert (call.status, call.out) == (2, "")
    assert said in call.err
    assert call.err.count("\n") == 1
