"""Phrases of people who port or debug, each with the behaviour that answers it.

They were written down before the aliases, from questions in forums and trackers.
"""

FINDS = {
    "double backward": "higher_order.create_graph_makes_a_gradient_differentiable",
    "none vs zero": "grad_arguments.allow_unused_gives_none_for_an_unused_input",
    "wirtinger": "complex_numbers.the_gradient_of_a_real_loss_is_conjugated_or_not",
    "straight-through": "custom_rules.a_custom_vjp_rule_is_used",
    "stop gradient": "stop_gradient.no_gradient_flows_through_stop_gradient",
    "sqrt at zero": "kinks.the_gradient_of_sqrt_at_zero_is_infinite",
    "trying to backward through the graph a second time": (
        "graph_lifetime.a_second_backward_without_retain_graph_raises"
    ),
    "grad can be implicitly created only for scalar outputs": (
        "backward_arguments.a_vector_output_needs_a_gradient_argument"
    ),
    "variables needed for gradient computation modified by an inplace operation": (
        "inplace.a_needed_value_must_not_be_overwritten"
    ),
    "a leaf variable that requires grad is being used in an in-place operation": (
        "inplace.a_view_of_a_leaf_cannot_be_overwritten"
    ),
    "element 0 of tensors does not require grad": "detaching.backward_from_what_requires_no_grad_raises",
    "grad of a non-leaf is none": "leaves.a_view_of_a_leaf_gets_no_gradient",
    "zero_grad set_to_none": "modules.zero_grad_sets_grad_to_none_by_default",
    "gradient accumulation": "accumulation.a_second_backward_adds_to_the_first",
    "retain_graph": "graph_lifetime.a_retained_graph_allows_a_second_backward",
    "create_graph": "higher_order.a_gradient_has_no_graph_by_default",
    "allow_unused": "grad_arguments.allow_unused_gives_none_for_an_unused_input",
    "detach shares memory": "detaching.detach_shares_memory",
    "inference mode": "modes.inference_mode_disables_forward_mode",
    "relu at zero": "kinks.relu_has_gradient_zero_at_zero",
    "max ties": "ties.max_over_all_splits_its_gradient_among_ties",
    "nan gradient where": "masking.where_differentiates_both_branches",
    "norm at zero": "norms.a_norm_has_gradient_zero_at_zero",
    "complex conjugate gradient": "complex_numbers.the_gradient_of_a_real_loss_is_conjugated_or_not",
    "holomorphic": "holomorphy.a_holomorphic_gradient_is_the_complex_derivative",
    "hessian vector product": "functional_interface.functional_hvp_and_vhp_give_a_hessian_vector_product",
    "jacfwd": "jacobians.forward_mode_gives_the_jacobian",
    "integer input": "invalid_arguments.grad_of_an_integer_input_raises_an_error",
    "has_aux": "gradient_functions.auxiliary_output_comes_beside_the_gradient",
    "nondiff_argnums": "custom_vjp.nondiff_argnums_come_first_in_backward",
    "save_for_backward": "custom_functions.saved_tensors_come_back_in_order",
    "mark_non_differentiable": "custom_functions.an_output_marked_non_differentiable_does_not_require_grad",
    "clip gradient hook": "hooks.a_tensor_hook_can_replace_the_gradient",
    "hook order": "hooks.tensor_hooks_run_before_node_hooks",
    "in_axes none": "batching.an_argument_with_in_axes_none_is_not_mapped",
    "vmap randomness": "batching.random_numbers_under_vmap_raise_an_error_by_default",
    "repeated eigenvalues": "linear_algebra.repeated_eigenvalues_have_a_gradient",
    "while_loop reverse mode": "custom_vjp.a_rule_gives_reverse_mode_to_a_while_loop",
    "version counter": "versions.each_inplace_write_increments_the_version",
    "freeze parameters": "modules.a_frozen_layer_gets_no_gradient",
}
