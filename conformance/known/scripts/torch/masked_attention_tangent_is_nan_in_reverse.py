import torch
from torch.func import grad, jvp

q, k, v = torch.tensor([[1.0, 0.0], [2.0, 1.0]]), torch.tensor([[1.0, 2.0], [0.0, 1.0]]), torch.tensor([[1.0], [3.0]])
mask = torch.tensor([[True, True], [False, False]])


def f(q):
    return torch.nn.functional.scaled_dot_product_attention(q[None], k[None], v[None], attn_mask=mask).sum()


seen = grad(lambda q: jvp(f, (q,), (torch.ones_like(q),))[1])(q)
true = grad(lambda q: grad(f)(q).sum())(q)
print("seen", seen.tolist(), "true", true.tolist())
assert torch.allclose(seen, true)
