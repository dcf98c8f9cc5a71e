"""The laws on operations, run on engines that are wrong in one way: rules and verbs."""
