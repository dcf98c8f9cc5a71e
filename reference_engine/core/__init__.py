"""The machine: tensors, the tape, views, modes, hooks, the backward pass. It knows no function's derivative.

Read in this order: `primitive` (what an operation is, and what happens when it meets tensors), `tensor` (what a value
carries), `tape` (what is written down), `engine` (how it is read back). `views`, `inplace` and the saved values of
`tape` are the three places where mutation is kept honest; `modes` and `hooks` let a program intervene. `levels` is what
transforms nest by: `forward` carries out operations at a level of tangents, package `batching` at a level of batches.
"""
