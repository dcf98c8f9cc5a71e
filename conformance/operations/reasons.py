"""Reasons for which no point of a row is special. Tests compare all but the last with values of the operations."""

LINEAR = "linear: the derivative is the same everywhere"
MULTILINEAR = "linear in each argument: the derivatives are sums of products, without a branch or a quotient"
POLYNOMIAL = "a polynomial of low degree: the derivatives are sums of products, without a branch or a quotient"
STEPS = "constant but for jumps: the derivative is zero wherever there is one"
UNDIFFERENTIATED = "nothing is differentiated"
