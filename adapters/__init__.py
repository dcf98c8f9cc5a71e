"""How each engine is spoken to: one module per engine, shared parts by family.

A verb here is a short function over the engine's public interface, and nothing more: it never emulates what the engine
does not offer. What an engine lacks by design is declared in its `absences`, each with a probe.
"""
