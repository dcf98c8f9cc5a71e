"""Forward mode: the chapter, one file for dual numbers and one for what becomes of them when arrays are written."""
