"""In-place operations: how they change the graph, and which of them raise an error."""
