"""Arguments of backward: gradient (grad_tensors), inputs, and several outputs at once."""
