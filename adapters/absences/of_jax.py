"""Features that JAX lacks by design: the tape, writable memory, and operations that its libraries leave out."""

from __future__ import annotations

from adapters.absences import probes
from adapters.absences.shared import operations, shared
from conformance.protocol import Absence, verbs_of

JAX = "https://docs.jax.dev/en/latest/"
AUTODIFF = JAX + "automatic-differentiation.html"
TRACING = JAX + "key-concepts.html"
SHARP_BITS = JAX + "notebooks/Common_Gotchas_in_JAX.html"
RULES = JAX + "notebooks/Custom_derivative_rules_for_Python_code.html"
SUMMARY = JAX + "_autosummary/"
GRAD, VJP, VJP_RULE = (f"{SUMMARY}jax.{name}.html" for name in ("grad", "vjp", "custom_vjp"))
STOP = SUMMARY + "jax.lax.stop_gradient.html"
TRACED, UNWRITTEN = probes.a_program_is_traced, probes.an_array_cannot_be_written
SPARSE = JAX + "jax.experimental.sparse.html"
RANDOM = JAX + "random-numbers.html"

TAPE_FEATURES = (
    *shared(
        {
            "leaf": (GRAD, TRACED, "jax.grad(f)(x)"),
            "flag": (GRAD, TRACED, "jax.grad(f, argnums=0)(x, y)"),
            "backward": (AUTODIFF, TRACED, "jax.grad(f)(x)"),
            "grad": (GRAD, TRACED, "jax.grad(f)(x)"),
            "stored": (AUTODIFF, TRACED, "total = jax.tree.map(jnp.add, total, jax.grad(f)(x))"),
            "cotangent": (VJP, TRACED, "output, pullback = jax.vjp(f, x); pullback(cotangent)"),
            "chosen": (GRAD, TRACED, "jax.grad(f, argnums=(0, 1))(x, y)"),
            "freed": (VJP, probes.a_pullback_keeps_what_it_needs, "output, pullback = jax.vjp(f, x)"),
            "again": (AUTODIFF, TRACED, "jax.grad(jax.grad(f))(x)"),
            "unused": (GRAD, TRACED),
            "inner": (AUTODIFF, TRACED, "jax.grad(lambda e: h(g(x) + e))(jnp.zeros_like(g(x)))"),
            "checked": (AUTODIFF, TRACED, "jax.test_util.check_grads(f, (x,), order=1)"),
            "graph": (TRACING, TRACED, "jax.make_jaxpr(f)(x)"),
            "views": (SHARP_BITS, probes.no_two_names_share_memory),
            "data": (SHARP_BITS, probes.no_two_names_share_memory, "jax.lax.stop_gradient(x)"),
            "inplace": (SHARP_BITS, UNWRITTEN, "x = x + y"),
            "element": (SHARP_BITS, UNWRITTEN, "x = x.at[0].set(y)"),
            "version": (SHARP_BITS, UNWRITTEN),
            "modes": (STOP, TRACED, "jax.lax.stop_gradient(g(x))"),
            "autocast": (STOP, TRACED),
            "inference": (STOP, TRACED),
            "duals": (SUMMARY + "jax.jvp.html", probes.a_tangent_is_traced, "jax.jvp(f, (x,), (tangent,))"),
            "jacobians": (SUMMARY + "jax.jacrev.html", TRACED, "jax.jacrev(f)(x); jax.hessian(f)(x)"),
            "products": (AUTODIFF, TRACED, "jax.jvp(jax.grad(f), (x,), (v,))[1]"),
            "modules": (GRAD, UNWRITTEN, "jax.grad(lambda parameters: f(parameters, x))(parameters)"),
            "optimizers": (GRAD, UNWRITTEN, "jax.tree.map(lambda p, g: p - rate * g, parameters, gradients)"),
            "functions": (VJP_RULE, TRACED, "f = jax.custom_vjp(f); f.defvjp(forward, backward)"),
            "hooks": (RULES, TRACED, "hooked.defvjp(lambda x: (x, None), lambda _, g: (hook(g),))"),
            "saved": (VJP, probes.a_pullback_keeps_what_it_needs, "jax.checkpoint(f)"),
            "legacy": (TRACING, TRACED),
        }
    ),
    Absence(
        (
            *(f"checkpoint.{option}" for option in ("use_reentrant", "determinism_check", "early_stop", "debug")),
            *("checkpoint.context_fn", "selective_contexts", "checkpoint_sequence", "backward_group"),
            *("checkpoint_early_stop", "checkpoint_debug"),
        ),
        "There is no choice of how to run the program again: its trace is replayed, and its Python is not.",
        SUMMARY + "jax.checkpoint.html",
        probes.a_checkpoint_replays_its_trace,
    ),
    Absence(
        verbs_of("Sparse"),
        "A sparse array is an object of another class, and no option of a function makes a gradient sparse.",
        SPARSE,
        probes.a_sparse_array_is_no_array,
    ),
    Absence(
        ("compile_operation",),
        "A program is compiled, and an operation as a part of it: how that differs is what laws on jit are about.",
        SUMMARY + "jax.jit.html",
        TRACED,
        "jax.jit(jax.grad(f))(x)",
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
        (
            "seed_",
            "draw",
            "vmap.randomness",
            "checkpoint.preserve_rng_state",
            *operations("gumbel_softmax dropout rrelu"),
        ),
        "Random numbers follow from a key that is given: there is no state to set, to keep or to share.",
        RANDOM,
        probes.a_key_decides_a_draw,
    ),
    Absence(
        ("vmap.chunk_size", "jacobian.chunk_size"),
        "A batch is one axis of the traced program, which is not cut into pieces.",
        SUMMARY + "jax.vmap.html",
        TRACED,
    ),
    Absence(
        operations(
            "max_with_index sort_with_indices kthvalue dist cdist pdist lp_pool1d l1_loss smooth_l1_loss huber_loss"
            " view_as_real rand_like binary_cross_entropy gaussian_nll_loss cross_entropy embedding"
            " bernoulli ctc_loss frac hinge_embedding_loss margin_ranking_loss max_pool1d multi_margin_loss"
            " multilabel_margin_loss normal normal_rsample normal_sample prelu scatter_reduce_amax scatter_reduce_amin"
            " softshrink gather index_add index_copy masked_fill put_twice scatter scatter_add"
        ),
        "Functions are those of NumPy and SciPy, and a few of networks: what these compute is written out.",
        JAX + "jax.numpy.html",
        probes.a_maximum_is_an_array,
    ),
)
