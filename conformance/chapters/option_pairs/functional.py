"""Options together, functional interface: strict, create_graph, vectorize, several inputs and outputs."""

from conformance.behaviour import MAY, MUST, behaviour, torch
from conformance.expect import close, raises


def _cubic(x, y):
    return x**3 * y**2


def _slopes(ad, results, x):
    return tuple(ad.grad_of(result, [x], retain_graph=True)[0] for result in results)


def _vjp(ad, program, inputs, v, **options):
    return ad.functional.vjp(program, inputs, v[0], **options)[1]


def _jvp(ad, program, inputs, v, **options):
    return (ad.functional.jvp(program, inputs, v, **options)[1],)


def _jacobian(ad, program, inputs, v, **options):
    return ad.functional.jacobian(program, inputs, **options)


def _hessian(ad, program, inputs, v, **options):
    first, second = ad.functional.hessian(program, inputs, **options)
    return *first, *second


def _vhp(ad, program, inputs, v, **options):
    return ad.functional.vhp(program, inputs, v, **options)[1]


def _hvp(ad, program, inputs, v, **options):
    return ad.functional.hvp(program, inputs, v, **options)[1]


PAGE = "torch.autograd.functional."
GRAPH = {"create_graph": True}
FUNCTIONAL = tuple(torch(PAGE + name) for name in ("vjp", "jvp", "jacobian", "hessian", "vhp", "hvp"))


@behaviour(
    MUST,
    *FUNCTIONAL,
    cases={
        "vjp": (_vjp, (54.0, 12.0), (108.0, 36.0)),
        "jvp": (_jvp, (84.0,), (198.0,)),
        "jacobian": (_jacobian, (27.0, 6.0), (54.0, 18.0)),
        "hessian": (_hessian, (54.0, 18.0, 18.0, 2.0), (54.0, 36.0, 36.0, 6.0)),
        "vhp": (_vhp, (198.0, 46.0), (288.0, 102.0)),
        "hvp": (_hvp, (198.0, 46.0), (288.0, 102.0)),
    },
)
def functional_results_have_a_graph_beside_strict(ad, derivative, expected, second):
    """With `create_graph` and `strict`, the results of the functional interface can be differentiated if they depend on
    the inputs, here for x³y² at (1, 3)."""
    x, y = ad.leaf(1.0), ad.leaf(3.0)
    found = derivative(ad, _cubic, (x, y), (ad.array(2.0), ad.array(5.0)), create_graph=True, strict=True)
    close(found, expected)
    close(_slopes(ad, found, x), second)


@behaviour(
    MUST,
    *FUNCTIONAL[2:4],
    cases={"jacobian": (_jacobian, (27.0, 6.0)), "hessian": (_hessian, (54.0, 18.0, 18.0, 2.0))},
    was=("option_pairs.functional_results_are_in_single_precision",),
)
def functional_derivatives_have_the_dtype_of_the_inputs(ad, derivative, expected):
    """A Jacobian and a Hessian of the functional interface, in reverse mode, have the dtype of the inputs, float32,
    also if the output is float64."""
    inputs = ad.array(1.0, "float32"), ad.array(3.0, "float32")
    found = derivative(ad, lambda x, y: ad.cast(_cubic(x, y), "float64"), inputs, None)
    close(found, expected, dtype="float32")


@behaviour(
    MAY,
    *(
        torch(PAGE + name, unstated="the pages promise the shape of a product, and no dtype")
        for name in ("vjp", "jvp", "vhp", "hvp")
    ),
    cases={
        "vjp": (_vjp, (54.0, 12.0)),
        "jvp": (_jvp, (84.0,)),
        "vhp": (_vhp, (198.0, 46.0)),
        "hvp": (_hvp, (198.0, 46.0)),
    },
)
def functional_products_are_in_single_precision(ad, derivative, expected):
    """A product of the functional interface, from vjp, jvp, vhp or hvp, is float32 for float32 inputs and vectors."""
    inputs = ad.array(1.0, "float32"), ad.array(3.0, "float32")
    found = derivative(ad, _cubic, inputs, (ad.array(2.0, "float32"), ad.array(5.0, "float32")))
    close(found, expected, dtype="float32")


def _two_outputs(x, y):
    return x**3 * y, y**2


def _vjp_of_all(ad, *given, **flags):
    return ad.functional.vjp(*given, **flags)


def _jvp_of_all(ad, *given, **flags):
    return ad.functional.jvp(*given, **flags)


@behaviour(
    MUST,
    torch(PAGE + "vjp"),
    torch(PAGE + "jvp"),
    cases={
        "vjp": (_vjp_of_all, {}, (18.0, 32.0)),
        "vjp_strict": (_vjp_of_all, {"strict": True}, (18.0, 32.0)),
        "jvp": (_jvp_of_all, {}, (23.0, 30.0)),
        "jvp_strict": (_jvp_of_all, {"strict": True}, (23.0, 30.0)),
    },
)
def functional_products_have_several_outputs(ad, product, flags, expected):
    """vjp and jvp of the functional interface give each of two outputs, and the product with a vector of two parts;
    `strict` allows that one output is independent of one input."""
    inputs, v = (ad.leaf(1.0), ad.leaf(3.0)), (ad.array(2.0), ad.array(5.0))
    close(product(ad, _two_outputs, inputs, v, **flags), ((3.0, 9.0), expected))


@behaviour(
    MUST,
    torch(PAGE + "vjp"),
    torch(PAGE + "jvp"),
    cases={"vjp": (_vjp_of_all, (18.0, 32.0)), "jvp": (_jvp_of_all, (23.0, 30.0))},
)
def functional_products_of_several_outputs_have_a_graph(ad, product, expected):
    """With `create_graph`, the outputs and products that vjp and jvp of the functional interface give of a function
    with two outputs can be differentiated if they depend on the inputs."""
    x, y = ad.leaf(1.0), ad.leaf(3.0)
    outputs, results = product(ad, _two_outputs, (x, y), (ad.array(2.0), ad.array(5.0)), **GRAPH)
    close((outputs, results), ((3.0, 9.0), expected))
    close(_slopes(ad, (*outputs, *results), y), (1.0, 6.0, 6.0, 10.0))


@behaviour(
    MUST,
    torch(PAGE + "jacobian"),
    torch(PAGE + "hessian"),
    cases={
        "jacobian": (_jacobian, (27.0, 6.0), (54.0, 18.0)),
        "hessian": (_hessian, (54.0, 18.0, 18.0, 2.0), (54.0, 36.0, 36.0, 6.0)),
    },
)
def a_vectorized_result_has_a_graph(ad, derivative, expected, second):
    """With `create_graph` and `vectorize`, a Jacobian or Hessian of the functional interface can be differentiated if
    it depends on the inputs."""
    x, y = ad.leaf(1.0), ad.leaf(3.0)
    found = derivative(ad, _cubic, (x, y), None, create_graph=True, vectorize=True)
    close(found, expected)
    close(_slopes(ad, found, x), second)


@behaviour(
    MUST,
    *FUNCTIONAL[:2],
    *FUNCTIONAL[4:],
    cases={
        "vjp": (lambda ad, f, inputs, v: ad.functional.vjp(f, inputs, v[0])[0],),
        "jvp": (lambda ad, f, inputs, v: ad.functional.jvp(f, inputs, v)[0],),
        "vhp": (lambda ad, f, inputs, v: ad.functional.vhp(f, inputs, v)[0],),
        "hvp": (lambda ad, f, inputs, v: ad.functional.hvp(f, inputs, v)[0],),
    },
)
def functional_values_are_in_single_precision(ad, value):
    """vjp, jvp, vhp and hvp of the functional interface give the output of the function beside the product: for these
    float32 inputs, a float32 output."""
    inputs = ad.array(1.0, "float32"), ad.array(3.0, "float32")
    close(value(ad, _cubic, inputs, (ad.array(2.0, "float32"), ad.array(5.0, "float32"))), 9.0, dtype="float32")


@behaviour(
    MUST,
    *(
        torch(PAGE + name, raises=Exception, says="independent of")
        for name in ("vjp", "jvp", "jacobian", "hessian", "vhp", "hvp")
    ),
    cases={
        "vjp": (_vjp,),
        "jvp": (_jvp,),
        "jacobian": (_jacobian,),
        "hessian": (_hessian,),
        "vhp": (_vhp,),
        "hvp": (_hvp,),
    },
)
def strict_raises_beside_create_graph(ad, derivative):
    """With `strict` and `create_graph`, the functional interface raises an error if the outputs are independent of the
    first or the second of two inputs."""
    inputs, v = (ad.leaf(1.0), ad.leaf(3.0)), (ad.array(2.0), ad.array(5.0))
    raises(lambda: derivative(ad, lambda x, y: x**3, inputs, v, create_graph=True, strict=True))
    raises(lambda: derivative(ad, lambda x, y: y**3, inputs, v, create_graph=True, strict=True))
