"""Options of the suite's own tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.kills import STEPS, Kind
from tests.support import alternating
from tests.systems import stop_ignoring_signals
from workshop.scripts import forked, pool

# Some tests fork. Where PyTorch has started threads, an operation in the fork would wait for threads that it has not.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Tests send signals to the processes that they start.
stop_ignoring_signals()


@pytest.fixture(scope="session")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Kind:
    """Behaviours of which every other takes its time."""
    return Kind("tests.zoo.adapters:Slow", alternating(tmp_path_factory.mktemp("steps"), STEPS))


@pytest.fixture(scope="session")
def torch_forks() -> Iterator[Callable[[list[Path]], list[tuple[int, str]]]]:
    """Run native programs in forks of a process that has imported PyTorch; their exit statuses, and what they print."""
    with pool(1, fork=True) as process:
        yield lambda paths: process.submit(forked, paths).result()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tests of the suite")
    group.addoption(
        "--kills",
        type=int,
        default=6,
        metavar="N",
        help="how many runs are killed, and interrupted, at a random moment",
    )
    group.addoption("--on-request", action="store_true", help="also the columns that no default run contains")
    group.addoption(
        "--orders", type=int, default=0, metavar="N", help="in how many random orders whole engines are run again"
    )
    group.addoption("--kill-seed", type=int, default=0, metavar="SEED", help="the seed of the first; each has the next")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "order" in metafunc.fixturenames:
        # The run that they are compared with had two workers; so what is least is one order with one, of a part.
        orders = [(order, workers, 1) for order in range(metafunc.config.getoption("--orders")) for workers in (1, 2)]
        # An order that matters shows in a twelfth, too: of each engine that is over a hundred cells.
        chosen = orders or [(0, 1, 12)]
        ids = [f"order{order}-{workers}workers-one_in_{part}" for order, workers, part in chosen]
        metafunc.parametrize(("order", "workers", "part"), chosen, ids=ids)
    # Seeds count up, so that a failure is run again by its seed alone: `--kill-seed SEED --kills 1`.
    first, count = metafunc.config.getoption("--kill-seed"), metafunc.config.getoption("--kills")
    for name, share in (("kill_seed", 1), ("interruption_seed", 2)):
        if name in metafunc.fixturenames:
            # Two signals for each: as many interruptions as kills.
            metafunc.parametrize(name, range(first, first + -(-count // share)), ids="seed{}".format)
