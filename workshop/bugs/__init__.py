"""Real bugs of engines, from the shared catalogue: which cell shows each, and which would if it were back."""
