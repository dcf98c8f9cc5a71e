"""Laws on people's own functions in their tests: a test for each law, and laws on what existing tests call.

Loaded in every session of pytest where the package is installed, so it imports nothing until it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from autograd_conformance.check import LawBroken, Report, check
from autograd_conformance.known_breaks import Known, known_of

if TYPE_CHECKING:
    from conformance.own.answers import Answer

__all__ = ["autograd_laws"]


class LawCase:
    """A law on a function, called by its test: LawBroken where it does not hold; skipped where it is not asked."""

    def __init__(self, name: str, ask: Callable[[str], Answer], title: str) -> None:
        self.name, self._ask, self._title = name, ask, title

    def __call__(self) -> None:
        answer = self._ask(self.name)
        if answer.status == "broken":
            raise LawBroken(Report(self._title, (answer,)))
        if answer.status == "known":
            pytest.xfail(answer.reason)
        if answer.status != "holds":
            pytest.skip(f"{answer.status}: {answer.remedy or answer.reason}")


def autograd_laws(function: Callable[..., Any], *arguments: Any, known: Known = "", **declared: Any) -> Any:
    """A decorator that makes a test of each law, which the test calls as `law()`; `declared` as of `check`."""
    from conformance.own.check import Declared, laws_on_function, title_of

    title = title_of(function)
    asked = Declared(known=known_of(known, title), **declared)

    def ask(name: str) -> Answer:
        with laws_on_function(function, arguments, asked) as laws:
            return laws.answer(name)

    with laws_on_function(function, arguments, asked) as laws:
        cases = [pytest.param(LawCase(name, ask, title), id=name) for name in laws.asked]
    return pytest.mark.parametrize("law", cases)


@pytest.fixture
def autograd_check() -> Callable[..., Report]:
    """`check`, for tests that ask for it by name."""
    return check


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("autograd-conformance")
    group.addoption(
        "--autograd-laws", action="store_true", help="try the laws on each custom derivative that the tests call"
    )
    group.addoption("--autograd-known", metavar="FILE", default="", help="known breaks of the laws, as TOML")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("autograd_laws"):
        config.pluginmanager.register(WatchedCalls(config.getoption("autograd_known")), "autograd laws")


class WatchedCalls:
    """The custom derivatives that tests call, each with the arguments of its first call of a signature."""

    def __init__(self, known: str) -> None:
        from conformance.own.check import engines_here

        self._known = known
        self._seen: set[Any] = set()
        self._new: list[tuple[Callable[..., Any], tuple[Any, ...], str]] = []
        self._reports: list[tuple[str, Report]] = []
        self._problems: list[tuple[str, str]] = []
        self._patches = ExitStack()
        # Before test modules are imported, which may keep `MyFunction.apply` under a name.
        for functions in engines_here():
            self._patches.enter_context(functions.watched(self._note))
        self._test = ""

    def _note(self, function: Callable[..., Any], title: str, signature: Any, arguments: tuple[Any, ...]) -> None:
        key = title, signature
        if self._test and key not in self._seen:
            self._seen.add(key)
            self._new.append((function, arguments, title))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        self._test = item.nodeid
        try:
            return (yield)
        finally:
            # What laws call is no call of a test.
            self._test = ""
            while self._new:
                self._check(*self._new.pop(), item.nodeid)

    def _check(self, function: Callable[..., Any], arguments: tuple[Any, ...], title: str, test: str) -> None:
        try:
            report = check(function, *arguments, raises=False, known=self._known)
        except Exception as error:
            self._problems.append((f"{title} ({test})", str(error).split("\n", 1)[0]))
        else:
            self._reports.append((test, report))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self._patches.close()
        if session.exitstatus == pytest.ExitCode.OK and any(report.broken for _, report in self._reports):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        terminalreporter.section("autograd laws")
        for where, problem in self._problems:
            terminalreporter.line(f"not asked: {where}: {problem}")
        for test, report in self._reports:
            terminalreporter.line(f"{str(report).splitlines()[0]} ({test})")
            if report.broken:
                terminalreporter.line(str(LawBroken(report)))
        if not self._reports:
            terminalreporter.line("no test calls a custom derivative")
