import torch

x, index = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([0, 0, 1])
REDUCTIONS = {
    "index_reduce": lambda x: torch.zeros(2).index_reduce(0, index, x, "mean"),
    "embedding_bag": lambda x: torch.nn.functional.embedding_bag(index, x[:, None], torch.tensor([0]), mode="sum"),
    "segment_reduce": lambda x: torch.segment_reduce(x, "sum", lengths=torch.tensor([2, 1])),
}

lacking = []
for name, reduce in REDUCTIONS.items():
    try:
        print(name, torch.func.jvp(reduce, (x,), (torch.ones_like(x),)))
    except (NotImplementedError, RuntimeError) as error:
        lacking.append(f"{name}: {str(error)[:60]}")
assert not lacking, lacking
