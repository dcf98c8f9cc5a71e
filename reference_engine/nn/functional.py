"""torch.nn.functional: activations, losses, convolutions, as `operations` lists them."""

from ..operations import public

globals().update(public("functional"))
