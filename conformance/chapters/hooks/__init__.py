"""Hooks: the chapter, one file per place where a hook can hang."""
