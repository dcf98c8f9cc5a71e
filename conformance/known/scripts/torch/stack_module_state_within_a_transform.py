import torch
from torch.func import functional_call, stack_module_state, vmap

layers = [torch.nn.Linear(2, 1), torch.nn.Linear(2, 1)]


def total(x):
    parameters, _ = stack_module_state(layers)
    return vmap(lambda own: functional_call(layers[0], own, x))(parameters).sum()


gradient = torch.func.grad(total)(torch.ones(2))
torch.testing.assert_close(gradient, (layers[0].weight + layers[1].weight)[0].detach())
