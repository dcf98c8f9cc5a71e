"""Losses: gradients of losses, embeddings, dropout and Gumbel softmax, with their options."""

from conformance.behaviour import MUST, SHOULD, behaviour, torch, torch_func
from conformance.expect import close, raises

EMBEDDING = "torch.nn.functional.embedding"
KINKS = "Gradients for non-differentiable functions"
LOOP = "vmap limitations"
GRAPH = "How autograd encodes the history"


@behaviour(MUST, torch("torch.nn.BCELoss"), aliases=("binary cross entropy log(0)",))
def bce_loss_is_bounded_by_one_hundred(ad):
    """BCELoss is 100, not infinity, for the input 0 and the target 1: its logarithm is clamped at -100."""
    close(ad.np.binary_cross_entropy(ad.array([0.0]), ad.array([1.0])), 100.0)


@behaviour(MUST, torch("torch.nn.BCELoss"))
def the_gradient_of_bce_loss_is_finite(ad):
    """The gradient of BCELoss is finite also at the input 0 with the target 1, and at the input 1 with the target 0."""
    gradient = ad.grad(lambda x: ad.np.binary_cross_entropy(x, ad.array([1.0, 0.0])))
    close(0 * gradient(ad.array([0.0, 1.0])), [0.0, 0.0])


@behaviour(MUST, torch("torch.nn.GaussianNLLLoss"))
def gaussian_nll_ignores_the_clamp_of_the_variance(ad):
    """GaussianNLLLoss clamps var to eps in its value only: a var below eps has the gradient of the loss at eps, not
    zero."""
    x, target = ad.array([3.0]), ad.array([0.0])
    gradient = ad.grad(lambda var: ad.np.gaussian_nll_loss(x, target, var, 1.0))
    close(gradient(ad.array([0.25])), [-4.0])


@behaviour(MUST, torch("torch.nn.CrossEntropyLoss"), aliases=("ignore_index",))
def an_ignored_index_has_gradient_zero(ad):
    """The gradient of CrossEntropyLoss is 0 in rows with the target ignore_index; the mean is over the other rows."""
    gradient = ad.grad(lambda x: ad.np.cross_entropy(x, ad.array([0, 7, 1]), ignore_index=7))
    expected = [[-0.25, 0.25], [0.0, 0.0], [0.125, -0.125]]
    close(gradient(ad.array([[0.0, 0.0], [5.0, 3.0], [0.0, 1.0986122886681098]])), expected)


@behaviour(MUST, torch(EMBEDDING), aliases=("padding_idx gradient",))
def a_padding_index_has_gradient_zero(ad):
    """The gradient of an embedding is 0 in the row of padding_idx, also if that row was looked up."""
    indices, weights = ad.array([0, 1, 0]), ad.array([[1.0], [10.0], [100.0]])
    gradient = ad.grad(lambda table: ad.np.sum(weights * ad.np.embedding(indices, table, padding_idx=0)))
    close(gradient(ad.array([[3.0], [5.0]])), [[0.0], [10.0]])


@behaviour(
    MUST,
    torch(EMBEDDING),
    torch("notes/autograd", GRAPH),
    cases={"sum": (False, [[1.0], [110.0]]), "mean": (True, [[1.0], [55.0]])},
)
def an_embedding_can_scale_gradients_by_frequency(ad, scaled, expected):
    """An embedding row that is looked up twice gets the sum of both gradients, or their mean if
    scale_grad_by_freq=True."""
    indices, weights = ad.array([0, 1, 1]), ad.array([[1.0], [10.0], [100.0]])
    gradient = ad.grad(lambda table: ad.np.sum(weights * ad.np.embedding(indices, table, scale_grad_by_freq=scaled)))
    close(gradient(ad.array([[3.0], [5.0]])), expected)


def _sample(ad, hard):
    """A program that draws the same noise whenever it runs."""

    def program(x):
        ad.seed_(0)
        return ad.np.sum(ad.array([1.0, 10.0, 100.0]) * ad.np.gumbel_softmax(x, hard))

    return program


@behaviour(MUST, torch("torch.nn.functional.gumbel_softmax"))
def a_hard_gumbel_softmax_is_one_hot(ad):
    """gumbel_softmax with hard=True returns a one-hot sample: along dim one element is 1, the others are 0."""
    sample = ad.np.gumbel_softmax(ad.array([1.0, 2.0, 3.0]), hard=True)
    close(ad.np.sort(sample), [0.0, 0.0, 1.0])


@behaviour(MUST, torch("torch.nn.functional.gumbel_softmax"), aliases=("straight-through gumbel softmax",))
def a_hard_gumbel_softmax_has_the_gradient_of_the_soft_one(ad):
    """gumbel_softmax with hard=True has the gradient of the soft sample with the same noise (straight-through)."""
    x = ad.array([1.0, 2.0, 3.0])
    hard, soft = ad.grad(_sample(ad, True))(x), ad.grad(_sample(ad, False))(x)
    close(hard, soft)
    close(soft / soft, [1.0, 1.0, 1.0])  # no element is zero


@behaviour(MUST, torch("torch.nn.Dropout"), torch("notes/autograd", GRAPH), aliases=("dropout backward mask",))
def the_gradient_of_dropout_has_the_mask_of_the_forward_pass(ad):
    """In training, the gradient of dropout has the mask of its forward pass: 0 where it zeroed, else 1 / (1 - p)."""

    def program(x):
        ad.seed_(0)
        return ad.np.dropout(x, 0.5)

    ones = ad.np.ones_like(ad.np.zeros((16,)))
    output, gradient = program(ones), ad.grad(lambda x: 7 * ad.np.sum(program(x)))(ones)
    close(gradient, 7 * output)
    close((output - 1) ** 2, ones)
    close(ad.np.min(output), 0.0)


@behaviour(MUST, torch("torch.nn.GaussianNLLLoss"))
def gaussian_nll_leaves_out_the_constant_term(ad):
    """GaussianNLLLoss leaves out the constant term log(2π) / 2 by default: it is 0 if input equals target and var is
    1."""
    x = ad.array([3.0])
    close(ad.np.gaussian_nll_loss(x, x, ad.array([1.0]), 1e-6), 0.0)


@behaviour(MUST, torch("torch.nn.BCELoss"), torch("notes/autograd", KINKS))
def the_gradient_of_bce_loss(ad):
    """The gradient of BCELoss at the input 1/4 is -4 for the target 1, and 4/3 for the target 0."""
    gradient = ad.grad(lambda x: 2 * ad.np.binary_cross_entropy(x, ad.array([1.0, 0.0])))
    close(gradient(ad.array([0.25, 0.25])), [-4.0, 4 / 3])


@behaviour(MUST, torch("torch.nn.functional.gumbel_softmax"))
def a_soft_gumbel_softmax_sums_to_one(ad):
    """gumbel_softmax with hard=False returns a probability distribution: here three positive numbers that sum to 1."""
    sample = ad.np.gumbel_softmax(ad.array([1.0, 2.0, 3.0]), hard=False)
    close(ad.np.sum(sample), 1.0)
    close(ad.np.abs(sample) / sample, [1.0, 1.0, 1.0])  # each element is positive


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    torch("torch.nn.HingeEmbeddingLoss"),
    torch("torch.nn.MarginRankingLoss"),
    torch("torch.nn.MultiMarginLoss"),
    torch("torch.nn.MultiLabelMarginLoss"),
    cases={
        "embedding": (lambda ad, x: ad.np.hinge_embedding_loss(x[:1], ad.array([-1.0])), [-3.0, 0.0]),
        "ranking": (
            lambda ad, x: ad.np.margin_ranking_loss(x[:1], x[1:], ad.array([1.0]), margin=1.0),
            [-3.0, 3.0],
        ),
        "class": (lambda ad, x: ad.np.multi_margin_loss(ad.np.stack([x]), ad.array([0])), [-1.5, 1.5]),
        "labels": (lambda ad, x: ad.np.multilabel_margin_loss(ad.np.stack([x]), ad.array([[0, -1]])), [-1.5, 1.5]),
    },
    aliases=("hinge loss subgradient",),
)
def a_hinge_loss_has_gradient_zero_at_its_margin(ad, loss, violated):
    """The gradient of a hinge loss (HingeEmbeddingLoss, MarginRankingLoss, MultiMarginLoss, MultiLabelMarginLoss) is 0
    where its margin is met exactly, the subgradient of minimum norm of max(0, .), and not where it is violated."""
    gradient = ad.grad(lambda x: 3 * loss(ad, x))
    close(gradient(ad.array([1.0, 0.0])), [0.0, 0.0])
    close(gradient(ad.array([0.5, 0.0])), violated)


@behaviour(MUST, torch("torch.nn.CTCLoss"), aliases=("ctc loss inf nan gradient",))
def ctc_loss_with_zero_infinity_zeroes_an_infinite_loss(ad):
    """CTCLoss with zero_infinity=True is 0, with gradient 0, for a target too long for its input; the other samples of
    the batch keep theirs."""
    targets, ones, lengths = ad.array([[1, 1], [1, 0]]), ad.array([1, 1]), ad.array([2, 1])

    def loss(x):
        logs = ad.np.log_softmax(x, axis=2)
        return ad.np.ctc_loss(logs, targets, ones, lengths, reduction="none", zero_infinity=True)

    x, weights = ad.array([[[0.0, 0.0], [0.0, 0.0]]]), ad.array([3.0, 10.0])
    close(loss(x), [0.0, 0.6931471805599453])
    close(ad.grad(lambda x: ad.np.sum(weights * loss(x)))(x), [[[0.0, 0.0], [5.0, -5.0]]])


@behaviour(
    SHOULD,
    torch("torch.nn.Embedding", raises=Exception, says="modified by an inplace"),
    aliases=("embedding max_norm",),
)
def a_table_used_before_its_rows_are_scaled_has_to_be_cloned(ad):
    """An embedding with max_norm scales longer rows of its table in place: backward through an earlier use of the table
    that saved it raises an error, unless a clone was used."""
    table = ad.leaf([[3.0, 4.0], [0.25, 0.5]])
    cloned, used = ad.clone(table) ** 2, table**2
    rows = ad.np.embedding(ad.array([0, 1]), table, max_norm=1.0)
    scaled = [[0.6, 0.8], [0.25, 0.5]]
    close(table, scaled, within=1e-6, because="PyTorch adds 1e-7 to the norm that it divides by")
    ad.backward(ad.np.sum(cloned) + ad.np.sum(rows))
    close(ad.gradient_of(table), [[7.0, 9.0], [1.5, 2.0]])
    raises(lambda: ad.backward(ad.np.sum(used)))


@behaviour(
    MUST,
    torch_func("func.ux_limitations", LOOP),
    torch_func("torch.func.grad"),
    torch("torch.nn.CrossEntropyLoss"),
    aliases=("vmap cross entropy",),
)
def each_example_has_its_own_ignored_index(ad):
    """vmap of the gradient of CrossEntropyLoss, with the default reduction, over scores and targets ignores in each
    example the rows with the target ignore_index, and divides by the number of its other rows."""
    gradients = ad.vmap(ad.grad(lambda x, target: ad.np.cross_entropy(x, target, ignore_index=7)))
    even, one_to_three, ignored = [0.0, 0.0], [0.0, 1.0986122886681098], [5.0, 3.0]
    found = gradients(
        ad.array([[even, ignored, one_to_three], [ignored, even, ignored]]), ad.array([[0, 7, 1], [7, 1, 7]])
    )
    zero = [0.0, 0.0]
    close(found, [[[-0.25, 0.25], zero, [0.125, -0.125]], [zero, [0.5, -0.5], zero]])


@behaviour(
    MUST,
    torch_func("func.ux_limitations", LOOP),
    torch_func("torch.func.grad"),
    torch(EMBEDDING),
    cases={
        "plain": ({}, [[[1.0], [110.0]], [[110.0], [1.0]]]),
        "padded": ({"padding_idx": 0}, [[[0.0], [110.0]], [[0.0], [1.0]]]),
        "scaled": ({"scale_grad_by_freq": True}, [[[1.0], [55.0]], [[55.0], [1.0]]]),
    },
)
def each_example_looks_up_its_own_rows(ad, options, expected):
    """vmap of the gradient of an embedding over index arrays gives for each example the gradient with respect to the
    table from its own indices, also with padding_idx and scale_grad_by_freq."""
    weights, table = ad.array([[1.0], [10.0], [100.0]]), ad.array([[3.0], [5.0]])
    gradient = ad.grad(lambda table, i: ad.np.sum(weights * ad.np.embedding(i, table, **options)))
    close(ad.vmap(gradient, in_axes=(None, 0))(table, ad.array([[0, 1, 1], [1, 0, 0]])), expected)
