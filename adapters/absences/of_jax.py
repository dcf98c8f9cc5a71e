"""What JAX lacks by design: the tape, memory that can be written, and operations that its libraries leave out."""

from __future__ import annotations

from adapters.absences import probes, shared
from adapters.absences.shared import operations
from conformance.protocol import Absence, verbs_of

JAX = "https://docs.jax.dev/en/latest/"
AUTODIFF = JAX + "automatic-differentiation.html"
TRACING = JAX + "key-concepts.html"
SHARP_BITS = JAX + "notebooks/Common_Gotchas_in_JAX.html"
RULES = JAX + "notebooks/Custom_derivative_rules_for_Python_code.html"
SUMMARY = JAX + "_autosummary/"
RANDOM = JAX + "random-numbers.html"

TAPE_FEATURES = (
    shared.FLAGS(SUMMARY + "jax.grad.html", probes.a_program_is_traced),
    shared.GRADIENTS(AUTODIFF, probes.a_program_is_traced),
    shared.GRAPH(TRACING, probes.a_program_is_traced),
    shared.HOOKS(RULES, probes.a_program_is_traced),
    shared.LEGACY(TRACING, probes.a_program_is_traced),
    shared.IN_PLACE(SHARP_BITS, probes.an_array_cannot_be_written),
    shared.VIEWS(SHARP_BITS, probes.no_two_names_share_memory),
    shared.SAVED_TENSORS(SUMMARY + "jax.vjp.html", probes.a_pullback_keeps_what_it_needs),
    shared.DUALS(SUMMARY + "jax.jvp.html", probes.a_tangent_is_traced),
    shared.CUSTOM_FUNCTIONS(SUMMARY + "jax.custom_vjp.html", probes.a_program_is_traced),
    shared.MODULES(SUMMARY + "jax.grad.html", probes.an_array_cannot_be_written),
    shared.FUNCTIONAL(AUTODIFF, probes.a_program_is_traced),
    Absence(
        # JAX has a mode for NaN in the place of anomaly detection.
        tuple(verb for verb in verbs_of("GradModes") if "anomaly" not in verb),
        "There is no grad mode: what runs under a transform is traced, and stop_gradient cuts it.",
        SUMMARY + "jax.lax.stop_gradient.html",
        probes.a_program_is_traced,
    ),
    Absence(
        ("checkpoint.use_reentrant", "checkpoint.determinism_check"),
        "There is no choice of how to run the program again: its trace is replayed, and its Python is not.",
        SUMMARY + "jax.checkpoint.html",
        probes.a_checkpoint_replays_its_trace,
    ),
    Absence(
        ("to_meta_device",),
        "No device keeps arrays without their numbers: a shape alone is a ShapeDtypeStruct, which is no array.",
        SUMMARY + "jax.ShapeDtypeStruct.html",
        probes.a_shape_alone_is_no_array,
    ),
    Absence(
        ("array_like",),
        "Functions are not handed over to objects of other types: what is no array raises an error.",
        TRACING,
        probes.a_foreign_object_raises,
    ),
    Absence(
        ("seed_", "draw", "vmap.randomness", "checkpoint.preserve_rng_state", *operations("gumbel_softmax dropout")),
        "Random numbers follow from a key that is given: there is no state to set, to keep or to share.",
        RANDOM,
        probes.a_key_decides_a_draw,
    ),
    Absence(
        ("vmap.chunk_size", "jacobian.chunk_size"),
        "A batch is one axis of the traced program, which is not cut into pieces.",
        SUMMARY + "jax.vmap.html",
        probes.a_program_is_traced,
    ),
    Absence(
        operations(
            "max_with_index sort_with_indices kthvalue dist cdist pdist lp_pool1d l1_loss smooth_l1_loss huber_loss"
            " view_as_real rand_like binary_cross_entropy gaussian_nll_loss cross_entropy embedding"
        ),
        "Functions are those of NumPy and SciPy, and a few of networks: what these compute is written out.",
        JAX + "jax.numpy.html",
        probes.a_maximum_is_an_array,
    ),
)
