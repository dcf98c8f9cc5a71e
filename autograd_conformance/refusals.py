"""Everything that the suite refuses in one line, whoever refuses it."""

from __future__ import annotations

from autograd_conformance.new_engine.records import NewEngineError
from autograd_conformance.running import Failure
from autograd_conformance.scripting import ScriptError
from autograd_conformance.selection import SelectionError
from autograd_conformance.tracing.scope import ScopeError
from conformance.behaviour import RegistrationError
from conformance.engines import EngineError
from conformance.known_failures import KnownFailureError
from conformance.results import ResultsError
from reports.files import ReportError

__all__ = ["REFUSALS"]

REFUSALS = (
    EngineError,
    KnownFailureError,
    Failure,
    RegistrationError,
    ReportError,
    ResultsError,
    ScopeError,
    ScriptError,
    SelectionError,
    NewEngineError,
)
