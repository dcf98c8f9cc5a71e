"""The exception of an assertion that does not hold: a message for people, and a witness for programs."""

from __future__ import annotations

import msgspec

from conformance.messages import first_line, printable
from conformance.verdicts import Witness

# Characters of each text of a witness, of which a results file may have a thousand.
WITNESS_LONGEST = 1000


class Mismatch(AssertionError):
    """The engine deviates from the behaviour: a message with got, expected and call, and the same as a witness."""

    args: tuple[str, Witness]
    # Whether mathematics alone decides the expected value: no convention, tolerance or interface.
    mathematical = False

    def __str__(self) -> str:
        return self.args[0]

    @property
    def witness(self) -> Witness:
        """Got, expected and call."""
        return self.args[1]

    @classmethod
    def of(cls, witness: Witness) -> Mismatch:
        """A mismatch whose message is its witness in words."""
        return cls(in_words(witness), witness)


def in_words(witness: Witness) -> str:
    """A witness as a line of a message."""
    return f"{witness.what}: got {witness.got}, expected {witness.expected} at {witness.where}"


def printable_witness(witness: Witness) -> Witness:
    """A witness whose texts no terminal acts on. They are short: the message of the outcome has more of them."""
    return Witness(*(printable(text, WITNESS_LONGEST) for text in msgspec.structs.astuple(witness)))


def error_witness(error: BaseException, expected: str = "", where: str = "", verb: str = "") -> Witness:
    """The witness of an error that the engine raised in the place of what was expected."""
    return Witness(expected=expected, where=where, verb=verb, error=type(error).__name__, text=first_line(error))
