"""Real bugs of engines: the cell or program that shows each, or would if it were back."""
