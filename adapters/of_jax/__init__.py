"""The verbs of JAX by concern, for the adapters of its columns."""
