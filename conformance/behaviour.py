"""A behaviour: a documented claim and the function that checks it.

The decorator reads top-down as the claim does: its level, its citations, then the function, whose name and
docstring state it and whose body checks it. A wrong declaration raises RegistrationError when it is registered.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

from conformance import sources
from conformance.messages import InputError

__all__ = [
    "MAY",
    "MUST",
    "SHOULD",
    "Behaviour",
    "Citation",
    "Level",
    "RegistrationError",
    "Source",
    "behaviour",
    "chapter_of",
    "document",
    "hips",
    "jax",
    "jax_jit",
    "torch",
    "torch_compile",
    "torch_func",
]

# A check takes the engine as `ad`, then the values of its case; it returns the convention that it observed, or None.
Check = Callable[..., Any]
# The arguments of a check after `ad`, for a case.
Arguments = tuple[Any, ...]


class Level(str, Enum):
    """The strength of a promise in the documentation's words. A level never changes a verdict."""

    MUST = "must"
    SHOULD = "should"
    MAY = "may"


MUST, SHOULD, MAY = Level.MUST, Level.SHOULD, Level.MAY


class RegistrationError(InputError):
    """A behaviour is declared wrongly. The message names it, and the remedy."""


@dataclass(frozen=True)
class Citation:
    """A place that promises a claim: a source, its page and section.

    `since` and `until` bound the documented versions that make the promise (both inclusive). `raises` or `warns` is the
    type of the promised error or warning (a class, or its dotted name where only the engine has it), `says` a phrase of
    its message. `convention` names the allowed outcome that is cited, if there are several. `unstated`: why a page is
    cited that has no sentence with the claim; it promises nothing.
    """

    source: str
    page: str
    section: str = ""
    since: str = ""
    until: str = ""
    raises: type[BaseException] | str | None = None
    warns: type[Warning] | str | None = None
    says: str = ""
    convention: str | None = None
    unstated: str = ""

    def __post_init__(self) -> None:
        # Here, and not when a run compares versions: then the traceback shows the line of the citation.
        for bound in filter(None, (self.since, self.until)):
            try:
                Version(bound)
            except InvalidVersion:
                message = f"{self.source}({self.page!r}): {bound!r} is not a version; write it as '2.1'"
                raise RegistrationError(message) from None

    def covers(self, version: str) -> bool:
        """Whether this version (PEP 440) of the source's documentation makes the promise. Raises InvalidVersion."""
        here = Version(version)
        early = bool(self.since) and here < Version(self.since)
        # A bound of "2.0" includes 2.0.1: the bound is cut to the digits that it names.
        late = bool(self.until) and _cut(here, self.until) > Version(self.until)
        return not (early or late)


def _cut(version: Version, bound: str) -> Version:
    digits = len(Version(bound).release)
    return Version(".".join(str(part) for part in version.release[:digits]))


@dataclass(frozen=True)
class Source:
    """A documentation that makes promises; calling it gives a citation of a page."""

    name: str

    def __call__(self, page: str, section: str = "", **terms: Any) -> Citation:
        """Cite `page` (a key of sources.toml) and, where it has several, its `section`; `terms` as of a citation."""
        if not sources.knows(self.name, page):
            raise RegistrationError(
                f"{self.name}({page!r}): sources.toml has no such page under [{self.name}.pages]; add it, "
                f"or cite one of: {sources.nearest(self.name, page)}"
            )
        return Citation(self.name, page, section, **terms)


torch = Source("torch")
torch_func = Source("torch_func")
torch_compile = Source("torch_compile")
jax = Source("jax")
jax_jit = Source("jax_jit")
hips = Source("hips")
document = Source("document")


@dataclass(frozen=True)
class Behaviour:
    """A claim with everything that is known about it before any engine runs."""

    chapter: str
    name: str
    level: Level
    statement: str
    citations: tuple[Citation, ...]
    check: Check = field(repr=False, compare=False)
    cases: Mapping[str, Arguments] = field(default_factory=dict, repr=False, compare=False)
    was: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """`chapter.function`; a case adds its name in brackets."""
        return f"{self.chapter}.{self.name}"

    @property
    def conventions(self) -> tuple[str, ...]:
        """The named outcomes that documentations allow, in the order of declaration; empty where they agree."""
        return tuple(dict.fromkeys(c.convention for c in self.citations if c.convention is not None))

    def ids(self) -> tuple[str, ...]:
        """One id per cell."""
        return tuple(f"{self.id}[{case}]" for case in self.cases) or (self.id,)


def behaviour(
    level: Level,
    *citations: Citation,
    cases: Mapping[str, Arguments] | None = None,
    was: tuple[str, ...] = (),
    aliases: tuple[str, ...] = (),
    **conventions: Citation | tuple[Citation, ...],
) -> Callable[[Check], Check]:
    """Register a function as a behaviour.

    `citations` name who promises it. Where documentations disagree, give instead a keyword per allowed outcome, with
    its citation or citations; the check then returns `one_of(...)`. `cases` runs the check once per named tuple of
    arguments. `was` lists earlier ids, `aliases` what people type who look for it, where the statement does not have
    those words. Raises RegistrationError for a wrong declaration.
    """

    def register(check: Check) -> Check:
        declared = Behaviour(
            # Not `check.__module__`: chapters outside the package are imported under a made-up name.
            chapter=chapter_of(Path(check.__code__.co_filename)),
            name=check.__name__,
            level=level,
            statement=" ".join((inspect.getdoc(check) or "").split()),
            citations=citations + _named(conventions),
            check=check,
            cases=cases or {},
            was=was,
            aliases=aliases,
        )
        _validate(declared, plain=citations)
        _enter(declared, check.__globals__.setdefault("__behaviours__", {}))
        # So that a caller who has the function, such as a test, finds its declaration.
        check.__behaviour__ = declared  # type: ignore[attr-defined]
        return check

    return register


def chapter_of(path: Path) -> str:
    """The first name below the folder `chapters`: a chapter that becomes a folder keeps its name."""
    parts = path.parts
    if "chapters" not in parts:
        raise RegistrationError(f"{path}: a behaviour must be in a file below a folder named 'chapters'")
    # The last folder of that name: the project itself may lie below another such folder.
    below = parts[len(parts) - parts[::-1].index("chapters") :]
    return Path(below[0]).stem


def _enter(declared: Behaviour, chapter: dict[str, Behaviour]) -> None:
    """Add a behaviour to its chapter. Raises RegistrationError if a function of that name is there already."""
    earlier = chapter.setdefault(declared.name, declared)
    # A module that is imported again declares the same function at the same line: another line is another behaviour.
    lines = earlier.check.__code__.co_firstlineno, declared.check.__code__.co_firstlineno
    if lines[0] != lines[1]:
        raise RegistrationError(
            f"behaviour {declared.id!r} is declared twice, at lines {lines[0]} and {lines[1]}: rename one"
        )
    chapter[declared.name] = declared


def _named(conventions: Mapping[str, Citation | tuple[Citation, ...]]) -> tuple[Citation, ...]:
    pairs = ((name, (cited,) if isinstance(cited, Citation) else cited) for name, cited in conventions.items())
    return tuple(replace(citation, convention=name) for name, cited in pairs for citation in cited)


def _validate(declared: Behaviour, plain: tuple[Citation, ...]) -> None:
    if sys.flags.optimize > 1:
        raise RegistrationError(
            "Python was started with -OO or PYTHONOPTIMIZE=2, which removes docstrings, and a behaviour's docstring is "
            "its statement: start it without"
        )
    for complaint in _complaints(declared, plain):
        raise RegistrationError(f"behaviour {declared.id!r} {complaint}")


def _complaints(declared: Behaviour, plain: tuple[Citation, ...]) -> Iterator[str]:
    """Complaints about a declaration, each as the end of a sentence that begins with its name."""
    parameters = list(inspect.signature(declared.check).parameters)
    if not isinstance(declared.level, Level):
        yield f"has level {declared.level!r}: use MUST, SHOULD or MAY"
    if not declared.statement:
        yield "needs a docstring: the statement it checks"
    # pytest would collect it as a test in every test module that imports it.
    if declared.name.startswith("test_"):
        yield "must not begin with 'test_': name it as a sentence in the present tense"
    if not declared.citations:
        yield "needs a citation: who promises it? For example torch('torch.Tensor.backward')"
    if parameters[:1] != ["ad"]:
        yield f"must take the engine as its first argument, named 'ad'; its arguments are {parameters}"
    if declared.conventions:
        yield from _convention_complaints(declared, plain)
    yield from _case_complaints(declared, parameters[1:])


def _convention_complaints(declared: Behaviour, plain: tuple[Citation, ...]) -> Iterator[str]:
    if plain:
        yield "has named conventions and plain citations: give each citation to the convention that it documents"
    # With a single convention, `one_of` could not fail by choosing, only by matching nothing: that is a plain check.
    if len(declared.conventions) == 1:
        yield f"has the single convention {declared.conventions[0]!r}: name a second one, or cite it plainly"
    by_source: dict[str, set[str | None]] = {}
    for citation in declared.citations:
        by_source.setdefault(citation.source, set()).add(citation.convention)
    for shared in sorted(source for source, conventions in by_source.items() if len(conventions) > 1):
        yield f"cites {shared} for two conventions: two functions of one engine are two behaviours"


def _case_complaints(declared: Behaviour, extra: list[str]) -> Iterator[str]:
    if extra and not declared.cases:
        yield f"takes {extra} beside the engine: give cases={{'name': (values, ...)}}"
    for name, values in declared.cases.items():
        # The name becomes part of ids, node ids, addresses and file names.
        if not re.fullmatch(r"[a-z0-9_]+", name):
            yield f"has a case named {name!r}: use lower-case letters, digits and underscores"
        if not isinstance(values, tuple) or len(values) != len(extra):
            yield f"case {name!r} gives {values!r}: expected a tuple of {len(extra)} values for {extra}"
