"""What an engine that transforms programs of NumPy's arrays lacks by design, as HIPS autograd does.

`UNTAPED_FEATURES` are those of a tape, `UNSTAGED_FEATURES` those of an engine with arrays and traces of its own. Probes
speak through the adapter only, so that each can also be run on an engine that has the feature, where it must not hold.
"""

from __future__ import annotations

from typing import Any

import numpy

from adapters.probing import shown
from adapters.transform_like.absences import a_maximum_comes_alone, a_program_is_traced, a_pullback_keeps_what_it_needs
from conformance.protocol import Absence

__all__ = ["UNSTAGED_FEATURES", "UNTAPED_FEATURES"]

REPOSITORY = "https://github.com/HIPS/autograd/blob/master/"
TUTORIAL = REPOSITORY + "docs/tutorial.md"
UPDATES = REPOSITORY + "docs/updateguide.md"


def an_array_is_numpys_own(ad: Any) -> None:
    """What a program is called with is an array of NumPy's own type, in the memory of the process."""
    shown(isinstance(ad.array([1.0, 2.0]), numpy.ndarray), "the array is of a type of the engine's own")


def python_runs_with_the_program(ad: Any) -> None:
    """The program runs once, as Python, on NumPy's numbers: it can branch on what it computed."""
    seen: list[bool] = []

    def program(x: Any) -> Any:
        seen.append(bool(x > 2.0))
        return x * x

    an_array_is_numpys_own(ad)
    ad.grad(program)(ad.array(3.0))
    shown(seen == [True], f"the program saw {seen}")


def a_traced_array_cannot_be_written(ad: Any) -> None:
    """A program under `grad` that assigns to an element of what it computed is refused by TypeError."""

    def program(x: Any) -> Any:
        y = x * 2.0
        y[0] = 5.0
        return y[0]

    try:
        ad.grad(program)(ad.array([1.0, 2.0]))
    except TypeError:
        return
    raise AssertionError("the element was overwritten")


UNTAPED_FEATURES = (
    Absence(
        features=("leaf", "requires_grad", "require_grad_", "set_requires_grad_", "is_leaf"),
        reason="No array has a flag: an argument number says what is differentiated.",
        source=TUTORIAL,
        probe=a_program_is_traced,
    ),
    Absence(
        features=(
            *("backward", "backward_of", "grad_of", "gradient_of", "set_gradient_", "delete_gradient_"),
            *("clear_gradient_", "zero_gradient_", "retain_gradient_", "retains_gradient", "gradcheck"),
        ),
        reason="No array stores a gradient: a transform takes a program, and returns gradients.",
        source=TUTORIAL,
        probe=a_program_is_traced,
    ),
    Absence(
        features=(
            *("creator_name", "creators_behind", "nodes_behind", "edges_behind", "leaf_behind"),
            *("same_creator", "output_number", "saved_value", "survives"),
        ),
        reason="There is no graph behind an array: what a transform records lives in the boxes of its own run.",
        source=TUTORIAL,
        probe=a_program_is_traced,
    ),
    Absence(
        features=(
            *("register_hook", "register_post_accumulate_hook", "register_multi_hook", "remove_hook"),
            *("register_node_hook", "register_node_prehook", "register_module_hook"),
            "register_module_prehook",
        ),
        reason="There is nothing to hang a hook on: what sees a cotangent is a primitive with a rule of its own.",
        source=TUTORIAL,
        probe=a_program_is_traced,
    ),
    Absence(
        features=(
            *("no_grad", "enable_grad", "set_grad_enabled", "inference_mode", "is_recording"),
            *("is_inference_mode", "is_inference", "decorated_by", "detect_anomaly", "set_detect_anomaly"),
        ),
        reason="There is no mode: what runs under a transform is recorded, and nothing else.",
        source=TUTORIAL,
        probe=a_program_is_traced,
    ),
    Absence(
        features=("variable", "is_plain_array", "volatile_of", "set_volatile_", "variable_factory", "array_like"),
        reason="These are names of a tape's own array type, whose place a box takes here.",
        source=TUTORIAL,
        probe=a_program_is_traced,
    ),
    Absence(
        features=(
            *("add_", "sub_", "mul_", "sigmoid_", "copy_", "set_item_", "detach_", "write_by_", "write_out_"),
            *("version_of", "functionalize"),
        ),
        reason="Assignment to arrays is not differentiated: a box cannot be written.",
        source=TUTORIAL,
        probe=a_traced_array_cannot_be_written,
    ),
    Absence(
        features=("view", "view_by", "data_of", "shares_memory", "strides_of", "new_array"),
        reason="What a program is given stands for an array, and has no memory of its own to share or to write.",
        source=TUTORIAL,
        probe=a_traced_array_cannot_be_written,
    ),
    Absence(
        features=("saved_tensors_hooks", "register_saved_hooks"),
        reason="Nothing is packed and freed per operation: a pullback owns what it needs for as long as it lives.",
        source=UPDATES,
        probe=a_pullback_keeps_what_it_needs,
    ),
    Absence(
        features=("dual_level", "make_dual", "primal_of", "tangent_of"),
        reason="No array carries a tangent: forward mode takes the program, its point and the tangents.",
        source=UPDATES,
        probe=a_program_is_traced,
    ),
    Absence(
        features=(
            *("custom_function", "once_differentiable", "save_for_backward_", "save_for_forward_", "saved"),
            *("keep_", "kept", "needs_input_grad", "mark_dirty_", "mark_non_differentiable_"),
            *("set_materialize_grads_", "batch_of"),
        ),
        reason="Rules share no context: they are functions of the output and the arguments.",
        source=UPDATES,
        probe=a_program_is_traced,
    ),
    Absence(
        features=(
            *("module", "linear", "parameter", "member_of", "set_member_", "parameters_of"),
            *("functional_call", "freeze_", "evaluate_", "is_training", "zero_gradients_", "fill_with_ones_"),
            *("gradient_descent", "step_"),
        ),
        reason="A model is a function of its parameters, which no object owns.",
        source=TUTORIAL,
        probe=a_program_is_traced,
    ),
    Absence(
        features=(
            *("functional.jacobian", "functional.hessian", "functional.vjp", "functional.jvp"),
            *("functional.vhp", "functional.hvp"),
        ),
        reason="A transform takes a program alone and returns a function of the point: none takes both, or has flags.",
        source=TUTORIAL,
        probe=a_program_is_traced,
    ),
    Absence(
        features=(
            *("np.max_with_index", "np.sort_with_indices", "np.topk", "np.kthvalue", "np.mode", "np.dist"),
            *("np.cdist", "np.pdist", "np.view_as_real", "np.spence", "np.rand_like"),
        ),
        reason="Functions are those of NumPy, and some of SciPy: what these compute is written out.",
        source=TUTORIAL,
        probe=a_maximum_comes_alone,
    ),
    Absence(
        features=(
            *("np.relu6", "np.leaky_relu", "np.hardtanh", "np.hardsigmoid", "np.lp_pool1d", "np.l1_loss"),
            *("np.smooth_l1_loss", "np.huber_loss", "np.binary_cross_entropy", "np.gaussian_nll_loss"),
            *("np.cross_entropy", "np.embedding", "np.gumbel_softmax", "np.dropout"),
        ),
        reason="Functions are those of NumPy, and some of SciPy: networks and their losses are written out.",
        source=TUTORIAL,
        probe=a_maximum_comes_alone,
    ),
)

UNSTAGED_FEATURES = (
    Absence(
        features=("bfloat16", "sparse_array", "elsewhere", "double_precision"),
        reason="An array is NumPy's, with its kinds of numbers, memory for each of them, and no other device.",
        source=TUTORIAL,
        probe=an_array_is_numpys_own,
    ),
    Absence(
        features=("set_at", "add_at", "set_block"),
        reason="Functions are NumPy's, which writes in place: none returns an array with a part replaced.",
        source=TUTORIAL,
        probe=an_array_is_numpys_own,
    ),
    Absence(
        features=("key", "normal", "new_reference", "read_reference", "write_reference_", "with_references"),
        reason="Random numbers come from NumPy's generator, and memory is written in NumPy's arrays.",
        source=TUTORIAL,
        probe=an_array_is_numpys_own,
    ),
    Absence(
        features=("vmap", "jacfwd"),
        reason="Functions are NumPy's, which broadcast: there is no transform that batches a program.",
        source=TUTORIAL,
        probe=an_array_is_numpys_own,
    ),
    Absence(
        features=("jit", "shape_only", "structure", "fields_of"),
        reason="A program runs as Python each time: there is no trace of it to compile or to look at.",
        source=TUTORIAL,
        probe=python_runs_with_the_program,
    ),
    Absence(
        features=(
            "cond",
            "switch",
            "while_loop",
            "fori_loop",
            "scan",
            "pure_callback",
            "io_callback",
            "debug_callback",
        ),
        reason="Python's own control flow runs, and what it ran is differentiated: no operation stands in for it.",
        source=TUTORIAL,
        probe=python_runs_with_the_program,
    ),
    Absence(
        features=(
            *("linearize", "linear_transpose", "forward_and_backward", "closure_convert", "custom_gradient"),
            *("custom_vjp.nondiff_argnums", "custom_jvp.nondiff_argnums", "custom_jvps.nondiff_argnums"),
        ),
        reason="What a program did is walked, not turned into programs; a rule is a primitive's, by argument.",
        source=UPDATES,
        probe=python_runs_with_the_program,
    ),
    Absence(
        features=(
            *("value_and_grad.has_aux", "vjp.has_aux", "jvp.has_aux", "jvp.strict", "jacobian.has_aux"),
            *("jacobian.chunk_size", "grad.allow_int", "empty_cotangent"),
        ),
        reason="A transform has an argument number and nothing else to choose; grad_and_aux alone sets a result apart.",
        source=TUTORIAL,
        probe=python_runs_with_the_program,
    ),
    Absence(
        features=(
            *("checkpoint.use_reentrant", "checkpoint.preserve_rng_state", "checkpoint.policy"),
            *("checkpoint.determinism_check", "checkpoint_name", "report_of_residuals"),
        ),
        reason="A checkpointed program is run again, and there is nothing to choose about it.",
        source=REPOSITORY + "autograd/differential_operators.py",
        probe=python_runs_with_the_program,
    ),
)
