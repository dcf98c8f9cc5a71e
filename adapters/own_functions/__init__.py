"""People's own functions: what checks of them need to know of an engine."""
