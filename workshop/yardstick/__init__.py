"""The yardstick: custom derivatives with a mistake each, their right twins, and the scores of tools on them."""
