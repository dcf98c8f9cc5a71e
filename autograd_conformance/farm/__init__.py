"""A campaign of generated programs: seeds are shared out, tried in watched processes, and recorded as they come in."""
