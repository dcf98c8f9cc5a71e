"""In-place operations: the chapter, split into what they do to the graph, and what they refuse."""
