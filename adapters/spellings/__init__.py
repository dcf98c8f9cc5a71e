"""Spellings of the operations in each engine: one table per library. `conformance.protocol.spellings` reads them."""
