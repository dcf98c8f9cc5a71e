"""The machine itself: tensors, the tape, views, modes, hooks, the backward pass. It knows no function's derivative.

Read in this order: `primitive` (what an operation is), `tensor` (what a value carries), `record` (what happens
when the two meet), `tape` (what is written down), `engine` (how it is read back). `saved`, `views` and `inplace`
are the three places where mutation is kept honest; `modes` and `hooks` let a program intervene. `levels` is what
transforms nest by: forward differentiations, whose tangents `interpret` carries along, and batchings, for which
`batched` is what a function sees and `batching` is what becomes of an operation.
"""
