"""The cases: a module per engine and class of mistakes; the first line of its docstring is the class."""
