"""PyTorch's functions and methods: each brings its arguments into normal form and calls primitives.

Nothing here has a derivative rule. `operations` lists the functions, and attaches the methods to `Tensor`.
"""
