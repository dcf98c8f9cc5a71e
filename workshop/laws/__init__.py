"""The laws on operations, tried on engines that are wrong in one way: rules, verbs, and bugs brought back."""
