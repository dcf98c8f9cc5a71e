"""Where the programs print something else on the engine than on PyTorch, and why that is right or harmless."""

from __future__ import annotations

from typing import NamedTuple


class Difference(NamedTuple):
    """The lines that only one of the two prints under a program's headline, and the reason."""

    subject: str
    program: str
    torch: tuple[str, ...]
    engine: tuple[str, ...]
    reason: str


DIFFERENCES = [
    Difference(
        "changes_in_place",
        "changing_an_index_later_has_no_effect",
        ("backward: RuntimeError",),
        ("backward: accepted",),
        "The engine copies an index when it is used, so a later change can do no harm.",
    ),
    Difference(
        "changes_in_place",
        "detach_in_place",
        ("still used by the graph: RuntimeError", "None", "[2.0] None"),
        ("still used by the graph: accepted", "[36.0]", "[2.0] [36.0]"),
        "The engine saved the history along with the value, and the gradient is right; PyTorch refuses to be safe.",
    ),
    Difference(
        "differing",
        "a_captured_tensor_is_written_to",
        ("in a transform: RuntimeError",),
        ("in a transform: accepted",),
        "PyTorch refuses it because its wrapped results could leak out; here the tensor simply gets the history.",
    ),
    Difference(
        "differing",
        "a_shape_that_changes_under_a_kept_gradient",
        ("[2.0, 2.0]",),
        ("None",),
        "A kept gradient is that of the tensor as it is now; where its shape changes PyTorch keeps the old one's.",
    ),
    Difference(
        "differing",
        "a_write_after_a_shape_that_changed_under_a_kept_gradient",
        ("a write: RuntimeError",),
        ("a write: accepted",),
        "PyTorch 2.13 fails within (INTERNAL ASSERT, please report a bug): it has not moved the kept gradient before.",
    ),
    Difference(
        "differing",
        "memory_copied_over_itself",
        ("[0.0, 1.0, 1.0, 3.0, 1.0, 5.0]", "[2.0, 4.0, 2.0]"),
        ("[0.0, 1.0, 1.0, 3.0, 2.0, 5.0]", "[2.0, 2.0, 2.0]"),
        "Everything is read before anything is written; PyTorch goes element by element, in no documented order.",
    ),
    Difference(
        "differing",
        "more_gradients_than_outputs",
        ("surplus: accepted",),
        ("surplus: RuntimeError",),
        "One gradient belongs to each output (torch.autograd.grad); PyTorch does not look at the rest.",
    ),
    Difference(
        "differing",
        "a_hook_that_cannot_be_called",
        ("a number: accepted",),
        ("a number: TypeError",),
        "PyTorch stumbles in backward, where the program can no longer tell which hook it was.",
    ),
    Difference(
        "differing",
        "a_bool_is_subtracted",
        ("from a number: RuntimeError",),
        ("from a number: accepted",),
        "Among numbers a bool counts as 0 or 1 here, in differences as in sums; of two bools there is none on both.",
    ),
    Difference(
        "differing",
        "the_gradient_of_a_count",
        ("(None,) True",),
        ("(None,) False",),
        "The gradient of a norm of order 0 is zero, as here; PyTorch says None, as if nothing were connected.",
    ),
    Difference(
        "differing",
        "a_cycle_through_a_hook",
        ("collected False",),
        ("collected True",),
        "The engine's nodes are Python objects, whose cycles the collector sees.",
    ),
    Difference(
        "differing",
        "mutation_allowed_only_for_a_while",
        ("backward afterwards: AssertionError",),
        ("backward afterwards: RuntimeError",),
        "Misuse by the program is a RuntimeError in the engine; PyTorch asserts.",
    ),
    Difference(
        "differing",
        "pack_hooks_of_results",
        ("[True]",),
        ("[False]",),
        "A result is handed over without its history, since a hook that keeps it would keep the whole graph.",
    ),
    Difference(
        "differing",
        "reductions_along_no_dimension",
        ("[[True, False]] [[True, False]]",),
        ("False True",),
        "dim=() means all dimensions, as in sum; PyTorch's all and any alone take it for none.",
    ),
    Difference(
        "differing",
        "other_kinds_of_exceptions",
        ("an output that is a number: AssertionError", "hooks on tensors without gradients: AssertionError"),
        ("an output that is a number: RuntimeError", "hooks on tensors without gradients: RuntimeError"),
        "Misuse by the program is a RuntimeError in the engine; PyTorch asserts.",
    ),
    Difference(
        "dual_numbers",
        "what_is_refused",
        ("a number: AttributeError", "a tangent that is a number: AttributeError"),
        ("a number: TypeError", "a tangent that is a number: TypeError"),
        "A number in a tensor's place is a TypeError everywhere in the engine; PyTorch stumbles over an attribute.",
    ),
    Difference(
        "edges",
        "names_that_tell_how_an_operation_was_dispatched",
        ("RsubBackward1 MulBackward0 PowBackward2 PowBackward1",),
        ("SubBackward0 MulBackward0 PowBackward0 PowBackward0",),
        "The digits name PyTorch's overloads; here one primitive serves them all.",
    ),
    Difference(
        "gradient_attribute",
        "the_given_gradient_is_not_changed_later",
        ("[2.0, 2.0] [2.0, 2.0]",),
        ("[2.0, 2.0] [1.0, 1.0]",),
        "PyTorch takes the caller's tensor for .grad and adds into it; the engine copies the first gradient.",
    ),
    Difference(
        "graphs",
        "roots_of_which_some_need_nothing",
        ("a plain root among others: RuntimeError", "with None for it: RuntimeError", "None"),
        ("a plain root among others: accepted", "with None for it: accepted", "[4.0]"),
        "backward documents None for tensors that do not require grad, and yet PyTorch refuses it.",
    ),
    Difference(
        "hooks_on_nodes",
        "tensor_prehook_order_on_a_captured_input",
        ("[[1.0], [400.0]]",),
        ("[[2.0], [400.0]]",),
        "A captured gradient has passed the tensor's hooks (register_hook), whatever other inputs there are.",
    ),
    Difference(
        "hooks_on_nodes",
        "a_multi_grad_hook_knows_what_will_come",
        ("ended by RuntimeError",),
        ("[[5.0], None, None]", "[None, None, [1.0]]"),
        "Tensors not reached are ignored, as documented; PyTorch does not support it with inputs.",
    ),
    Difference(
        "hooks_on_nodes",
        "a_missing_gradient_is_none_in_hooks",
        ("[None, 2.0, None]",),
        (),
        "In the engine unbind and split make one node for each output, so an unused output has no node that runs.",
    ),
    Difference(
        "hooks_on_tensors",
        "hooks_run_for_grad_as_well",
        ("[[40.0], [1.0]]",),
        ("[[40.0], [2.0]]",),
        "A captured gradient has passed the tensor's hooks (register_hook), whatever other inputs there are.",
    ),
    Difference(
        "inference",
        "leaves_made_inside_are_no_good_outside",
        ("saved: accepted",),
        ("saved: RuntimeError",),
        "Inference tensors cannot be saved for backward; PyTorch does not record this product and says nothing.",
    ),
    Difference(
        "lifetimes",
        "a_cycle_that_the_program_makes_is_collected",
        ("collected False",),
        ("collected True",),
        "The engine's nodes are Python objects, whose cycles the collector sees.",
    ),
    Difference(
        "modes",
        "an_instance_can_be_entered_within_itself",
        ("afterwards False",),
        ("afterwards True",),
        "Each entry remembers what it found; PyTorch keeps one memory per instance, and leaves recording off.",
    ),
    Difference(
        "views",
        "views_made_without_recording",
        ("True None",),
        ("False None",),
        "no_grad documents that every result has requires_grad=False; in PyTorch a view answers for its base.",
    ),
    Difference(
        "views",
        "hooks_on_a_view_before_and_after",
        (),
        ("new view [3.0]",),
        "A hook registered after a change belongs to the new value (notes/autograd); PyTorch hangs it on the old node.",
    ),
    Difference(
        "views_of_views",
        "numbers_of_outputs",
        ("[0, 1]",),
        ("[0, 0]",),
        "In the engine unbind and split make one node for each output, whose only output it is.",
    ),
    Difference(
        "order_of_hooks",
        "multi_grad_hooks_in_several_passes",
        ("[[[2.0], None, [1.0]], [[2.0], None, [1.0]], [[1.0], None, None]]",),
        ("[[[2.0], [1.0], [1.0]], [[2.0], [1.0], [1.0]], [[1.0], None, None]]",),
        "All gradients are there when the hook is called, as documented; PyTorch forgets to count the root itself.",
    ),
    Difference(
        "tangents_and_views",
        "a_square_in_place",
        ("([9.0], [12.0])",),
        ("([9.0], [6.0])",),
        "The derivative of x * x at 3 is 6; PyTorch computes x.mul_(x) with the factor that it has just overwritten.",
    ),
    Difference(
        "nested_transforms",
        "an_auxiliary_number",
        ("grad: RuntimeError", "jacfwd: RuntimeError"),
        ("grad: accepted", "jacfwd: accepted"),
        "has_aux documents auxiliary objects, of whatever kind; PyTorch takes tensors only.",
    ),
]
