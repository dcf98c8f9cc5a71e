"""Options and report of a run, which the commands that run engines share."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from autograd_conformance import completion
from autograd_conformance.options import OutputForm, output_option

if TYPE_CHECKING:
    from conformance.behaviour import Behaviour
    from conformance.running.engine_run import EngineRun
    from conformance.running.options import Options
    from reports.model import Matrix


class Amount(click.FloatRange):
    """A number within bounds. click's own type accepts nan, which is not out of bounds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number. Fails as click's types do."""
        number = super().convert(value, param, ctx)
        # True of nan alone.
        if number != number:
            self.fail(f"{value!r} is not in the range {self._describe_range()}.", param, ctx)
        return number


engines_option = click.option(
    "--engine",
    "-e",
    "engines",
    multiple=True,
    required=True,
    shell_complete=completion.engines,
    help="A name, with parameters if it takes any (torch, jax:jit), or module:Class. Repeatable.",
)

_OPTIONS = (
    engines_option,
    output_option,
    click.option(
        "--workers", "-n", type=click.IntRange(1, 1024), help="Processes for each engine.  [default: as cores are idle]"
    ),
    click.option("--limit", type=Amount(0.1, 10**6), default=30.0, show_default=True, help="Seconds per cell."),
    click.option(
        "--memory",
        type=Amount(0.01, 10**6),
        default=4.0,
        show_default=True,
        help="GiB of memory that one cell may add to its process.",
    ),
    click.option("--seed", type=click.IntRange(0, 2**32 - 1), help="Run in a random order drawn from this seed."),
    click.option("--resume", is_flag=True, help="Continue an interrupted run into the same folder."),
    click.option("--cold", is_flag=True, help="Let engines compile anew, without what earlier runs compiled."),
)


def with_run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of a run."""
    # As decorators apply from the lowest up: --help then lists the options in the order above.
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def run_and_report(
    engines: Sequence[str],
    options: Callable[[], Options],
    form: OutputForm,
    *,
    scripts: bool = False,
    pictures: bool = False,
    complete: Callable[[Matrix], Matrix] | None = None,
) -> None:
    """Run the engines, report every one that finished, and exit with the status.

    `options` makes the options of the run, `complete` adds to a section what results do not have. An engine that did
    not finish is the error of the call. Raises EngineRunError, ResultsError, or what `options` raises.
    """
    from autograd_conformance.engine_runs import EngineRunError, occupied, unwritable
    from autograd_conformance.progress import progress
    from autograd_conformance.run_summary import write_report
    from conformance.engines import parse
    from conformance.running.pool import run_engines

    # Before chapters are imported, so that a misspelt engine is reported at once.
    for engine in engines:
        parse(engine)
    chosen = options()
    # An engine that is named twice would write the same results file twice.
    unique = list(dict.fromkeys(engines))
    with terminable(), occupied(chosen.output):
        with progress(unique, form.verbosity) as show:
            try:
                runs = run_engines(unique, chosen, show)
            except OSError as error:
                raise unwritable(chosen.output, error) from None
        # Still locked: another run into this folder would find its results half renamed.
        finished, failures = _finish(runs, chosen, scripts, pictures)
        status = write_report(finished, chosen.output, form, complete=complete) if finished else 0
    # After the report, so that engines that finished are not lost with those that did not.
    if failures:
        raise EngineRunError("; ".join(failures))
    sys.exit(status)


def options_of(
    declared: Sequence[Behaviour],
    cells: Sequence[str],
    chapters: Path,
    output: Path,
    *,
    complete: bool,
    limit: float,
    memory: float,
    cold: bool,
    **given: Any,
) -> Options:
    """The options of a run of these cells."""
    from conformance.running.cache import cache_folder
    from conformance.running.options import Limits, Options

    cache = None if cold else cache_folder()[0]
    limits = Limits(limit, memory)
    return Options(output, cells, declared, complete, limits=limits, chapters=chapters, cache=cache, **given)


@contextmanager
def terminable() -> Iterator[None]:
    """SIGTERM, and SIGHUP of a closed terminal, end this block as Ctrl-C does, with the status that a shell reports."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]

    def end(number: int, frame: FrameType | None) -> None:
        # A second signal would only stop the cleanup.
        for other in (signal.SIGINT, *numbers):
            signal.signal(other, signal.SIG_IGN)
        raise SystemExit(128 + number)

    # `nohup` has SIGHUP ignored: then it stays so.
    for number in numbers:
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, end)
    try:
        yield
    finally:
        for number in numbers:
            # After a signal it is ignored, and stays so: a second must not stop the cleanup of callers.
            if signal.getsignal(number) is end:
                signal.signal(number, signal.SIG_DFL)


def _finish(runs: Sequence[EngineRun], options: Options, scripts: bool, pictures: bool) -> tuple[list[Path], list[str]]:
    """The results of every engine that finished, with what is derived beside them; why the others did not."""
    from autograd_conformance.engine_runs import EngineRunError, finish, unwritable

    wanted: dict[str, Callable[[Path, Path], str]] = {}
    if scripts or pictures:
        # Only then: laws and plots take a while to import.
        from autograd_conformance.derived import derive_curves, derive_scripts

        wanted |= {"scripts": derive_scripts} if scripts else {}
        wanted |= {"pictures": derive_curves} if pictures else {}
    finished, failures = [], []
    for run in runs:
        try:
            finished.append(finish(run))
            for what, derive in wanted.items():
                # No failure of the run: its results are whole without what is derived from them.
                if problem := derive(finished[-1], options.chapters):
                    click.echo(f"no {what} of {run.spec}: {problem}", err=True)
        except EngineRunError as failure:
            failures.append(failure.message)
        except OSError as error:
            failures.append(unwritable(options.output, error).message)
    return finished, failures
