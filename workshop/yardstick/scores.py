"""Scores of the tools: mistakes named for the right reason, right derivatives accused, and CPU seconds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from workshop.yardstick.case import CustomCase
from workshop.yardstick.trial import ToolTrial

CHECK = "check"


@dataclass(frozen=True)
class ToolScore:
    """The score of a tool on the cases that it was asked about."""

    tool: str
    named: list[str]
    missed: list[str]
    accused: list[str]
    acquitted: list[str]
    median_s: float


def names_mistake(case: CustomCase, trial: ToolTrial, twin: ToolTrial | None) -> bool:
    """Whether a tool complains for the right reason.

    `check` has to name a law that is about the mistake; the questions of the other tools are not that specific: a
    complaint counts if there is none about the twin.
    """
    if trial.tool == CHECK:
        return any(law in question for question in trial.complained for law in case.laws)
    return bool(trial.complained - (twin.complained if twin else set()))


def scores(cases: Sequence[CustomCase], trials: Iterable[ToolTrial]) -> list[ToolScore]:
    """The scores in the order of the trials."""
    by_tool: dict[str, dict[str, ToolTrial]] = {}
    for trial in trials:
        by_tool.setdefault(trial.tool, {})[trial.case] = trial
    return [_score(tool, cases, of_tool) for tool, of_tool in by_tool.items()]


def _score(tool: str, cases: Sequence[CustomCase], trials: Mapping[str, ToolTrial]) -> ToolScore:
    asked = [case for case in cases if case.name in trials and trials[case.name].was_asked]
    named = [case.name for case in asked if case.twin and _named(case, trials)]
    accused = [case.name for case in asked if not case.twin and _accuses(trials[case.name])]
    return ToolScore(
        tool,
        named,
        [case.name for case in asked if case.twin and case.name not in named],
        accused,
        [case.name for case in asked if not case.twin and case.name not in accused],
        median(trials[case.name].cpu_s for case in asked) if asked else 0.0,
    )


def _named(case: CustomCase, trials: Mapping[str, ToolTrial]) -> bool:
    return names_mistake(case, trials[case.name], trials.get(case.twin))


def _accuses(trial: ToolTrial) -> bool:
    return bool(trial.complained or trial.failure)


def table(results: Sequence[ToolScore]) -> Iterator[str]:
    """The scores as a table in Markdown, by line."""
    yield "| tool | mistakes named | right ones accused | median CPU s |"
    yield "|---|---|---|---|"
    for score in results:
        wrong, right = len(score.named) + len(score.missed), len(score.accused) + len(score.acquitted)
        if wrong or right:
            yield (
                f"| {score.tool} | {len(score.named)} of {wrong} | {len(score.accused)} of {right} "
                f"| {score.median_s:.2f} |"
            )


def groups_table(cases: Sequence[CustomCase], results: Sequence[ToolScore]) -> Iterator[str]:
    """The mistakes that each tool names, by class, as a table in Markdown."""
    yield f"| class of mistake | cases | {' | '.join(score.tool for score in results)} |"
    yield "|---|---|" + "---|" * len(results)
    wrong = [case for case in cases if case.twin]
    for group in dict.fromkeys(case.group for case in wrong):
        names = {case.name for case in wrong if case.group == group}
        counts = " | ".join(
            str(len(names & {*score.named})) if names & {*score.named, *score.missed} else "" for score in results
        )
        yield f"| {group} | {len(names)} | {counts} |"
