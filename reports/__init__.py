"""From results files to the matrix, and from the matrix to pages: JSON, HTML, Markdown and JUnit.

Knows the result model (`conformance.results`, `conformance.verdicts`) and no engine.
"""
