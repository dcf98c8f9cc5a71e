import torch
from torch.func import functionalize

x = torch.tensor([3.0, 4.0])
assert functionalize(lambda x: x.clone().pow_(2))(x).tolist() == [9.0, 16.0]
assert functionalize(lambda x: x.clone().square_())(x).tolist() == [9.0, 16.0]
