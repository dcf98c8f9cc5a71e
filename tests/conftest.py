"""Options of the suite's own tests."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tests of the suite")
    group.addoption("--kills", type=int, default=5, metavar="N", help="how many runs are killed at a random moment")
    group.addoption("--on-request", action="store_true", help="also the columns that no default run contains")
    group.addoption("--kill-seed", type=int, default=0, metavar="SEED", help="the seed of the first; each has the next")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "kill_seed" in metafunc.fixturenames:
        first = metafunc.config.getoption("--kill-seed")
        metafunc.parametrize(
            "kill_seed", range(first, first + metafunc.config.getoption("--kills")), ids="seed{}".format
        )
