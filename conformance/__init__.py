"""Documented behaviour of automatic differentiation engines, as small functions that run.

Where to begin: `behaviour` declares a claim, `protocol` has the verbs it is written in, `expect` the assertions,
`trial` makes a verdict of a check, `results` is the file format, `running` runs them. Claims: `chapters`.
"""

from importlib.metadata import version

__all__ = ["__version__"]

__version__ = version("autograd-conformance")
