"""People's own functions: a function with its arguments as a subject of laws, and the answers of the laws."""
