"""Tests that only some operating systems can run, marked once."""

from __future__ import annotations

import os

import pytest

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX: fork, signals, terminals, limits of a process")
