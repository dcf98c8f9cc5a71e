"""Losses: gradients of losses, embeddings, dropout and Gumbel softmax, with their options."""

from conformance.behaviour import MUST, behaviour, torch
from conformance.expect import close

EMBEDDING = "torch.nn.functional.embedding"
KINKS = "Gradients for non-differentiable functions"
GRAPH = "How autograd encodes the history"


@behaviour(MUST, torch("torch.nn.BCELoss"))
def binary_cross_entropy_is_bounded_at_the_ends(ad):
    """BCELoss is 100, not infinity, for the input 0 and the target 1: its logarithm is clamped at -100."""
    close(ad.np.binary_cross_entropy(ad.array([0.0]), ad.array([1.0])), 100.0)


@behaviour(MUST, torch("torch.nn.BCELoss"))
def binary_cross_entropy_is_finite_at_the_ends(ad):
    """The gradient of BCELoss is finite also at the input 0 with the target 1, and at the input 1 with the target 0."""
    gradient = ad.grad(lambda x: ad.np.binary_cross_entropy(x, ad.array([1.0, 0.0])))
    close(0 * gradient(ad.array([0.0, 1.0])), [0.0, 0.0])


@behaviour(MUST, torch("torch.nn.GaussianNLLLoss"))
def the_clamp_of_a_variance_is_ignored(ad):
    """GaussianNLLLoss clamps var to eps in its value only: a var below eps has the gradient of the loss at eps, not
    zero."""
    x, target = ad.array([3.0]), ad.array([0.0])
    gradient = ad.grad(lambda var: ad.np.gaussian_nll_loss(x, target, var, 1.0))
    close(gradient(ad.array([0.25])), [-4.0])


@behaviour(MUST, torch("torch.nn.CrossEntropyLoss"))
def an_ignored_target_gets_no_gradient(ad):
    """The gradient of cross_entropy is 0 in rows whose target is ignore_index, and the mean is over the other rows."""
    gradient = ad.grad(lambda x: ad.np.cross_entropy(x, ad.array([0, 7, 1]), ignore_index=7))
    expected = [[-0.25, 0.25], [0.0, 0.0], [0.125, -0.125]]
    close(gradient(ad.array([[0.0, 0.0], [5.0, 3.0], [0.0, 1.0986122886681098]])), expected)


@behaviour(MUST, torch(EMBEDDING))
def a_padding_row_gets_no_gradient(ad):
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
def a_frequent_index_can_be_scaled_down(ad, scaled, expected):
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
def a_hard_sample_is_all_or_nothing(ad):
    """gumbel_softmax with hard=True returns a one-hot sample: one element is 1, the others are 0."""
    sample = ad.np.gumbel_softmax(ad.array([1.0, 2.0, 3.0]), hard=True)
    close(ad.np.sort(sample), [0.0, 0.0, 1.0])


@behaviour(MUST, torch("torch.nn.functional.gumbel_softmax"))
def a_hard_sample_has_the_gradient_of_the_soft_one(ad):
    """gumbel_softmax with hard=True has the gradient of the soft sample with the same noise (straight-through)."""
    x = ad.array([1.0, 2.0, 3.0])
    hard, soft = ad.grad(_sample(ad, True))(x), ad.grad(_sample(ad, False))(x)
    close(hard, soft)
    close(soft / soft, [1.0, 1.0, 1.0])  # no element is zero


@behaviour(MUST, torch("torch.nn.Dropout"), torch("notes/autograd", GRAPH))
def dropout_uses_one_mask(ad):
    """The gradient of dropout has the mask of its forward pass: 0 where an element was zeroed, else 1 / (1 - p)."""

    def program(x):
        ad.seed_(0)
        return ad.np.dropout(x, 0.5)

    ones = ad.np.ones_like(ad.np.zeros((16,)))
    output, gradient = program(ones), ad.grad(lambda x: 7 * ad.np.sum(program(x)))(ones)
    close(gradient, 7 * output)
    close((output - 1) ** 2, ones)


@behaviour(MUST, torch("torch.nn.GaussianNLLLoss"))
def the_constant_of_a_likelihood_is_left_out(ad):
    """GaussianNLLLoss leaves out the constant term log(2π) / 2 by default: it is 0 if input equals target and var is
    1."""
    x = ad.array([3.0])
    close(ad.np.gaussian_nll_loss(x, x, ad.array([1.0]), 1e-6), 0.0)


@behaviour(MUST, torch("torch.nn.BCELoss"), torch("notes/autograd", KINKS))
def binary_cross_entropy_has_its_slope(ad):
    """The gradient of BCELoss at the input 1/4 is -4 for the target 1, and 4/3 for the target 0."""
    gradient = ad.grad(lambda x: 2 * ad.np.binary_cross_entropy(x, ad.array([1.0, 0.0])))
    close(gradient(ad.array([0.25, 0.25])), [-4.0, 4 / 3])


@behaviour(MUST, torch("torch.nn.functional.gumbel_softmax"))
def a_soft_sample_is_a_distribution(ad):
    """gumbel_softmax with hard=False returns a sample that sums to 1 and is not one-hot."""
    sample = ad.np.gumbel_softmax(ad.array([1.0, 2.0, 3.0]), hard=False)
    close(ad.np.sum(sample), 1.0)
    close(sample / sample, [1.0, 1.0, 1.0])  # no element is zero
