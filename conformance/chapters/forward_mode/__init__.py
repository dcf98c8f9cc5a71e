"""Forward mode: JVPs and dual tensors, and in-place operations on them, in three files."""
