"""The composite action: its shell steps, run by a real bash in a fresh environment, do what its inputs say."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sysconfig
import venv
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support import ROOT
from tests.systems import posix

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
MACHINES = [ROOT / "action.yml", *(ROOT / ".github" / "workflows").glob("*.yml")]
# An id and a chapter: the input is split into words, as a shell would split it.
BEHAVIOURS = "accumulation.a_second_backward_adds_to_the_first kinks"


@dataclass
class Job:
    """A job that uses the action: its folder, its inputs, and the outcome of each step."""

    folder: Path
    bin: Path
    inputs: dict[str, str]
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    printed: dict[str, str] = field(default_factory=dict)
    failed: str = ""

    @property
    def summary(self) -> str:
        """The summary on the job's page."""
        page = self.folder / "step_summary"
        return page.read_text() if page.exists() else ""

    def run(self, skip: str = "") -> Job:
        """All steps that are shell, in order, as a runner would: a failure skips those that do not ask to run."""
        for step in ACTION["runs"]["steps"]:
            if "run" in step and step["name"] != skip and self._holds(step.get("if", "")):
                self._step(step)
        return self

    def _holds(self, condition: str) -> bool:
        parts = condition.removeprefix("${{").removesuffix("}}").strip().split(" && ") if condition else []
        wanted = [re.fullmatch(r"([\w.-]+) != ''", part) for part in parts if part != "!cancelled()"]
        # A condition of a new kind must not be taken for true.
        assert all(wanted), f"not understood here: {condition}"
        return (not self.failed or "!cancelled()" in parts) and all(self._value(name[1]) for name in wanted if name)

    def _value(self, name: str) -> str:
        where, _, rest = name.partition(".")
        if where == "inputs":
            return self.inputs.get(rest, ACTION["inputs"][rest].get("default", ""))
        step, _, output = rest.partition(".outputs.")
        assert where == "steps", name
        return self.outputs.get(step, {}).get(output, "")

    def _filled(self, text: str) -> str:
        return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda match: self._value(match[1]), text)

    def _step(self, step: dict[str, Any]) -> None:
        # GitHub pastes such an expression into the script before bash reads it; environment variables are only text.
        assert "${{" not in step["run"], "an input within a script is an injection"
        output = self.folder / "step_output"
        output.write_text("")
        given = {name: self._filled(value) for name, value in step.get("env", {}).items()}
        # As GitHub calls it for `shell: bash`.
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        work = self.folder / "work"
        work.mkdir(exist_ok=True)
        environment = self._environment() | given
        done = subprocess.run(shell, cwd=work, env=environment, capture_output=True, text=True, check=False)
        self.printed[step["name"]] = done.stdout + done.stderr
        pairs = dict(line.split("=", 1) for line in output.read_text().splitlines())
        self.outputs[step.get("id", "")] = pairs
        if done.returncode:
            self.failed = self.failed or step["name"]

    def _environment(self) -> dict[str, str]:
        # With these the checkout would be imported, whether the action installs the suite or not.
        kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
        files = {"GITHUB_OUTPUT": "step_output", "GITHUB_STEP_SUMMARY": "step_summary", "RUNNER_TEMP": "."}
        runner = {name: str(self.folder / file) for name, file in files.items()}
        return kept | runner | {"GITHUB_ACTION_PATH": str(ROOT), "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of an environment that has what the suite needs, so that pip need not fetch it; not the suite."""
    folder = tmp_path_factory.mktemp("runner") / "venv"
    venv.create(folder, with_pip=True)
    places = sysconfig.get_paths(vars={"base": str(folder), "platbase": str(folder)})
    Path(places["purelib"], "needed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return Path(places["scripts"])


@pytest.fixture(scope="module")
def used(python: Path, tmp_path_factory: pytest.TempPathFactory) -> Job:
    """A job on the reference engine, with every shell step, the installation included."""
    inputs = {"adapter": "reference", "behaviours": BEHAVIOURS, "requirements": "click>=8\n# a comment\n"}
    return Job(tmp_path_factory.mktemp("job"), python, inputs).run()


@posix
def test_the_action_installs_runs_and_shows_the_summary(used: Job) -> None:
    """From inputs to the report and the job's page; nothing is unexpected, so it does not fail."""
    assert used.failed == "", used.printed
    assert used.outputs["run"] == {"status": "0"}
    matrix = json.loads((used.folder / "work" / "conformance-report" / "matrix.json").read_text())
    assert {cell["behaviour"].partition(".")[0] for cell in matrix["cells"]} == {"accumulation", "kinks"}
    assert used.summary.startswith("# Autograd conformance\n")
    assert (used.bin / "autograd-conformance").exists()


def again(used: Job, folder: Path, **inputs: str) -> Job:
    """Another job with the suite installed already."""
    return Job(folder, used.bin, used.inputs | inputs).run(skip="Install the suite and the requirements")


def broken(folder: Path) -> str:
    """The name of an adapter beside the job, on which no gradient is accumulated."""
    (folder / "work").mkdir()
    (folder / "work" / "mine.py").write_text(
        "from adapters.with_reference import ReferenceAdapter\n\n\nclass Mine(ReferenceAdapter):\n"
        '    name = "mine"\n\n    def backward(self, *args, **kwargs):\n        pass\n'
    )
    return "mine:Mine"


@posix
def test_an_unexpected_failure_fails_the_job_and_the_report_is_kept(used: Job, tmp_path: Path) -> None:
    """The last step fails, after the summary; an adapter of the repository itself is imported."""
    job = again(used, tmp_path, adapter=broken(tmp_path))
    assert (job.failed, job.outputs["run"]) == ("Judge", {"status": "1"}), job.printed
    assert "## Unexpected" in job.summary


@posix
def test_what_fails_the_job_can_be_chosen(used: Job, tmp_path: Path) -> None:
    """Nothing does; or a verdict that is worse than in a baseline, which the page shows."""
    name = broken(tmp_path)
    assert again(used, tmp_path, adapter=name, **{"fail-on": "never"}).failed == ""
    baseline = str(used.folder / "work" / "conformance-report")
    job = again(used, tmp_path, adapter=name, baseline=baseline, **{"fail-on": "regressed"})
    assert (job.failed, job.outputs["compare"]) == ("Judge", {"status": "1"}), job.printed
    assert "# What changed" in job.summary
    assert (tmp_path / "work" / "conformance-report" / "changes.html").exists()
    better = again(used, tmp_path, baseline=baseline, **{"fail-on": "regressed"})
    assert (better.failed, better.outputs["compare"]) == ("", {"status": "0"})


@posix
@pytest.mark.parametrize(
    ("inputs", "step", "message"),
    [
        ({"fail-on": "sometimes"}, "Check the inputs", "fail-on must be unexpected, regressed or never"),
        ({"fail-on": "regressed"}, "Check the inputs", "needs a baseline"),
        ({"adapter": "no_such_engine"}, "Run the suite", "unknown engine 'no_such_engine'"),
        # Would leave a file behind if any step evaluated its input.
        ({"adapter": "$(touch pwned) ; touch pwned"}, "Run the suite", "unknown engine"),
        ({"behaviours": "--help * kinks"}, "Run the suite", "unknown behaviour '--help'"),
        ({"baseline": "missing.json"}, "Compare with the baseline", "missing.json: No such file"),
    ],
)
def test_bad_inputs_fail_early_and_by_name(
    used: Job, tmp_path: Path, inputs: dict[str, str], step: str, message: str
) -> None:
    """The failing step has a reason; nothing within an input is run."""
    job = again(used, tmp_path, **inputs)
    assert job.failed == step
    assert message in job.printed[step]
    assert not (tmp_path / "work" / "pwned").exists()


def test_every_foreign_action_is_pinned() -> None:
    """By the digest of a commit, with its version beside it, the same everywhere: here, and in the docs."""
    pattern = re.compile(r"uses: ([\w./-]+)@([0-9a-f]{40} # v\d+\.\d+\.\d+)$")
    placeholder = "uses: OWNER/autograd-conformance@COMMIT"
    pins: dict[str, set[str]] = {}
    for path in [*MACHINES, *(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]:
        for line in path.read_text("utf-8").splitlines():
            if re.match(r"\s*(- )?uses:", line) and placeholder not in line:
                pin = pattern.search(line)
                assert pin, f"{path.name}: {line}"
                pins.setdefault(pin[1], set()).add(pin[2])
    assert pins.keys() >= {"actions/checkout", "actions/setup-python", "actions/upload-artifact"}
    assert {name: commits for name, commits in pins.items() if len(commits) > 1} == {}


def test_a_machine_installs_nox_in_one_version() -> None:
    """In each workflow and in the CI."""
    texts = [path.read_text("utf-8") for path in [*MACHINES, ROOT / ".ci" / "run"]]
    installed = [words for text in texts for words in re.findall(r"pip install (?:--quiet )?(.*nox.*)", text)]
    # Otherwise the pattern has lost the lines that it is about.
    assert len(installed) > 3
    assert len(set(installed)) == 1
    assert re.fullmatch(r"nox==[\d.]+", installed[0])
