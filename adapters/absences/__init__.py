"""Features that engines lack by design: a reason with its page, and a probe of the engine's own behaviour.

`shared` has the absences that several engines have in common, `probes` all programs, the other modules the lists that
adapters declare. A probe speaks through the adapter only, so that it can be run on an engine that has the feature.
"""
