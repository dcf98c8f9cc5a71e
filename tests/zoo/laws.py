"""Adapters of the reference engine that break one law each."""

from __future__ import annotations

from typing import Any, ClassVar

from adapters.with_reference import ReferenceAdapter


class ForgetsWhatItWrote(ReferenceAdapter):
    """In-place forms write numbers, and no history."""

    name: ClassVar[str] = "forgetful"

    def operate_(self, x: Any, operation: str, *args: Any, **options: Any) -> Any:
        twin = x.detach().clone()
        super().operate_(twin, operation, *args, **options)
        return x.copy_(twin.detach())


class WritesIntoACopy(ReferenceAdapter):
    """In-place forms leave the base of a view as it was."""

    name: ClassVar[str] = "copying"

    def operate_(self, x: Any, operation: str, *args: Any, **options: Any) -> Any:
        return super().operate_(x.clone(), operation, *args, **options)


class ForgetsAnAlias(ReferenceAdapter):
    """An argument that is the array itself is a constant."""

    name: ClassVar[str] = "alias"

    def operate_(self, x: Any, operation: str, *args: Any, **options: Any) -> Any:
        others = [one.detach().clone() if one is x else one for one in args]
        return super().operate_(x, operation, *others, **options)


class WritesOutUnrecorded(ReferenceAdapter):
    """A function with `out` raises no error."""

    name: ClassVar[str] = "unrecorded"

    def operate_out_(self, out: Any, operation: str, *args: Any, **options: Any) -> Any:
        with self.torch.no_grad():
            return super().operate_out_(out, operation, *args, **options)
