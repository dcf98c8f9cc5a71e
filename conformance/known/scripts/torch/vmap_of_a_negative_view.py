import torch

x = torch.tensor([[0.5, 1.0, 2.0]])
print("true", torch.fft.ifft(x).imag)
print("seen", torch.func.vmap(lambda x: torch.fft.ifft(x).imag)(x))  # raises RuntimeError
