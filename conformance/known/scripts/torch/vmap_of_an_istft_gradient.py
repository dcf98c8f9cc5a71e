import torch

window = torch.tensor([[1.0, 2.0, 2.0, 1.0]])
x = torch.stft(torch.arange(8.0), 4, window=window[0], return_complex=True)
gradient = torch.func.grad(lambda window: torch.istft(2 * x, 4, window=window).square().sum())
print("true", gradient(window[0])[None])
print("seen", torch.func.vmap(gradient)(window))  # raises RuntimeError
