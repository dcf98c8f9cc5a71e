"""Operations under `vmap`: each is applied once, to a tensor that holds the whole batch.

`active` opens a batching, `batched` is what the mapped function sees, `execution` is what becomes of an operation, and
`per_example` is for the functions that look at numbers or make them. The core knows none of this: it hands an operation
to the innermost level (see `core.levels`), and asks a tensor where its memory is and how to write to it, which a batch
answers in its own way.
"""
