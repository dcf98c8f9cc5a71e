import warnings

import torch

warnings.simplefilter("ignore")  # torch.triangular_solve is deprecated
a = torch.tensor([[2.0, 5.0], [0.0, 3.0]], dtype=torch.float64)
b = torch.tensor([[1.0], [2.0]], dtype=torch.float64)
below = torch.tensor([[0.0, 0.0], [1.0, 0.0]], dtype=torch.float64)  # upper=True: this element is not read
wrong = []
for transpose, direction in ((False, below), (True, below.T)):

    def total(a, transpose=transpose):
        return torch.triangular_solve(b, a, transpose=transpose).solution.sum()

    seen = torch.func.jvp(total, (a,), (direction,))[1].item()
    true = ((total(a + 1e-6 * direction) - total(a - 1e-6 * direction)) / 2e-6).item()
    print(f"transpose={transpose}: seen {seen}, true {true}")
    wrong.append(abs(seen - true) > 1e-6)
assert not any(wrong)
