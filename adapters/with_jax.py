"""JAX, spoken to through its function transforms.

Each verb is one public call, or an idiom that JAX documents and that is labelled here as one. Nothing of the tape is
emulated: what JAX lacks by design is declared, with probes, in `transform_like.absences`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import jax.test_util
import numpy as np

from adapters.transform_like import TAPE_NOTIONS
from adapters.transform_like.numpy_names import NumpyNames
from conformance.protocol import Absence, Adapter

__all__ = ["JaxAdapter"]

Array = Any
Program = Callable[..., Any]


class _Functional:
    """Idiom: a transform, called at once at a point."""

    def jacobian(self, program: Program, inputs: Array) -> Array:
        return jax.jacrev(program)(inputs)

    def hessian(self, program: Program, inputs: Array) -> Array:
        return jax.hessian(program)(inputs)

    def vjp(self, program: Program, inputs: Array, v: Array) -> tuple[Array, Array]:
        output, pullback = jax.vjp(program, inputs)
        return output, pullback(v)[0]


class JaxAdapter(Adapter):
    """JAX, CPU, without jit, with 64-bit numbers."""

    name: ClassVar[str] = "jax"
    absences: ClassVar[tuple[Absence, ...]] = TAPE_NOTIONS
    np: ClassVar[NumpyNames] = NumpyNames(jnp, jax.nn.softplus)
    functional: ClassVar[_Functional] = _Functional()

    def __init__(self, parameters: Mapping[str, str] | None = None) -> None:
        super().__init__(parameters)
        jax.config.update("jax_enable_x64", True)
        # A filtered traceback ends in JAX's own frames only by luck; the harness reads where an exception was raised.
        jax.config.update("jax_traceback_filtering", "off")

    @property
    def version(self) -> str:
        return str(jax.__version__)

    @property
    def held_to(self) -> Mapping[str, str]:
        return {"jax": jax.__version__}

    def to_numpy(self, x: Array) -> Any:
        return np.asarray(x)

    def global_state(self) -> Mapping[str, Any]:
        return {name: getattr(jax.config, name) for name in ("jax_enable_x64", "jax_debug_nans")}

    def restore(self, state: Mapping[str, Any]) -> None:
        jax.config.update("jax_enable_x64", state["jax_enable_x64"])
        jax.config.update("jax_debug_nans", state["jax_debug_nans"])

    def array(self, value: Any, dtype: str | None = None) -> Array:
        return jnp.array(value, dtype=dtype)

    def dtype_of(self, x: Array) -> str:
        return str(x.dtype)

    def grad(self, program: Program, argnums: int | tuple[int, ...] = 0) -> Program:
        gradient: Program = jax.grad(program, argnums=argnums)
        return gradient

    def vjp(self, program: Program, *primals: Array) -> tuple[Any, Program]:
        output, pullback = jax.vjp(program, *primals)
        return output, pullback

    def jvp(self, program: Program, primals: tuple[Array, ...], tangents: tuple[Array, ...]) -> tuple[Any, Any]:
        output, tangent = jax.jvp(program, primals, tangents)
        return output, tangent

    def jacobian(self, program: Program) -> Program:
        jacobian: Program = jax.jacrev(program)
        return jacobian

    def hessian(self, program: Program) -> Program:
        hessian: Program = jax.hessian(program)
        return hessian

    def vmap(self, program: Program) -> Program:
        mapped: Program = jax.vmap(program)
        return mapped

    def check_gradients(self, program: Program, *primals: Array) -> Any:
        # Reverse mode only, as a rule given by custom_vjp has no other.
        jax.test_util.check_grads(program, primals, order=1, modes=["rev"])
        return True

    def check_second_gradients(self, program: Program, *primals: Array) -> Any:
        jax.test_util.check_grads(program, primals, order=2, modes=["rev"])
        return True

    def detach(self, x: Array) -> Array:
        return jax.lax.stop_gradient(x)

    def clone(self, x: Array) -> Array:
        return jnp.array(x, copy=True)

    def custom_vjp(self, forward: Program, backward: Program) -> Program:
        custom: Any = jax.custom_vjp(lambda *args: forward(*args)[0])
        custom.defvjp(forward, backward)
        ruled: Program = custom
        return ruled

    def checkpoint(self, program: Program) -> Program:
        rematerialized: Program = jax.checkpoint(program)
        return rematerialized

    def detect_anomaly(self) -> AbstractContextManager[Any]:
        """Idiom: JAX's own switch against NaN, which looks at the forward pass as well."""
        scope: AbstractContextManager[Any] = jax.debug_nans(True)
        return scope

    def set_detect_anomaly(self, flag: bool) -> AbstractContextManager[Any]:
        """Idiom: the same, by a flag."""
        scope: AbstractContextManager[Any] = jax.debug_nans(flag)
        return scope
