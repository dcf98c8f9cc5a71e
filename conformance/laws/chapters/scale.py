"""Scale: large and small multiples of a point, and of a cotangent."""

from conformance.behaviour import MAY, behaviour, jax, torch
from conformance.laws.judge import hold
from conformance.laws.scale import scales_with_its_cotangent, scales_with_its_degree
from conformance.operations import of_degree, of_order
from conformance.operations.samples import samples

CITED = (
    torch("notes/numerical_accuracy", unstated="large values may overflow in an intermediate result, the page warns"),
    jax("jax.test_util.check_grads", unstated="its tolerances follow from the dtype, and no bound is promised"),
)
# In a chain of functions, the product of a cotangent and the first derivative may overflow.
HOMOGENEOUS, ALL = of_degree(), of_order(1).where(lambda row: row.group != "Compositions")


@behaviour(MAY, *CITED, cases=HOMOGENEOUS)
def derivatives_of_a_homogeneous_operation_scale_in_double_precision(ad, operation):
    """Of f(c x) = c^k f(x), the first and second derivative at c x are those at x times c^(k-1) and c^(k-2)."""
    hold(ad, samples(operation), lambda at: scales_with_its_degree(at, "float64"), mathematical=False)


@behaviour(MAY, *CITED, cases=HOMOGENEOUS)
def derivatives_of_a_homogeneous_operation_scale_in_single_precision(ad, operation):
    """Of f(c x) = c^k f(x), the first and second derivative in single precision scale likewise."""
    hold(ad, samples(operation), lambda at: scales_with_its_degree(at, "float32"), mathematical=False)


@behaviour(MAY, *CITED, cases=HOMOGENEOUS)
def derivatives_of_a_homogeneous_operation_scale_in_half_precision(ad, operation):
    """Of f(c x) = c^k f(x), the first and second derivative in float16 scale likewise."""
    hold(ad, samples(operation), lambda at: scales_with_its_degree(at, "float16"), mathematical=False)


@behaviour(MAY, *CITED, cases=ALL)
def the_pullback_scales_with_its_cotangent_in_double_precision(ad, operation):
    """The VJP for a cotangent times a power of two is the VJP times that power, up to the ends of the dtype."""
    hold(ad, samples(operation), lambda at: scales_with_its_cotangent(at, "float64"), mathematical=False)


@behaviour(MAY, *CITED, cases=ALL)
def the_pullback_scales_with_its_cotangent_in_single_precision(ad, operation):
    """The VJP for a cotangent times a power of two is the VJP times that power, in single precision."""
    hold(ad, samples(operation), lambda at: scales_with_its_cotangent(at, "float32"), mathematical=False)


@behaviour(MAY, *CITED, cases=ALL)
def the_pullback_scales_with_its_cotangent_in_half_precision(ad, operation):
    """The VJP for a cotangent times a power of two is the VJP times that power, in float16."""
    hold(ad, samples(operation), lambda at: scales_with_its_cotangent(at, "float16"), mathematical=False)
