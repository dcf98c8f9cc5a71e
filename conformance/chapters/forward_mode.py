"""Forward mode: tangents that travel with the values."""

from conformance.behaviour import MUST, behaviour, document, jax, torch, torch_func
from conformance.expect import close, equal, refuses


@behaviour(
    MUST,
    torch("autograd", "Forward-mode Automatic Differentiation"),
    jax("jax.jvp"),
    torch_func("torch.func.jvp"),
    document("004"),
)
def a_tangent_is_pushed_forward(ad):
    """Forward mode gives the value and its derivative along the tangent: x y at (2, 3) along (1, 10) is 6 and 23."""
    outputs = ad.jvp(lambda x, y: x * y, (ad.array(2.0), ad.array(3.0)), (ad.array(1.0), ad.array(10.0)))
    close(outputs, (6.0, 23.0))


@behaviour(MUST, torch("torch.autograd.forward_ad.make_dual"), document("004"))
def a_dual_array_carries_its_tangent(ad):
    """Operations on a dual array compute the tangent of the result beside its value."""
    with ad.dual_level():
        dual = ad.make_dual(ad.array(3.0), ad.array(1.0))
        close(ad.tangent_of(dual * dual), 6.0)


@behaviour(MUST, torch("torch.autograd.forward_ad.unpack_dual"))
def a_plain_array_has_no_tangent(ad):
    """An array that is not dual has no tangent: None, and not zero."""
    with ad.dual_level():
        equal(ad.tangent_of(ad.array(3.0)), None)


@behaviour(MUST, torch("torch.autograd.forward_ad.dual_level"), document("004"))
def a_tangent_ends_with_its_level(ad):
    """When the level ends, the dual arrays made in it lose their tangents."""
    with ad.dual_level():
        dual = ad.make_dual(ad.array(3.0), ad.array(1.0))
    with ad.dual_level():
        equal(ad.tangent_of(dual), None)


@behaviour(
    MUST,
    torch("torch.autograd.forward_ad.dual_level", raises=RuntimeError, says="no level exists"),
)
def a_dual_array_needs_a_level(ad):
    """Outside every level no dual array can be made."""
    x = ad.array(3.0)
    refuses(lambda: ad.make_dual(x, x))
