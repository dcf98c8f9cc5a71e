"""What operations are called in each engine: one table per library. `conformance.protocol.spellings` reads them."""
