"""What operations are called in each engine: one table per library, `SPELLINGS`, operation -> public name there.

`conformance.protocol.spelling` says how a table is read, `conformance.protocol.operations` what each operation means.
"""
