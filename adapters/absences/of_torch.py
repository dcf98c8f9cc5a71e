"""Features that engines of tensors lack by design.

`TRACED_FEATURES`: of an engine that traces programs, neither. `RECORDED_FEATURES`: of torch.func, not of the tape.
`TENSOR_FEATURES`: of the tape, not of torch.func. `NUMPY_FEATURES`: not of NumPy's arrays, and so of the reference.
"""

from __future__ import annotations

from adapters.absences import probes
from adapters.absences.shared import operations, shared
from conformance.protocol import Absence, Ad, Limitation, verbs_of
from conformance.protocol.types import Program

NUMPY = "https://numpy.org/doc/stable/reference/"
TORCH = "https://docs.pytorch.org/docs/stable/"
GENERATED = TORCH + "generated/"
GRAD = GENERATED + "torch.func.grad.html"
MECHANICS = TORCH + "notes/autograd.html"
TOUR = TORCH + "func.whirlwind_tour.html"


def _half_ruled(ad: Ad) -> Program:
    return ad.custom_jvp(abs, lambda primals, tangents: (primals[0], tangents[0]))


TRACED_FEATURES = (
    *shared(dict.fromkeys(("control", "callbacks"), (MECHANICS, probes.a_program_is_given_arrays))),
    Absence(
        ("jit", "shape_only", "linear_call", "linear_transpose", "forward_and_backward"),
        "A program runs as Python on arrays: there is no trace to compile, to transpose or to split in two.",
        MECHANICS,
        probes.a_program_is_given_arrays,
    ),
    Absence(
        ("compile_operation",),
        "An operation runs as Python calls it, and not as a compiler has rewritten it.",
        MECHANICS,
        probes.a_program_is_given_arrays,
    ),
    Absence(
        ("structure", "fields_of"),
        "Arrays are found in lists, tuples and dictionaries, and not in classes of the user.",
        TOUR,
        probes.a_program_is_given_arrays,
    ),
    Absence(
        (
            *("custom_vjp.primal", "custom_vjp.nondiff_argnums", "custom_vjp.symbolic_zeros"),
            *("custom_jvp.nondiff_argnums", "custom_jvp.symbolic_zeros", "is_symbolic_zero", "unpack_record"),
            *("custom_jvps", "custom_gradient", "closure_convert", "custom_vjp_with_logs", "pull_back_with_logs"),
            *("custom_vjp_with_accumulators", "custom_vjp_with_rematerialization", "custom_rematerialization"),
            *("custom_vmap", "sequential_vmap"),
        ),
        "A rule belongs to a Function, with one forward, any arguments and None for those without a gradient.",
        TORCH + "notes/extending.html",
        probes.a_program_is_given_arrays,
    ),
    Absence(
        verbs_of("Solvers"),
        "No solver takes the equation as a program: a Function has a backward that solves the transposed system.",
        TORCH + "notes/extending.html",
        probes.a_program_is_given_arrays,
    ),
    Absence(
        ("detach_tree", "vjp.in_nzs", "linearize.in_nzs"),
        "To detach is a method of one tensor: it says of which argument there is no derivative.",
        GENERATED + "torch.Tensor.detach.html",
        probes.a_program_is_given_arrays,
    ),
    Absence(
        ("check_gradients.modes", "check_jvp", "check_vjp"),
        "gradcheck takes a program and a flag for each mode, and differentiates the program itself.",
        GENERATED + "torch.autograd.gradcheck.gradcheck.html",
        probes.a_program_is_given_arrays,
    ),
    Absence(
        (
            *("checkpoint.policy", "checkpoint_policy", "checkpoint_name", "saved_residuals"),
            *("checkpoint.static_argnums", "checkpoint.spelling"),
        ),
        "What is kept is said by hooks on saved tensors, and not by names in a trace.",
        TORCH + "checkpoint.html",
        probes.a_program_is_given_arrays,
    ),
    Absence(
        verbs_of("References"),
        "Every array can be written: none needs a reference to mutable memory.",
        MECHANICS,
        probes.an_array_can_be_written,
    ),
    Absence(
        verbs_of("Keys"),
        "Random numbers come from a generator with a state, which every draw advances.",
        TORCH + "notes/randomness.html",
        probes.a_draw_advances_the_generator,
    ),
    Absence(
        tuple(f"{transform}.holomorphic" for transform in ("grad", "value_and_grad", "jacobian", "jacfwd", "hessian")),
        "A gradient is the conjugate derivative of any program, holomorphic or not: no flag says so.",
        MECHANICS,
        probes.a_gradient_is_the_conjugate,
    ),
    Absence(
        ("grad.allow_int", "value_and_grad.allow_int", "jacobian.allow_int", "empty_cotangent"),
        "Only floating-point and complex numbers have gradients.",
        MECHANICS,
        probes.an_integer_has_no_cotangent,
    ),
    Absence(
        ("hessian.has_aux", "linearize.has_aux"),
        "What is beside the output is set apart for first derivatives only.",
        GENERATED + "torch.func.hessian.html",
        probes.a_program_is_given_arrays,
    ),
    Absence(
        ("jet", "jacobian.alias"),
        "Derivatives of higher order nest transforms, each of which has one name: none carries a Taylor polynomial.",
        TORCH + "func.api.html",
        probes.a_program_is_given_arrays,
    ),
    Absence(
        operations("spence dynamic_slice put_along_axis select"),
        "Functions are PyTorch's own, and not those of NumPy, SciPy or lax: what these compute is written out.",
        TORCH + "special.html",
        probes.a_maximum_brings_its_index,
    ),
    Absence(
        ("double_precision",),
        "Double precision is always there: each array has the precision that it was made with.",
        TORCH + "tensor_attributes.html",
        probes.a_double_needs_no_switch,
    ),
)

FUNCTION_LIMITATIONS = (
    Limitation(
        "The jvp of a Function serves forward mode only: give it a backward for reverse mode.",
        GENERATED + "torch.autograd.Function.jvp.html",
        {
            "You must implement either the backward or vjp method": lambda ad: ad.grad(_half_ruled(ad))(ad.array(3.0)),
            "flat_bdims must not be None": lambda ad: ad.vjp(ad.vmap(_half_ruled(ad)), ad.array([3.0]))[1](
                ad.array([1.0])
            ),
        },
    ),
)
TAPE_LIMITATIONS = (
    Limitation(
        "Dual levels of torch.autograd.forward_ad do not nest: use torch.func.jvp, which nests.",
        GENERATED + "torch.autograd.forward_ad.dual_level.html",
        {"Nested forward mode AD is not supported": probes.tangents_nest},
    ),
    Limitation(
        "torch.autograd cannot be used in a mapped program: use the transforms of torch.func within torch.vmap.",
        TORCH + "func.ux_limitations.html",
        {
            "You are attempting to call Tensor.requires_grad_()": lambda ad: ad.vmap(ad.grad(abs))(ad.array([2.0])),
            "not implemented for aten::_make_dual": lambda ad: ad.vmap(ad.jacfwd(abs))(ad.array([2.0])),
            "not implemented for aten::_unpack_dual": lambda ad: ad.jvp(
                ad.vmap(ad.grad(abs)), (ad.array([2.0]),), (ad.array([1.0]),)
            ),
        },
    ),
    Limitation(
        "Here programs take a tensor or a tuple, and hessian a scalar program: use jacrev and hessian of torch.func.",
        GENERATED + "torch.autograd.functional.hessian.html",
        {
            "must be either a Tensor or a tuple of Tensors": lambda ad: ad.jacobian(abs)({}),
            "hessian should contain a single element": lambda ad: ad.hessian(abs)(ad.array([1.0, 2.0])),
            "derivative() got an unexpected keyword": lambda ad: ad.jacobian(abs)(ad.array(2.0), k=1.0),
        },
    ),
    Limitation(
        "A dual number is a tensor with a tangent: use torch.func.jvp for a container of tensors.",
        GENERATED + "torch.autograd.forward_ad.make_dual.html",
        {
            "has no attribute 'is_floating_point'": lambda ad: ad.jvp(abs, ({},), ({},)),
            "argument 'primal' must be Tensor": lambda ad: ad.jvp(abs, ({},), ({},)),
        },
    ),
)

RECORDED_FEATURES = (
    Absence(
        ("jvp.strict",),
        "An output that the dual numbers do not reach has no tangent, so there is no zero to reject.",
        GENERATED + "torch.autograd.forward_ad.unpack_dual.html",
        probes.a_program_is_given_leaves,
    ),
    Absence(
        ("functionalize", "linearize"),
        "A program is recorded as it runs, in-place writes too, and walked backward: it is not rewritten.",
        MECHANICS,
        probes.a_program_is_given_leaves,
    ),
    Absence(
        ("value_and_grad", "grad.has_aux", "vjp.has_aux", "jvp.has_aux"),
        "A gradient is asked of a value that is there already, and nothing else need be set apart.",
        GENERATED + "torch.autograd.grad.html",
        probes.a_program_is_given_leaves,
    ),
    Absence(
        (
            *("jacobian.argnums", "jacobian.has_aux", "jacobian.chunk_size"),
            *("jacfwd.argnums", "jacfwd.has_aux", "hessian.argnums"),
        ),
        "The tape's Jacobian is that of all inputs, which are leaves; no argument is chosen.",
        GENERATED + "torch.autograd.functional.jacobian.html",
        probes.a_program_is_given_leaves,
    ),
)

TENSOR_FEATURES = (
    *shared(
        dict.fromkeys(("unused", "checked"), (GRAD, probes.a_flag_cannot_be_set))
        | {
            name: (GRAD, probes.a_flag_cannot_be_set, f"torch.func.{instead}")
            for name, instead in {
                "leaf": "grad(f)(x)",
                "flag": "grad(f, argnums=0)(x, y)",
                "backward": "grad(f)(x)",
                "grad": "grad(f)(x)",
                "stored": "grad(f)(x) + torch.func.grad(g)(x)",
                "cotangent": "vjp(f, x)[1](cotangent)",
                "chosen": "grad(f, argnums=(0, 1))(x, y)",
                "freed": "vjp(f, x)",
                "again": "grad(torch.func.grad(f))(x)",
                "inner": "grad(lambda e: h(g(x) + e))(torch.zeros_like(g(x)))",
            }.items()
        }
        | {"duals": (GENERATED + "torch.func.jvp.html", probes.tangents_nest, "torch.func.jvp(f, (x,), (tangent,))")}
    ),
    Absence(
        (
            *("detach_", "register_post_accumulate_hook"),
            *(verb for verb in verbs_of("LegacyNames") if verb != "is_plain_array"),
        ),
        "The arguments of a transform say what is differentiated: none of them is a leaf.",
        GENERATED + "torch.func.grad.html",
        probes.a_flag_cannot_be_set,
    ),
    Absence(
        (*verbs_of("Functional"), "check_gradients"),
        "torch.autograd.functional and gradcheck make leaves and ask the tape; here no argument can be a leaf.",
        TORCH + "func.ux_limitations.html",
        probes.a_flag_cannot_be_set,
    ),
)

NUMPY_FEATURES = (
    Absence(
        ("to_meta_device",),
        "An array of NumPy lives in the memory of the process: there is no other device.",
        NUMPY + "arrays.ndarray.html",
        probes.numbers_live_on_the_cpu,
    ),
    Absence(
        ("bfloat16", "autocast"),
        "NumPy has no such numbers.",
        NUMPY + "arrays.scalars.html",
        probes.numbers_are_those_of_numpy,
    ),
    Absence(
        ("checkpoint.context_fn", "selective_contexts", "checkpoint.debug", "checkpoint_debug"),
        "Operations run in NumPy, and no mode below them sees each one, to save or to trace it.",
        NUMPY + "arrays.ndarray.html",
        probes.no_mode_sees_each_operation,
    ),
    Absence(
        ("sparse_array", *verbs_of("Sparse")),
        "An array of NumPy has memory for each of its elements.",
        NUMPY + "arrays.ndarray.html",
        probes.an_array_is_dense,
    ),
)
