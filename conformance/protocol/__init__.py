"""The verbs in which behaviours are written, and what an adapter must say about itself.

An adapter is a class with a method for every verb its engine offers. A verb that the engine lacks by design is declared
in `absences`, with a reason and a probe; a verb that an adapter does not mention is unsupported. Nothing is inherited:
a missing verb cannot be mistaken for a verb that is there.
"""

from conformance.protocol.adapter import Absence, Adapter, AdapterError, Joint, Limitation, Probe
from conformance.protocol.compiler import CompilingAdapter
from conformance.protocol.inventory import Inventory, Item
from conformance.protocol.own_functions import OwnFunctions
from conformance.protocol.spellings import Namespace, NotOffered, Spelling, same
from conformance.protocol.verbs import Ad
from conformance.protocol.vocabulary import Verb, nearest_verb, verbs_of, vocabulary

__all__ = [
    "Absence",
    "Ad",
    "Adapter",
    "AdapterError",
    "CompilingAdapter",
    "Inventory",
    "Item",
    "Joint",
    "Limitation",
    "Namespace",
    "NotOffered",
    "OwnFunctions",
    "Probe",
    "Spelling",
    "Verb",
    "nearest_verb",
    "same",
    "verbs_of",
    "vocabulary",
]
