"""Accumulation: the chapter, one file per side of a stored gradient."""
