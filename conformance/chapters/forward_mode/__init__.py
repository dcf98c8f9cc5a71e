"""Forward mode: JVPs, dual tensors and their levels, and in-place operations on them, in four files."""
