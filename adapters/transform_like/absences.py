"""What an engine of function transforms lacks by design, each absence with a program that shows what it does instead.

Probes speak through the adapter only, so that each can also be run on a tape, where it must not hold.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adapters.probing import shown
from conformance.protocol import Absence

__all__ = ["TAPE_FEATURES"]

JAX = "https://docs.jax.dev/en/latest/"
TRACING = JAX + "key-concepts.html"
SHARP_BITS = JAX + "notebooks/Common_Gotchas_in_JAX.html"


def _shown_a_stand_in(ad: Any, differentiate: Callable[[Any, Any], Any]) -> None:
    seen: list[type] = []

    def program(x: Any) -> Any:
        seen.append(type(x))
        return x * x

    x = ad.array(3.0)
    differentiate(program, x)
    shown(
        bool(seen) and type(x) not in seen,
        f"the program was given a {type(x).__name__}, as any other caller is",
    )


def a_program_is_traced(ad: Any) -> None:
    """A program under `grad` is given a stand-in that records for it, and not the array itself or one of its type."""
    _shown_a_stand_in(ad, lambda program, x: ad.grad(program)(x))


def a_tangent_is_traced(ad: Any) -> None:
    """A program under `jvp` is given a stand-in that carries the tangent, and not an array that does."""
    _shown_a_stand_in(ad, lambda program, x: ad.jvp(program, (x,), (x,)))


def an_array_cannot_be_written(ad: Any) -> None:
    """Assigning to an element raises TypeError."""
    x = ad.array([1.0, 2.0])
    try:
        x[0] = 5.0
    except TypeError:
        return
    raise AssertionError("the element was overwritten")


def no_two_names_share_memory(ad: Any) -> None:
    """`y = x; y += 1` makes a new array and leaves the old one as it was."""
    x = ad.array([1.0, 2.0])
    y = x
    y += 1.0
    shown(bool((ad.to_numpy(x) == [1.0, 2.0]).all()), "the array changed under its first name")


def a_pullback_keeps_what_it_needs(ad: Any) -> None:
    """A pullback can be called twice without asking for it: what it needs is its own, and nobody frees it."""
    _, pullback = ad.vjp(lambda x: x * x, ad.array(3.0))
    pullback(ad.array(1.0))
    try:
        (again,) = pullback(ad.array(1.0))
    except Exception as error:
        raise AssertionError(f"the second call raised {type(error).__name__}") from error
    shown(float(ad.to_numpy(again)) == 6.0, "the second call gave another gradient")


def a_checkpoint_replays_its_trace(ad: Any) -> None:
    """The Python of a checkpointed program runs once: what is computed again is its trace."""
    calls: list[Any] = []

    def program(x: Any) -> Any:
        calls.append(x)
        return x * x

    ad.grad(ad.checkpoint(program))(ad.array(3.0))
    shown(len(calls) == 1, f"the program ran {len(calls)} times")


def a_key_decides_a_draw(ad: Any) -> None:
    """Two draws with one key give the same numbers: no generator stands behind them."""
    if not hasattr(ad, "key"):
        raise AssertionError("nothing is drawn from a key")
    key = ad.key(0)
    shown(bool((ad.to_numpy(ad.normal(key)) == ad.to_numpy(ad.normal(key))).all()), "the second draw differs")


def what_keeps_no_numbers_is_no_array(ad: Any) -> None:
    """A value with a shape and without numbers takes no part in a computation."""
    if not hasattr(ad, "shape_only"):
        raise AssertionError("no value stands for an array without numbers")
    try:
        ad.shape_only((2,), "float64") + 1.0
    except TypeError:
        return
    raise AssertionError("the value was computed with")


class _StandIn:
    """Not an array, but ready to take over the functions that it is given to."""

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return ("taken over",)


def a_foreign_object_is_refused(ad: Any) -> None:
    """An object that is no array, and offers to take functions over, is refused as a value to differentiate."""
    try:
        _, pullback = ad.vjp(lambda x: _StandIn(), ad.array(3.0))
        pullback(ad.array(1.0))
    except TypeError:
        return
    raise AssertionError("the object took the function over")


def a_maximum_comes_alone(ad: Any) -> None:
    """The method `max` along an axis returns an array, as NumPy's does, and no pair of it and its indices."""
    x = ad.array([[1.0, 2.0]])
    shown(type(x.max(0)) is type(x), "the maximum brought its indices")


TAPE_FEATURES = (
    Absence(
        features=("leaf", "requires_grad", "require_grad_", "set_requires_grad_", "is_leaf"),
        reason="No array has a flag: the arguments of a transform say what is differentiated.",
        source=JAX + "_autosummary/jax.grad.html",
        probe=a_program_is_traced,
    ),
    Absence(
        features=(
            *("backward", "backward_of", "grad_of", "gradient_of"),
            *("set_gradient_", "delete_gradient_", "clear_gradient_", "zero_gradient_"),
            *("retain_gradient_", "retains_gradient", "gradcheck"),
        ),
        reason="No array stores a gradient or knows its history: a transform takes a program, and returns gradients.",
        source=JAX + "automatic-differentiation.html",
        probe=a_program_is_traced,
    ),
    Absence(
        features=(
            *("creator_name", "creators_behind", "nodes_behind", "edges_behind", "leaf_behind", "same_creator"),
            *("output_number", "saved_value", "survives"),
        ),
        reason="There is no graph behind a value: what a transform records lives in the tracers of its own run.",
        source=TRACING,
        probe=a_program_is_traced,
    ),
    Absence(
        features=(
            *("register_hook", "register_post_accumulate_hook", "register_multi_hook", "remove_hook"),
            *("register_node_hook", "register_node_prehook", "register_module_hook", "register_module_prehook"),
        ),
        reason="There is nothing to hang a hook on: what sees a cotangent is part of the program, by custom_vjp.",
        source=JAX + "notebooks/Custom_derivative_rules_for_Python_code.html",
        probe=a_program_is_traced,
    ),
    Absence(
        features=(
            *("no_grad", "enable_grad", "set_grad_enabled", "inference_mode"),
            *("is_recording", "is_inference_mode", "is_inference", "decorated_by"),
        ),
        reason="There is no mode of recording: what runs under a transform is traced, and stop_gradient cuts it.",
        source=JAX + "_autosummary/jax.lax.stop_gradient.html",
        probe=a_program_is_traced,
    ),
    Absence(
        features=("variable", "is_plain_array", "volatile_of", "set_volatile_", "variable_factory"),
        reason="These are former names of the tape's own array type, whose place a tracer takes here.",
        source=TRACING,
        probe=a_program_is_traced,
    ),
    Absence(
        features=(
            *("add_", "sub_", "mul_", "sigmoid_", "copy_", "set_item_", "detach_"),
            *("write_by_", "write_out_", "version_of", "functionalize"),
        ),
        reason="Arrays are immutable: an update makes a new array.",
        source=SHARP_BITS,
        probe=an_array_cannot_be_written,
    ),
    Absence(
        features=("view", "view_by", "data_of", "shares_memory", "strides_of", "new_array"),
        reason="No two values share memory that can be written, so there are no views and no unwatched data.",
        source=SHARP_BITS,
        probe=no_two_names_share_memory,
    ),
    Absence(
        features=("saved_tensors_hooks", "register_saved_hooks"),
        reason="Nothing is packed and freed per operation: a pullback owns what it needs for as long as it lives.",
        source=JAX + "_autosummary/jax.vjp.html",
        probe=a_pullback_keeps_what_it_needs,
    ),
    Absence(
        features=("checkpoint.use_reentrant", "checkpoint.determinism_check"),
        reason="There is no choice of how to run the program again: its trace is replayed, and its Python is not.",
        source=JAX + "_autosummary/jax.checkpoint.html",
        probe=a_checkpoint_replays_its_trace,
    ),
    Absence(
        features=("dual_level", "make_dual", "primal_of", "tangent_of"),
        reason="No array carries a tangent: forward mode takes the program and its tangents in one call.",
        source=JAX + "_autosummary/jax.jvp.html",
        probe=a_tangent_is_traced,
    ),
    Absence(
        features=("elsewhere",),
        reason="No device keeps arrays without their numbers: a shape alone is a ShapeDtypeStruct, which is no array.",
        source=JAX + "_autosummary/jax.ShapeDtypeStruct.html",
        probe=what_keeps_no_numbers_is_no_array,
    ),
    Absence(
        features=("array_like",),
        reason="Functions are not handed over to objects of other types: what is no array is refused.",
        source=JAX + "key-concepts.html",
        probe=a_foreign_object_is_refused,
    ),
    Absence(
        features=(
            *("custom_function", "once_differentiable", "save_for_backward_", "save_for_forward_", "saved", "keep_"),
            *("kept", "needs_input_grad", "mark_dirty_", "mark_non_differentiable_", "set_materialize_grads_"),
            "batch_of",
        ),
        reason="Rules share no context: what a rule needs is returned by the forward function, and passed to it.",
        source=JAX + "_autosummary/jax.custom_vjp.html",
        probe=a_program_is_traced,
    ),
    Absence(
        features=(
            *("module", "linear", "parameter", "member_of", "set_member_", "parameters_of", "functional_call"),
            *("freeze_", "evaluate_", "is_training", "zero_gradients_", "fill_with_ones_"),
            *("gradient_descent", "step_"),
        ),
        reason="A model is a function of its parameters, which no object owns and nothing changes in place.",
        source=JAX + "_autosummary/jax.grad.html",
        probe=an_array_cannot_be_written,
    ),
    Absence(
        features=("seed_", "draw", "vmap.randomness", "checkpoint.preserve_rng_state"),
        reason="Random numbers follow from a key that is given: there is no state to set, to keep or to share.",
        source=JAX + "random-numbers.html",
        probe=a_key_decides_a_draw,
    ),
    Absence(
        features=("vmap.chunk_size", "jacobian.chunk_size"),
        reason="A batch is one axis of the traced program, which is not cut into pieces.",
        source=JAX + "_autosummary/jax.vmap.html",
        probe=a_program_is_traced,
    ),
    Absence(
        features=(
            *("functional.jacobian", "functional.hessian", "functional.vjp"),
            *("functional.jvp", "functional.vhp", "functional.hvp", "jvp.strict"),
        ),
        reason="A transform takes a program alone and returns a function of the point: none takes both, or has flags.",
        source=JAX + "automatic-differentiation.html",
        probe=a_program_is_traced,
    ),
    Absence(
        features=(
            *("np.max_with_index", "np.sort_with_indices", "np.kthvalue", "np.dist", "np.cdist", "np.pdist"),
            *("np.lp_pool1d", "np.l1_loss", "np.smooth_l1_loss", "np.huber_loss"),
            *("np.view_as_real", "np.rand_like"),
        ),
        reason="Functions are those of NumPy and SciPy, and a few of networks: what these compute is written out.",
        source=JAX + "jax.numpy.html",
        probe=a_maximum_comes_alone,
    ),
    Absence(
        features=tuple(
            f"np.{name}" for name in ("binary_cross_entropy", "gaussian_nll_loss", "cross_entropy", "embedding")
        ),
        reason="Functions are those of NumPy and SciPy, and a few of networks: losses and tables are written out.",
        source=JAX + "jax.numpy.html",
        probe=a_maximum_comes_alone,
    ),
    Absence(
        features=("np.gumbel_softmax", "np.dropout"),
        reason="What draws at random takes a key, and these take none.",
        source=JAX + "random-numbers.html",
        probe=a_key_decides_a_draw,
    ),
)
