"""The machine itself: tensors, the tape, views, modes, hooks, the backward pass. It knows no function's derivative.

Read in this order: `primitive` (what an operation is), `tensor` (what a value carries), `interpret` (what happens when
the two meet), `nodes` and `tape` (what is written down), `engine` (how it is read back). `saved`, `views` and `inplace`
are the three places where mutation is kept honest; `modes` and `hooks` let a program intervene. `levels` is what
transforms nest by; of these, `interpret` knows forward differentiation, and the package `batching` the rest. `shortcut`
says the common case of `interpret` once more, for speed, and may be left out by the reader.
"""
