from autograd import grad_and_aux

gradient, aux = grad_and_aux(lambda x: (x * x, {"a": x * 5}))(3.0)
assert isinstance(aux["a"], float), aux
