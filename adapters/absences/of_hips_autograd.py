"""What HIPS autograd lacks by design, an engine that transforms programs of NumPy's arrays.

`UNTAPED_FEATURES` are those of a tape, `UNSTAGED_FEATURES` those of an engine with arrays and traces that NumPy lacks.
"""

from __future__ import annotations

from adapters.absences import probes, shared
from adapters.absences.shared import operations
from conformance.protocol import Absence, verbs_of

REPOSITORY = "https://github.com/HIPS/autograd/blob/master/"
TUTORIAL = REPOSITORY + "docs/tutorial.md"
UPDATES = REPOSITORY + "docs/updateguide.md"

UNTAPED_FEATURES = (
    shared.FLAGS(TUTORIAL, probes.a_program_is_traced),
    shared.GRADIENTS(TUTORIAL, probes.a_program_is_traced),
    shared.GRAPH(TUTORIAL, probes.a_program_is_traced),
    shared.HOOKS(TUTORIAL, probes.a_program_is_traced),
    shared.LEGACY(TUTORIAL, probes.a_program_is_traced),
    shared.IN_PLACE(TUTORIAL, probes.a_traced_array_cannot_be_written),
    shared.VIEWS(TUTORIAL, probes.a_traced_array_cannot_be_written),
    shared.SAVED_TENSORS(UPDATES, probes.a_pullback_keeps_what_it_needs),
    shared.DUALS(UPDATES, probes.a_program_is_traced),
    shared.CUSTOM_FUNCTIONS(UPDATES, probes.a_program_is_traced),
    shared.MODULES(TUTORIAL, probes.a_program_is_traced),
    shared.FUNCTIONAL(TUTORIAL, probes.a_program_is_traced),
    Absence(
        (*verbs_of("GradModes"), "array_like"),
        "There are no modes and no overrides: what runs under a transform is recorded, and nothing else.",
        TUTORIAL,
        probes.a_program_is_traced,
    ),
    Absence(
        operations(
            "max_with_index sort_with_indices topk kthvalue mode dist cdist pdist view_as_real spence rand_like"
            " relu6 leaky_relu hardtanh hardsigmoid lp_pool1d l1_loss smooth_l1_loss huber_loss binary_cross_entropy"
            " gaussian_nll_loss cross_entropy embedding gumbel_softmax dropout"
        ),
        "Functions are those of NumPy, and some of SciPy: what these compute is written out.",
        TUTORIAL,
        probes.a_maximum_is_an_array,
    ),
)

UNSTAGED_FEATURES = (
    shared.CONTROL_FLOW(TUTORIAL, probes.python_runs_with_the_program),
    shared.CALLBACKS(TUTORIAL, probes.python_runs_with_the_program),
    Absence(
        ("bfloat16", "sparse_array", "to_meta_device", "double_precision"),
        "An array is NumPy's, with its dtypes, memory for each element, and no other device.",
        TUTORIAL,
        probes.an_array_is_numpys_own,
    ),
    Absence(
        verbs_of("Updates"),
        "Functions are NumPy's, which writes in place: none returns an array with a part replaced.",
        TUTORIAL,
        probes.an_array_is_numpys_own,
    ),
    Absence(
        verbs_of("Keys", "References"),
        "Random numbers come from NumPy's generator, and memory is written in NumPy's arrays.",
        TUTORIAL,
        probes.an_array_is_numpys_own,
    ),
    Absence(
        ("vmap", "jacfwd"),
        "Functions are NumPy's, which broadcast: there is no transform that batches a program.",
        TUTORIAL,
        probes.an_array_is_numpys_own,
    ),
    Absence(
        verbs_of("Staging"),
        "A program runs as Python each time: there is no trace of it to compile or to look at.",
        TUTORIAL,
        probes.python_runs_with_the_program,
    ),
    Absence(
        (
            *verbs_of("LinearMaps"),
            *("closure_convert", "custom_gradient"),
            *(f"{custom}.nondiff_argnums" for custom in ("custom_vjp", "custom_jvp", "custom_jvps")),
        ),
        "What a program did is walked, not turned into programs; a rule is a primitive's, by argument.",
        UPDATES,
        probes.python_runs_with_the_program,
    ),
    Absence(
        (
            *(f"{transform}.has_aux" for transform in ("value_and_grad", "vjp", "jvp", "jacobian")),
            *("jacobian.chunk_size", "grad.allow_int", "empty_cotangent"),
        ),
        "A transform has an argument number and nothing else to choose; grad_and_aux alone sets a result apart.",
        TUTORIAL,
        probes.python_runs_with_the_program,
    ),
    Absence(
        (
            *(f"checkpoint.{option}" for option in ("use_reentrant", "preserve_rng_state", "policy")),
            *("checkpoint.determinism_check", "checkpoint_name", "saved_residuals"),
        ),
        "A checkpointed program is run again, and there is nothing to choose about it.",
        REPOSITORY + "autograd/differential_operators.py",
        probes.python_runs_with_the_program,
    ),
)
