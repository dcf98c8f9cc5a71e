"""Features that HIPS autograd lacks by design, an engine that transforms programs of NumPy's arrays.

`UNTAPED_FEATURES` are those of a tape, `UNSTAGED_FEATURES` those of an engine with arrays and traces that NumPy lacks.
"""

from __future__ import annotations

from adapters.absences import probes
from adapters.absences.shared import operations, shared
from conformance.protocol import Absence, verbs_of

REPOSITORY = "https://github.com/HIPS/autograd/blob/master/"
TUTORIAL = REPOSITORY + "docs/tutorial.md"
UPDATES = REPOSITORY + "docs/updateguide.md"
CHECKPOINT_OPTIONS = (
    *("use_reentrant", "preserve_rng_state", "policy", "determinism_check", "early_stop", "debug", "context_fn"),
    *("static_argnums", "spelling"),
)
TRACED, UNWRITTEN = probes.a_program_is_traced, probes.a_traced_array_cannot_be_written

UNTAPED_FEATURES = (
    *shared(
        dict.fromkeys(
            ["stored", "unused", "inner", "graph", "modes", "autocast", "inference", "hooks", "legacy"],
            (TUTORIAL, TRACED),
        )
        | dict.fromkeys(("views", "data", "element", "version"), (TUTORIAL, UNWRITTEN))
        | {
            "leaf": (TUTORIAL, TRACED, "grad(f)(x)"),
            "flag": (TUTORIAL, TRACED, "grad(f, 0)(x, y)"),
            "backward": (TUTORIAL, TRACED, "grad(f)(x)"),
            "grad": (TUTORIAL, TRACED, "grad(f)(x)"),
            "cotangent": (UPDATES, TRACED, "pullback, output = make_vjp(f)(x); pullback(cotangent)"),
            "chosen": (TUTORIAL, TRACED, "grad(f, (0, 1))(x, y)"),
            "freed": (UPDATES, probes.a_pullback_keeps_what_it_needs, "pullback, output = make_vjp(f)(x)"),
            "again": (TUTORIAL, TRACED, "grad(grad(f))(x)"),
            "checked": (TUTORIAL, TRACED, "autograd.test_util.check_grads(f)(x)"),
            "inplace": (TUTORIAL, UNWRITTEN, "x = x + y"),
            "duals": (UPDATES, TRACED, "make_jvp(f)(x)(tangent)"),
            "jacobians": (TUTORIAL, TRACED, "jacobian(f)(x); hessian(f)(x)"),
            "products": (TUTORIAL, TRACED, "hessian_vector_product(f)(x, v)"),
            "modules": (TUTORIAL, TRACED, "grad(lambda parameters: f(parameters, x))(parameters)"),
            "optimizers": (TUTORIAL, TRACED, "x = x - rate * grad(f)(x)"),
            "functions": (UPDATES, TRACED, "defvjp(primitive(f), lambda output, x: lambda g: g * df(x))"),
            "saved": (UPDATES, probes.a_pullback_keeps_what_it_needs),
        }
    ),
    Absence(
        ("detect_anomaly", "set_detect_anomaly", "array_like"),
        "Nothing watches for NaN, and functions are not handed over to objects of other types.",
        TUTORIAL,
        TRACED,
    ),
    Absence(
        operations(
            "max_with_index sort_with_indices topk kthvalue mode dist cdist pdist view_as_real spence rand_like"
            " relu6 leaky_relu hardtanh hardsigmoid lp_pool1d l1_loss smooth_l1_loss huber_loss binary_cross_entropy"
            " gaussian_nll_loss cross_entropy embedding gumbel_softmax dropout rrelu"
            " bernoulli ctc_loss frac hinge_embedding_loss margin_ranking_loss max_pool1d multi_margin_loss"
            " multilabel_margin_loss normal normal_rsample normal_sample prelu scatter_reduce_amax scatter_reduce_amin"
            " softshrink entr xlogy xlog1py at_add at_set cummax dynamic_slice gather index_add index_copy masked_fill"
            " put put_along_axis put_twice scatter scatter_add"
        ),
        "Functions are those of NumPy, and some of SciPy: what these compute is written out.",
        TUTORIAL,
        probes.a_maximum_is_an_array,
    ),
)

UNSTAGED_FEATURES = (
    *shared(
        dict.fromkeys(("control", "callbacks"), (TUTORIAL, probes.python_runs_with_the_program)),
    ),
    Absence(
        ("bfloat16", "sparse_array", *verbs_of("Sparse"), "to_meta_device", "double_precision"),
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
            *("closure_convert", "custom_gradient", "is_symbolic_zero", "unpack_record"),
            *("custom_vjp_with_logs", "pull_back_with_logs", "vjp.in_nzs", "linearize.in_nzs"),
            *("custom_vjp_with_accumulators", "custom_vjp_with_rematerialization", "custom_rematerialization"),
            *("custom_vmap", "sequential_vmap"),
            *(f"{custom}.nondiff_argnums" for custom in ("custom_vjp", "custom_jvp", "custom_jvps")),
            *("custom_vjp.symbolic_zeros", "custom_jvp.symbolic_zeros"),
        ),
        "What a program did is walked, not turned into programs; a rule is a primitive's, by argument.",
        UPDATES,
        probes.python_runs_with_the_program,
    ),
    Absence(
        (*verbs_of("Solvers"), "detach_tree", "check_gradients.modes", "check_jvp", "check_vjp"),
        "Solvers are NumPy's, which take matrices; arrays are detached one by one; check_grads has a function a mode.",
        TUTORIAL,
        probes.an_array_is_numpys_own,
    ),
    Absence(
        (
            *(f"{transform}.has_aux" for transform in ("value_and_grad", "vjp", "jvp", "jacobian", "hessian")),
            *(f"{transform}.holomorphic" for transform in ("value_and_grad", "jacobian", "hessian")),
            *(f"{transform}.allow_int" for transform in ("grad", "value_and_grad", "jacobian")),
            *("jacobian.chunk_size", "jacobian.alias", "jet", "empty_cotangent"),
        ),
        "A transform has an argument number and nothing else to choose; grad_and_aux alone sets a result apart.",
        TUTORIAL,
        probes.python_runs_with_the_program,
    ),
    Absence(
        (
            *(f"checkpoint.{option}" for option in CHECKPOINT_OPTIONS),
            *(verb for verb in verbs_of("Checkpointing") if verb != "checkpoint"),
        ),
        "A checkpointed program is run again, and there is nothing to choose about it.",
        REPOSITORY + "autograd/differential_operators.py",
        probes.python_runs_with_the_program,
    ),
)
