"""The documents that behaviours cite, read from sources.toml: titles, versions and addresses."""

from __future__ import annotations

import difflib
import sys
from functools import cache
from importlib.resources import files
from typing import Any, TypedDict

if sys.version_info >= (3, 11):
    import tomllib
else:  # the standard library reads TOML from Python 3.11 on
    import tomli as tomllib

__all__ = ["address", "all_sources", "knows", "nearest", "path", "read_table", "title", "tomllib"]


class SourcePage(TypedDict):
    """A page: its title, and its path below the source's address."""

    title: str
    path: str


class SourceTable(TypedDict, total=False):
    """A documentation in sources.toml."""

    title: str
    version: str
    address: str
    pages: dict[str, SourcePage]


@cache
def all_sources() -> dict[str, SourceTable]:
    """sources.toml as nested tables: source, then its title, version, address and pages."""
    return read_table("sources.toml")


def read_table(name: str) -> dict[str, Any]:
    """The tables of a TOML file of the suite."""
    return tomllib.loads(files("conformance").joinpath(name).read_text("utf-8"))


def _pages(source: str) -> dict[str, SourcePage]:
    table: SourceTable = all_sources().get(source, {})
    return table.get("pages", {})


def knows(source: str, page: str) -> bool:
    """Whether `page` is listed among the source's pages."""
    return page in _pages(source)


def nearest(source: str, page: str) -> str:
    """The listed pages whose names come closest, for a message."""
    close = difflib.get_close_matches(page, _pages(source), n=3, cutoff=0.3)
    return ", ".join(close) or "(none is near)"


def path(source: str, page: str) -> str:
    """The page's path below the source's address; or its own address, if it is published elsewhere."""
    return _pages(source)[page]["path"]


def address(source: str, page: str) -> str:
    """Where the page can be read: a web address, or a file name for a founding document without an address."""
    rest = path(source, page)
    # A page that is published elsewhere has its whole address there.
    return rest if "://" in rest else all_sources()[source].get("address", "") + rest


def title(source: str, page: str) -> str:
    """The page's own title."""
    return _pages(source)[page]["title"]
