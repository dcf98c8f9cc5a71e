"""Adapters of the engines: one module `with_ENGINE` per column, shared parts by family.

A verb is a short function over the engine's public interface, in the form that its documentation tells users to use.
Operations are rows of `spellings`; `absences` declares, each with a probe, what an engine lacks by design.
"""
