"""What engines lack by design: features, a reason with its page, and a probe that shows what the engine does instead.

`shared` has the absences that several engines have in common, without page and probe; `probes` all programs; the other
modules the lists that adapters declare. Probes speak through the adapter and its arrays only, so that each can also be
run on an engine that has the feature, where it must not hold.
"""
