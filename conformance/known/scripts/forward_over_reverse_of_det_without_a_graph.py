import torch
import torch.autograd.forward_ad as forward_ad

a = torch.tensor([[2.0, 0.3], [0.1, 3.0]], dtype=torch.float64)
v = torch.tensor([[1.0, 0.5], [0.25, -1.0]], dtype=torch.float64)
b = torch.tensor([1.0, 2.0], dtype=torch.float64)
wrong = []
for name, value in {
    "det": torch.linalg.det,
    "slogdet": lambda a: torch.linalg.slogdet(a).logabsdet,
    "solve": lambda a: torch.linalg.solve(a, b).sum(),
}.items():
    tangents = {}
    for create_graph in (False, True):
        with forward_ad.dual_level():
            dual = forward_ad.make_dual(a.clone().requires_grad_(), v)
            (gradient,) = torch.autograd.grad(value(dual), dual, create_graph=create_graph)
            tangent = forward_ad.unpack_dual(gradient).tangent  # None means zero
            tangents[create_graph] = torch.zeros_like(a) if tangent is None else tangent.detach()
    ahead, behind = (torch.func.grad(value)(a + h * v) for h in (1e-5, -1e-5))
    true = (ahead - behind) / 2e-5
    print(name, "seen", tangents[False].tolist(), "with a graph", tangents[True].tolist(), "true", true.tolist())
    wrong.append(not torch.allclose(tangents[False], true))
assert not any(wrong)
