"""Custom functions: the chapter, one file per matter that a function with a context settles."""
