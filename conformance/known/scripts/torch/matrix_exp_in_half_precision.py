import torch

x = torch.tensor([[0.5, 0.25], [-0.5, 1.0]])
true = torch.linalg.matrix_exp(x)
for dtype in (torch.float16, torch.bfloat16):
    y = torch.linalg.matrix_exp(x.to(dtype))
    print(dtype, y.tolist(), "in single precision", true.tolist())
    assert torch.allclose(y.float(), true, rtol=0.05), y
