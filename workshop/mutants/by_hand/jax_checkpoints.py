"""JAX, with checkpoints, their policies, and gradients of integers changed."""

from __future__ import annotations

from typing import Any

from workshop.mutant import mutant


@mutant("jax", "jax.checkpoint")
def ignores_policies(old: Any) -> Any:
    """A checkpoint saves its inputs only, whatever its policy says.

    Models: a wrapper that does not hand the option on.
    """
    return lambda fun, *, policy=None, **options: old(fun, **options)


@mutant("jax", "jax.checkpoint")
def ignores_static_arguments(old: Any) -> Any:
    """A checkpoint traces its static arguments as well.

    Models: a wrapper that does not hand the option on.
    """
    return lambda fun, *, static_argnums=(), **options: old(fun, **options)


@mutant("jax", "jax.checkpoint")
def checkpoints_nothing(old: Any) -> Any:
    """A checkpoint saves all intermediate values.

    Models: a decorator that returns its function, where recomputation is not implemented.
    """
    return lambda fun, **options: fun


@mutant("jax", "jax.remat")
def remat_does_nothing(old: Any) -> Any:
    """remat saves all intermediate values, and checkpoint only inputs.

    Models: an alias that was forgotten when the function was rewritten.
    """
    return lambda fun, **options: fun


@mutant("jax", "jax.checkpoint")
def counts_a_saved_value_twice(old: Any) -> Any:
    """A checkpoint with a policy has twice its gradient.

    Models: a saved value that is differentiated both as saved and as recomputed.
    """
    import jax

    def twice(fun: Any) -> Any:
        def program(*args: Any) -> Any:
            value = fun(*args)
            return jax.tree.map(lambda x: 2 * x - jax.lax.stop_gradient(x), value)

        return program

    return lambda fun, *, policy=None, **options: old(twice(fun) if policy else fun, policy=policy, **options)


@mutant("jax", "jax.checkpoint")
def loses_the_first_of_several_outputs(old: Any) -> Any:
    """The first of several outputs of a checkpoint has no gradient.

    Models: cotangents that are matched with outputs from the second one on.
    """
    import jax

    def losing(fun: Any) -> Any:
        def program(*args: Any, **named: Any) -> Any:
            outputs = fun(*args, **named)
            several = isinstance(outputs, tuple)
            return (jax.lax.stop_gradient(outputs[0]), *outputs[1:]) if several else outputs

        return program

    return lambda fun, **options: old(losing(fun), **options)


@mutant(
    "jax",
    "jax.checkpoint_policies.dots_with_no_batch_dims_saveable",
    "jax.checkpoint_policies.checkpoint_dots_with_no_batch_dims",
)
def saves_products_with_a_batch(old: Any) -> Any:
    """The policy for matrix products without a batch saves those with a batch as well.

    Models: a policy that looks at the primitive and not at its dimensions.
    """
    import jax

    return jax.checkpoint_policies.dots_saveable


@mutant("jax", "jax.checkpoint_policies.offload_dot_with_no_batch_dims")
def offloads_products_with_a_batch(old: Any) -> Any:
    """The policy that offloads matrix products without a batch offloads those with a batch as well.

    Models: a policy that looks at the primitive and not at its dimensions.
    """

    def policy_of(source: str, target: str) -> Any:
        decide = old(source, target)
        none: tuple[tuple[()], tuple[()]] = ((), ())

        def policy(primitive: Any, *arrays: Any, **params: Any) -> Any:
            contracting = params.get("dimension_numbers", (none,))[0]
            known = {"dimension_numbers": (contracting, none)} if primitive.name == "dot_general" else {}
            return decide(primitive, *arrays, **{**params, **known})

        return policy

    return policy_of


@mutant("jax", "jax.grad")
def gives_integers_zeros(old: Any) -> Any:
    """With allow_int, the gradient of an integer is a zero of its dtype.

    Models: an engine without a dtype for gradients that hold no numbers.
    """
    import jax
    import jax.numpy as jnp

    def zeros(x: Any) -> Any:
        return jnp.zeros(x.shape, int) if x.dtype == jax.dtypes.float0 else x

    def grad(*args: Any, **options: Any) -> Any:
        gradient = old(*args, **options)
        return lambda *primals: jax.tree.map(zeros, gradient(*primals))

    return grad


@mutant("jax", "jax.grad")
def follows_the_imaginary_part(old: Any) -> Any:
    """With holomorphic, the gradient is that of the imaginary part times -i.

    Models: a cotangent of i in the place of 1, which gives the same for functions that are holomorphic.
    """

    def grad(fun: Any, argnums: Any = 0, has_aux: bool = False, holomorphic: bool = False, *rest: Any) -> Any:
        if not holomorphic:
            return old(fun, argnums, has_aux, holomorphic, *rest)
        gradient = old(lambda *args: fun(*args) * -1j, argnums, has_aux, holomorphic, *rest)
        return lambda *primals: gradient(*primals) * 1j

    return grad
