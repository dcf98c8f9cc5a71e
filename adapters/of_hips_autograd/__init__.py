"""HIPS autograd's verbs by concern, each a short function over its public names."""
