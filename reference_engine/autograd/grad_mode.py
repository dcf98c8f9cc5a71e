"""torch.autograd.grad_mode: the modes, under the name that PyTorch also gives them."""

from ..core.modes import enable_grad, inference_mode, no_grad, set_grad_enabled

__all__ = ["enable_grad", "inference_mode", "no_grad", "set_grad_enabled"]
