"""Generated programs: what is drawn from a seed, run on an engine, and judged by oracles that hold for any program."""
