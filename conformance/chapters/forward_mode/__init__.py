"""Forward mode: the chapter, in two files: dual tensors, and in-place writes to them."""
