"""Forward mode, levels: levels that are entered and exited without a block, and modules with dual parameters."""

from conformance.behaviour import MAY, MUST, behaviour, torch
from conformance.expect import close, equal, raises

ENTER = "torch.autograd.forward_ad.enter_dual_level"
EXIT = "torch.autograd.forward_ad.exit_dual_level"


@behaviour(MUST, torch(ENTER))
def enter_dual_level_allows_dual_tensors(ad):
    """After enter_dual_level, dual tensors can be made and unpacked: x² of a dual tensor has the tangent 2xt."""
    ad.enter_dual_level()
    dual = ad.make_dual(ad.array(3.0), ad.array(5.0))
    tangent = ad.tangent_of(dual * dual)
    ad.exit_dual_level()
    close(tangent, 30.0)


@behaviour(MUST, torch(EXIT))
def exit_dual_level_deletes_the_tangents(ad):
    """exit_dual_level deletes the tangents of its level: a dual tensor has none in the next level."""
    ad.enter_dual_level()
    dual = ad.make_dual(ad.array(3.0), ad.array(5.0))
    tangent = ad.tangent_of(dual)
    ad.exit_dual_level()
    close(tangent, 5.0)
    with ad.dual_level():
        equal(ad.tangent_of(dual), None)


@behaviour(MUST, torch(EXIT, raises=Exception, says="exit a forward AD level that was not"))
def only_the_latest_level_can_be_exited(ad):
    """exit_dual_level raises an error for a level that is not the latest entered one."""
    level = ad.enter_dual_level()
    raises(lambda: ad.exit_dual_level(level + 1))
    raises(lambda: ad.exit_dual_level(level - 1))
    ad.exit_dual_level(level)


@behaviour(MAY, torch("tutorials/forward_ad_usage", "Using the functional Module API (beta)"))
def functional_call_accepts_dual_parameters(ad):
    """functional_call accepts a dual tensor as a parameter: a linear layer whose weight 3 has the tangent 7 returns an
    output with the tangent 14 at 2."""
    layer = ad.linear([[5.0]], [11.0])
    with ad.dual_level():
        parameters = {"weight": ad.make_dual(ad.array([[3.0]]), ad.array([[7.0]]))}
        output = ad.functional_call(layer, parameters, ad.array([[2.0]]))
        close((ad.primal_of(output), ad.tangent_of(output)), ([[17.0]], [[14.0]]))
