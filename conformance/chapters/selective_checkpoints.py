"""Selective checkpoints: operations whose outputs a checkpoint saves, chosen by a list or a policy function."""

from conformance.behaviour import MUST, behaviour, torch
from conformance.expect import close, equal, raises

POLICY = "torch.utils.checkpoint.CheckpointPolicy"
CONTEXT = "torch.utils.checkpoint.SelectiveCheckpointContext"
SELECTIVE = "torch.utils.checkpoint.create_selective_checkpoint_contexts"


def _shifted(ad, chosen):
    """A sum of two operations in a selective checkpoint, where the shift is 0, and 1 when it runs again."""
    shifts = [1.0, 0.0]
    return ad.checkpoint(
        lambda x: _sum(ad, x, shifts.pop()),
        use_reentrant=False,
        context_fn=ad.selective_contexts(chosen),
    )


def _sum(ad, x, shift):
    power = ad.np.exp(x + shift)
    return power * power + 10 * ad.np.tanh(x + shift)


def _choice(name, of_exp, of_tanh):
    if name == "exp":
        return of_exp
    return of_tanh if name == "tanh" else "PREFER_RECOMPUTE"


# The gradient at 0 is 2 exp² + 10 (1 - tanh²), of the outputs that are saved (1 and 0) or recomputed (e and tanh 1).
BOTH_SAVED, EXP_SAVED, TANH_SAVED, NONE_SAVED = 12.0, 6.19974341614026, 24.7781121978613, 18.9778556140016


@behaviour(
    MUST,
    torch("checkpoint", POLICY),
    cases={
        "must_save": ("MUST_SAVE", "PREFER_RECOMPUTE", EXP_SAVED),
        "prefer_save": ("PREFER_SAVE", "MUST_RECOMPUTE", EXP_SAVED),
        "must_recompute": ("MUST_RECOMPUTE", "PREFER_SAVE", TANH_SAVED),
        "prefer_recompute": ("PREFER_RECOMPUTE", "MUST_SAVE", TANH_SAVED),
    },
    aliases=("selective activation checkpointing",),
)
def a_policy_saves_or_recomputes_an_operation(ad, of_exp, of_tanh, gradient):
    """A selective checkpoint saves the output of an operation if its policy returns MUST_SAVE or PREFER_SAVE, and
    recomputes it for MUST_RECOMPUTE or PREFER_RECOMPUTE."""
    x = ad.leaf(0.0)
    ad.backward(_shifted(ad, lambda context, name: _choice(name, of_exp, of_tanh))(x))
    close(ad.gradient_of(x), gradient)


@behaviour(
    MUST,
    torch("checkpoint", SELECTIVE),
    cases={
        "listed": (("exp", "sin"), EXP_SAVED),
        "both_listed": (("tanh", "exp"), BOTH_SAVED),
        "not_listed": (("sin", "cos"), NONE_SAVED),
    },
)
def a_list_of_operations_is_what_a_selective_checkpoint_saves(ad, operations, gradient):
    """A selective checkpoint with a list of operations saves the outputs of these and recomputes all others."""
    x = ad.leaf(0.0)
    ad.backward(_shifted(ad, operations)(x))
    close(ad.gradient_of(x), gradient)


@behaviour(MUST, torch("checkpoint", CONTEXT, since="2.13"))
def a_policy_function_is_called_in_the_forward_pass_only(ad):
    """The policy function of a selective checkpoint is called for an operation in the forward pass, and is not
    called again when that is recomputed."""
    seen = []

    def policy(context, name):
        seen.append(name == "exp")
        return "PREFER_RECOMPUTE"

    x = ad.leaf(0.0)
    contexts = ad.selective_contexts(policy)
    y = ad.checkpoint(lambda x: ad.np.sin(ad.np.exp(x)), use_reentrant=False, context_fn=contexts)(x)
    equal(sum(seen), 1)
    ad.backward(y)
    equal(sum(seen), 1)


@behaviour(MUST, torch("checkpoint", CONTEXT, since="2.13"))
def is_recompute_is_always_false(ad):
    """The context of a policy function has the deprecated attribute `is_recompute`, which is always False."""
    seen = []

    def policy(context, name):
        seen.append(ad.attribute_of(context, "is_recompute"))
        return "PREFER_RECOMPUTE"

    x = ad.leaf(0.0)
    contexts = ad.selective_contexts(policy)
    ad.backward(ad.checkpoint(lambda x: ad.np.sin(ad.np.exp(x)), use_reentrant=False, context_fn=contexts)(x))
    equal(set(seen), {False})


def _doubled_sine(ad, x):
    """2 sin(x) + cos(x), the sine doubled in place."""
    sine, cosine = ad.np.sin(x), ad.np.cos(x)
    return ad.mul_(sine, 2) + cosine


@behaviour(MUST, torch("checkpoint", SELECTIVE, raises=Exception, says="mutated"))
def a_value_saved_by_a_policy_cannot_be_written(ad):
    """By default, writing in place into a tensor that a selective checkpoint saved raises an error, at the latest in
    backward()."""
    contexts = ad.selective_contexts(("sin",))
    program = ad.checkpoint(lambda x: _doubled_sine(ad, x), use_reentrant=False, context_fn=contexts)
    raises(lambda: ad.backward(program(ad.leaf(0.0))))


@behaviour(MUST, torch("checkpoint", SELECTIVE))
def allow_cache_entry_mutation_permits_a_write(ad):
    """With allow_cache_entry_mutation=True, a tensor that a selective checkpoint saved may be written in place."""
    contexts = ad.selective_contexts(("sin",), allow_cache_entry_mutation=True)
    x = ad.leaf(0.0)
    ad.backward(ad.checkpoint(lambda x: _doubled_sine(ad, x), use_reentrant=False, context_fn=contexts)(x))
    close(ad.gradient_of(x), 2.0)
