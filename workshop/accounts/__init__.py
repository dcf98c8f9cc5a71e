"""The accounts: for every statement of a documentation what carries it in the suite, or the reason for nothing.

A folder per account, a file per subject: the beginning of its entries' ids. `torch` and `jax` have every statement of
the documentation of PyTorch 2.13 and JAX 0.10.2, in our own words. Facts in notes that say `checked` or `observed`
are those of jax 0.10.2 with 64-bit numbers, or of torch 2.13.0, on 2026-11-20.

`since` has what documentations say of differentiation that they did not say before, read on 2026-11-23. PyTorch 2.13
to 2.15: the docstrings of all public names of torch, torch.Tensor, torch.autograd and its modules, torch.func,
torch.utils.checkpoint, torch.nn.functional, torch.linalg, torch.special and torch.optim, and the release notes of
2.14.0. JAX 0.10.0 to 0.12.0.1: the docstrings of all releases, and the change log up to 0.11.0 with what it lists as
unreleased in August 2026. The release notes of PyTorch 2.15 and the change log of JAX 0.12 were not at hand. Release
notes about other devices, distributed tensors, what a compiler generates and what crashes on inputs that are not
valid are not listed one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml

FOLDER = Path(__file__).parent
CARRIERS = ("behaviours", "laws", "programs")


@dataclass(frozen=True)
class Entry:
    """A statement in our own words, with its carriers.

    `laws` are laws on operations, `law[operation]` where a single operation has the point; `programs` are oracles and
    forms of generated programs. `reason`: why nothing carries it, for a binding statement from a short list.
    `both`: tape and functional model state it, and a behaviour runs on both; `alone`: why a statement that both models
    might make runs on a single model; `since`: the version that the statement is from, if not from all.
    """

    account: str
    id: str
    claim: str
    # Most statements are binding: the files name the others only.
    level: str = "must"
    behaviours: tuple[str, ...] = ()
    laws: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    both: bool = False
    alone: str = ""
    since: str = ""
    reason: str = ""
    note: str = ""

    @property
    def carried_by(self) -> str:
        """The first of `CARRIERS` that it has; empty where it is left out."""
        # In the order of CARRIERS: a behaviour is the most specific proof.
        return next((carrier for carrier in CARRIERS if getattr(self, carrier)), "")


def load(path: Path) -> tuple[Entry, ...]:
    """The entries of one subject's file. Raises TypeError for a field that no entry has."""
    entries = yaml.safe_load(path.read_text("utf-8"))
    # YAML has lists, and an entry is to be hashable.
    listed = [{**entry, **{carrier: tuple(entry.get(carrier, ())) for carrier in CARRIERS}} for entry in entries]
    return tuple(Entry(path.parent.name, **entry) for entry in listed)


def load_all() -> tuple[Entry, ...]:
    """The entries of all accounts."""
    return tuple(entry for path in sorted(FOLDER.glob("*/*.yaml")) for entry in load(path))
