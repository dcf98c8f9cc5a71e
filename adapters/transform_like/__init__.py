"""Engines that transform functions: values carry no history, and a derivative is asked of a program, not of a value.

The notions of the tape that such an engine lacks are the same for all of them; so are the programs that show it.
"""

from adapters.transform_like.absences import TAPE_NOTIONS

__all__ = ["TAPE_NOTIONS"]
