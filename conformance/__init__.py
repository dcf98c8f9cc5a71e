"""What automatic differentiation engines promise, as small functions that run.

`behaviour` says how a claim is declared, `protocol` in which verbs it is written, `expect` how it is checked,
`trial` how a check becomes a verdict, `results` how verdicts are written down. The claims are in `chapters`.
"""

from importlib.metadata import version

__all__ = ["__version__"]

__version__ = version("autograd-conformance")
