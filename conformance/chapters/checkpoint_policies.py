"""Checkpoint policies: values that a checkpoint saves nevertheless, by name or by kind of operation."""

from conformance.behaviour import MAY, MUST, behaviour, jax
from conformance.expect import close, equal

GUIDE = "gradient-checkpointing"
NAMES = "Custom policies for what's saveable"
OFFLOAD = "Custom policies for offload"


def policy_page(name):
    return jax(f"jax.checkpoint_policies.{name}")


def _three_names(ad, x):
    """A function of three named values, each of which its derivative needs."""
    first = ad.checkpoint_name(ad.np.sin(x), "first")
    second = ad.checkpoint_name(ad.np.sin(first), "second")
    return ad.np.sin(ad.checkpoint_name(ad.np.sin(second), "third"))


def _saved(ad, program, policy, *arrays):
    """The residuals that are not arguments: what the policy saves."""
    lines = ad.saved_residuals(ad.checkpoint(lambda *xs: program(ad, *xs), policy=policy), *arrays)
    return [line for line in lines if "from the argument" not in line]


def _saved_names(ad, policy):
    """The names among the residuals of the function of three names; None for a residual without one."""
    lines = _saved(ad, _three_names, policy, ad.array(0.5))
    return {next((name for name in ("first", "second", "third") if f"'{name}'" in line), None) for line in lines}


@behaviour(
    MUST,
    policy_page("save_only_these_names"),
    cases={"one": (("second",),), "two": (("first", "third"),)},
)
def save_only_these_names_saves_no_other_value(ad, names):
    """Of the intermediate values that backward needs, the policy save_only_these_names saves those that
    checkpoint_name() named with one of these names, and no others."""
    equal(_saved_names(ad, ad.checkpoint_policy("save_only_these_names", *names)), set(names))


@behaviour(
    MUST,
    policy_page("save_any_names_but_these"),
    cases={"one": (("second",), ("first", "third")), "two": (("first", "third"), ("second",))},
)
def save_any_names_but_these_saves_all_other_names(ad, names, saved):
    """Of the intermediate values that backward needs, the policy save_any_names_but_these saves those that
    checkpoint_name() named with another name, and none without a name."""
    equal(_saved_names(ad, ad.checkpoint_policy("save_any_names_but_these", *names)), set(saved))


@behaviour(MUST, policy_page("save_from_both_policies"))
def save_from_both_policies_saves_what_either_saves(ad):
    """The policy save_from_both_policies, of two policies that do not offload, saves the values that at least one of
    them saves, and no others."""
    first = ad.checkpoint_policy("save_only_these_names", "first", "second")
    second = ad.checkpoint_policy("save_only_these_names", "second", "third")
    both = ad.checkpoint_policy("save_from_both_policies", first, second)
    equal(_saved_names(ad, both), {"first", "second", "third"})


def _without_places(lines):
    """What the residuals are, sorted, without the line of source that computes them."""
    return sorted(line.split(" from ")[0] for line in lines)


@behaviour(MUST, policy_page("everything_saveable"))
def everything_saveable_saves_what_is_saved_without_a_checkpoint(ad):
    """With the policy everything_saveable, a checkpointed function saves the same residuals as without a checkpoint."""
    plain = ad.saved_residuals(lambda x: _three_names(ad, x), ad.array(0.5))
    policy = ad.checkpoint_policy("everything_saveable")
    checkpointed = ad.saved_residuals(ad.checkpoint(lambda x: _three_names(ad, x), policy=policy), ad.array(0.5))
    equal(len(plain) > 1, True)
    equal(_without_places(checkpointed), _without_places(plain))


@behaviour(MUST, policy_page("nothing_saveable"), jax("jax.checkpoint"))
def nothing_saveable_saves_the_inputs_only(ad):
    """With the policy nothing_saveable, a checkpoint saves its inputs only, as it does without a policy."""
    policy = ad.checkpoint_policy("nothing_saveable")
    (kept,) = ad.saved_residuals(ad.checkpoint(lambda x: _three_names(ad, x), policy=policy), ad.array(0.5))
    (by_default,) = ad.saved_residuals(ad.checkpoint(lambda x: _three_names(ad, x)), ad.array(0.5))
    equal(("from the argument x" in kept, "from the argument x" in by_default), (True, True))
    equal(_saved(ad, _two_products, policy, ad.array([[1.0, 2.0], [3.0, 4.0]]), ad.array([[0.5], [0.25]])), [])


def _two_products(ad, matrix, x):
    """Two products, and sines whose shapes differ from theirs, as a residual that is offloaded is printed by shape."""
    inner = ad.np.sin(ad.np.reshape(ad.np.matmul(matrix, x), (2,)))
    return ad.np.sum(ad.np.sin(ad.np.reshape(ad.np.matmul(matrix, ad.np.reshape(inner, x.shape)), (2,))))


def _of_products(lines):
    return ["dot_general" in line for line in lines]


MATRICES = ([[1.0, 2.0], [3.0, 4.0]], [[0.5], [0.25]])
BATCHES = ([[[2.0]], [[3.0]]], [[[0.5]], [[0.25]]])


@behaviour(
    MUST,
    jax("jep/11830-new-remat-checkpoint"),
    cases={"matrices": MATRICES, "batch": BATCHES},
    was=("checkpoint_policies.dots_saveable_saves_matrix_products",),
)
def checkpoint_dots_saves_matrix_products(ad, matrix, x):
    """Of matrix products and elementwise operations, the policy checkpoint_dots saves the results of the products only;
    the values of the elementwise operations are recomputed."""
    lines = _saved(ad, _two_products, ad.checkpoint_policy("checkpoint_dots"), ad.array(matrix), ad.array(x))
    equal(_of_products(lines), [True, True])


NO_BATCH = {
    "matrices": (*MATRICES, [True, True]),
    "batch": (*BATCHES, []),
}


@behaviour(MUST, jax(GUIDE), jax(GUIDE, NAMES), cases=NO_BATCH)
def dots_with_no_batch_dims_saveable_saves_products_without_a_batch(ad, matrix, x, expected):
    """The policy dots_with_no_batch_dims_saveable saves the results of matrix products without a batch dimension and
    no others."""
    policy = ad.checkpoint_policy("dots_with_no_batch_dims_saveable")
    lines = _saved(ad, _two_products, policy, ad.array(matrix), ad.array(x))
    equal(_of_products(lines), expected)


def _offloaded_products(lines):
    return ["<host>[2,1]" in line for line in lines]


@behaviour(
    MUST,
    policy_page("offload_dot_with_no_batch_dims"),
    jax(GUIDE, OFFLOAD),
    cases=NO_BATCH,
    aliases=("offload activations to host memory",),
)
def offload_dot_with_no_batch_dims_moves_products_to_the_host(ad, matrix, x, expected):
    """The policy offload_dot_with_no_batch_dims moves the results of matrix products without a batch dimension to CPU
    memory, and no others."""
    policy = ad.checkpoint_policy("offload_dot_with_no_batch_dims", "device", "pinned_host")
    lines = _saved(ad, _two_products, policy, ad.array(matrix), ad.array(x))
    equal(_offloaded_products(lines), expected)


def _types(lines):
    """The dtypes and shapes of residuals, sorted; the host's memory has its name in them."""
    return sorted([line.split(" ")[0] for line in lines])


def _three_shapes(ad, x):
    """A function of three named values of different shapes, as a residual that is offloaded is printed without name."""
    first = ad.checkpoint_name(ad.np.sin(x), "first")
    second = ad.checkpoint_name(ad.np.sin(ad.np.reshape(first, (2, 3))), "second")
    return ad.np.sum(ad.np.sin(ad.checkpoint_name(ad.np.sin(ad.np.reshape(second, (3, 2))), "third")))


@behaviour(
    MUST,
    policy_page("save_and_offload_only_these_names"),
    jax(GUIDE, OFFLOAD),
    cases={
        "one_of_each": (["first"], ["third"], ["f64<host>[3,2]", "f64[6]"]),
        "two_saved": (["first", "third"], ["second"], ["f64<host>[2,3]", "f64[3,2]", "f64[6]"]),
        "two_offloaded": (["second"], ["first", "third"], ["f64<host>[3,2]", "f64<host>[6]", "f64[2,3]"]),
    },
)
def save_and_offload_only_these_names_recomputes_other_values(ad, saved, offloaded, expected):
    """The policy save_and_offload_only_these_names keeps the values of some names on the device, moves those of others
    to CPU memory, and recomputes all other values."""
    policy = ad.checkpoint_policy(
        "save_and_offload_only_these_names",
        names_which_can_be_saved=saved,
        names_which_can_be_offloaded=offloaded,
        offload_src="device",
        offload_dst="pinned_host",
    )
    lines = _saved(ad, _three_shapes, policy, ad.np.zeros(6))
    equal(_types(lines), expected)


@behaviour(
    MUST,
    jax("jax.checkpoint"),
    cases={
        "names": ("save_only_these_names", ("second",)),
        "everything": ("everything_saveable", ()),
        "dots": ("dots_with_no_batch_dims_saveable", ()),
        "offloaded": ("offload_dot_with_no_batch_dims", ("device", "pinned_host")),
    },
)
def a_policy_changes_neither_value_nor_gradient(ad, name, arguments):
    """A checkpoint with a policy changes neither value nor VJP: of (a·x + 2) (x·x) at a = (3, 1) and
    x = (2, 1)."""

    def program(a, x):
        return (ad.checkpoint_name(ad.np.matmul(a, x), "second") + 2) * ad.np.sum(x * x)

    checkpointed = ad.checkpoint(program, policy=ad.checkpoint_policy(name, *arguments))
    output, pullback = ad.vjp(checkpointed, ad.array([[3.0, 1.0]]), ad.array([[2.0], [1.0]]))
    close(output, [[45.0]])
    close(pullback(ad.array([[7.0]])), ([[70.0, 35.0]], [[357.0], [161.0]]))


@behaviour(MAY, jax(GUIDE), aliases=("print_saved_residuals named",))
def a_residual_is_reported_with_its_name(ad):
    """print_saved_residuals() reports a saved value that checkpoint_name() named with its name, and an input with the
    name of the argument."""
    program = ad.checkpoint(
        lambda weight: ad.np.sin(ad.checkpoint_name(ad.np.sin(weight), "layer")),
        policy=ad.checkpoint_policy("save_only_these_names", "layer"),
    )
    argument, named = sorted(ad.saved_residuals(program, ad.array(0.5)), key=lambda line: "layer" in line)
    equal(("weight" in argument, "layer" in named), (True, True))
