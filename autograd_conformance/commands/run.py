"""`run`: behaviours on engines, then the report."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from autograd_conformance import completion
from autograd_conformance.options import OutputForm, chapters_option, form_options, output_option

if TYPE_CHECKING:
    from conformance.running.engine_run import EngineRun
    from conformance.running.options import Options

__all__ = ["run"]


class Amount(click.FloatRange):
    """A number within bounds. click's own type accepts nan, which is not out of bounds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number. Fails as click's types do."""
        number = super().convert(value, param, ctx)
        # True of nan alone.
        if number != number:
            self.fail(f"{value!r} is not in the range {self._describe_range()}.", param, ctx)
        return number


@click.command()
@click.argument("behaviours", nargs=-1, shell_complete=completion.behaviours)
@click.option(
    "--engine",
    "-e",
    "engines",
    multiple=True,
    required=True,
    shell_complete=completion.engines,
    help="A name, with parameters if it takes any (torch, jax:jit), or module:Class. Repeatable.",
)
@output_option
@click.option(
    "--workers", "-n", type=click.IntRange(1, 1024), help="Processes for each engine.  [default: as cores are idle]"
)
@click.option("--limit", type=Amount(0.1, 10**6), default=30.0, show_default=True, help="Seconds per behaviour.")
@click.option(
    "--memory",
    type=Amount(0.01, 10**6),
    default=4.0,
    show_default=True,
    help="GiB of memory that one behaviour may add to its process.",
)
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), help="Run in a random order drawn from this seed.")
@click.option("--resume", is_flag=True, help="Continue an interrupted run into the same folder.")
@click.option("--cold", is_flag=True, help="Let engines compile anew, without what earlier runs compiled.")
@click.option("--scripts", is_flag=True, help="Also derive each cell's program in the engine's API, for the page.")
@chapters_option
@form_options
def run(
    engines: Sequence[str],
    behaviours: Sequence[str],
    form: OutputForm,
    chapters: Path | None,
    output: Path,
    scripts: bool,
    **given: Any,
) -> None:
    """Run behaviours on engines, and write the report.

    BEHAVIOURS are chapters, ids or cases (default: all). Exit status 1: a fail, crash, timeout or error that is not a
    known failure, or a known failure that no longer occurs.

    Example: autograd-conformance run --engine reference accumulation hooks
    """
    from autograd_conformance.engine_runs import occupied, unwritable
    from autograd_conformance.progress import progress
    from conformance.engines import parse
    from conformance.running.pool import run_engines

    # Before chapters are imported, so that a misspelt engine is reported at once.
    for engine in engines:
        parse(engine)
    options = _options(behaviours, chapters, output, **given)
    unique = list(dict.fromkeys(engines))
    with _terminable(), occupied(output):
        with progress(unique, form.verbosity) as show:
            try:
                runs = run_engines(unique, options, show)
            except OSError as error:
                raise unwritable(output, error) from None
        # Still locked: another run into this folder would find its results half renamed.
        sys.exit(_conclude(runs, options, form, scripts))


def _options(
    words: Sequence[str],
    folder: Path | None,
    output: Path,
    limit: float,
    memory: float,
    cold: bool,
    **given: Any,
) -> Options:
    """The options of a run. Raises SelectionError."""
    from autograd_conformance.selection import cells_of, suite
    from conformance.collecting import CHAPTERS
    from conformance.running.caching import cache_folder
    from conformance.running.limits import Limits
    from conformance.running.options import Options

    declared = suite(folder)
    cells = cells_of(words, declared)
    complete = folder is None and len(cells) == sum(len(one.ids()) for one in declared)
    chapters = (folder or CHAPTERS).resolve()
    cache = None if cold else cache_folder()[0]
    return Options(
        output, cells, declared, complete, limits=Limits(limit, memory), chapters=chapters, cache=cache, **given
    )


@contextmanager
def _terminable() -> Iterator[None]:
    """SIGTERM, and SIGHUP of a closed terminal, end this block as Ctrl-C does, with the status that a shell reports."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]

    def end(number: int, frame: FrameType | None) -> None:
        # A second signal would only stop the cleanup.
        for one in (signal.SIGINT, *numbers):
            signal.signal(one, signal.SIG_IGN)
        raise SystemExit(128 + number)

    # `nohup` has SIGHUP ignored: then it stays so.
    for number in numbers:
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, end)
    try:
        yield
    finally:
        for number in numbers:
            if signal.getsignal(number) is end:
                signal.signal(number, signal.SIG_DFL)


def _conclude(runs: Sequence[EngineRun], options: Options, form: OutputForm, scripts: bool) -> int:
    """Report every engine that finished; one that did not is the error of the call. Returns the exit status."""
    from autograd_conformance.engine_runs import EngineRunError, finish, unwritable
    from autograd_conformance.outcome import write_report
    from autograd_conformance.scripting import derive_scripts
    from reports.reading import joined

    finished, failures = [], []
    for one in runs:
        try:
            finished.append(finish(one))
            problem = derive_scripts(finished[-1], options.chapters) if scripts else ""
            if problem:
                click.echo(f"no scripts of {one.spec}: {problem}", err=True)
        except EngineRunError as failure:
            failures.append(failure.message)
        except OSError as error:
            failures.append(unwritable(options.output, error).message)
    status = write_report(joined(finished), options.output, form) if finished else 0
    if failures:
        raise EngineRunError("; ".join(failures))
    return status
