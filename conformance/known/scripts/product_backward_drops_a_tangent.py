import torch
import torch.autograd.forward_ad as fwAD

for f in (torch.prod, lambda x: torch.cumprod(x, 0)[-1]):
    seen = []
    for create_graph in (True, False):
        x = torch.tensor([0.0, 2.0, 0.0], requires_grad=True)
        with fwAD.dual_level():
            dual = fwAD.make_dual(x, torch.tensor([1.0, 0.0, 0.0]))
            (gradient,) = torch.autograd.grad(f(dual), dual, create_graph=create_graph)
            tangent = fwAD.unpack_dual(gradient).tangent
            seen.append(None if tangent is None else tangent.tolist())
    print("tangent of the gradient of a product with two zeros:", seen[0], "without create_graph:", seen[1])
    assert seen[1] == [0.0, 0.0, 2.0], seen
