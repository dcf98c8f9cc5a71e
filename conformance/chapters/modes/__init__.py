"""Modes: the chapter, one file per kind of mode and one on how modes are entered and left."""
