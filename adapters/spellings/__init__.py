"""What operations are called in each engine: one table per library. `conformance.protocol.spelling` reads them."""
