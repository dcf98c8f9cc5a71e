"""Losses: gradients of losses, tables and random masks, where a convention decides."""

from conformance.behaviour import MUST, behaviour, torch
from conformance.expect import close

EMBEDDING = "torch.nn.functional.embedding"


@behaviour(MUST, torch("torch.nn.BCELoss"))
def binary_cross_entropy_is_bounded_at_the_ends(ad):
    """The binary cross entropy of a target to which the probability zero was given is 100, and not infinite."""
    close(ad.np.binary_cross_entropy(ad.array([0.0]), ad.array([1.0])), 100.0)


@behaviour(MUST, torch("torch.nn.BCELoss"))
def binary_cross_entropy_is_finite_at_the_ends(ad):
    """The gradient of the binary cross entropy at a probability of zero is a number: times zero it is zero."""
    gradient = ad.grad(lambda x: ad.np.binary_cross_entropy(x, ad.array([1.0, 0.0])))
    close(0 * gradient(ad.array([0.0, 1.0])), [0.0, 0.0])


@behaviour(MUST, torch("torch.nn.GaussianNLLLoss"))
def the_clamp_of_a_variance_is_ignored(ad):
    """A variance below its bound, here 1, has the gradient at the bound: 1/2 - 3^2 / 2 is -4 for an error of 3."""
    x, target = ad.array([3.0]), ad.array([0.0])
    gradient = ad.grad(lambda var: ad.np.gaussian_nll_loss(x, target, var, 1.0))
    close(gradient(ad.array([0.25])), [-4.0])


@behaviour(MUST, torch("torch.nn.CrossEntropyLoss"))
def an_ignored_target_gets_no_gradient(ad):
    """The row of a target that is ignored gets zeros, and the mean is over the two other rows."""
    gradient = ad.grad(lambda x: ad.np.cross_entropy(x, ad.array([0, 7, 1]), ignore_index=7))
    expected = [[-0.25, 0.25], [0.0, 0.0], [0.125, -0.125]]
    close(gradient(ad.array([[0.0, 0.0], [5.0, 3.0], [0.0, 1.0986122886681098]])), expected)


@behaviour(MUST, torch(EMBEDDING))
def a_padding_row_gets_no_gradient(ad):
    """The row of a table that is declared as padding gets no gradient, however often it is looked up."""
    indices, weights = ad.array([0, 1, 0]), ad.array([[1.0], [10.0], [100.0]])
    gradient = ad.grad(lambda table: ad.np.sum(weights * ad.np.embedding(indices, table, padding_idx=0)))
    close(gradient(ad.array([[3.0], [5.0]])), [[0.0], [10.0]])


@behaviour(MUST, torch(EMBEDDING), cases={"sum": (False, [[1.0], [110.0]]), "mean": (True, [[1.0], [55.0]])})
def a_frequent_index_can_be_scaled_down(ad, scaled, expected):
    """A row looked up twice gets the sum of both gradients or, on request, their mean."""
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
    """A hard sample of a softmax with noise is one at one place and zero elsewhere."""
    sample = ad.np.gumbel_softmax(ad.array([1.0, 2.0, 3.0]), hard=True)
    close(ad.np.sort(sample), [0.0, 0.0, 1.0])


@behaviour(MUST, torch("torch.nn.functional.gumbel_softmax"))
def a_hard_sample_has_the_gradient_of_the_soft_one(ad):
    """A hard sample is differentiated as the soft one with the same noise, and not as the step that it is."""
    x = ad.array([1.0, 2.0, 3.0])
    hard, soft = ad.grad(_sample(ad, True))(x), ad.grad(_sample(ad, False))(x)
    close(hard, soft)
    close(soft / soft, [1.0, 1.0, 1.0])


@behaviour(MUST, torch("torch.nn.Dropout"))
def dropout_uses_one_mask(ad):
    """Dropout uses one mask for value and gradient: where ones become 0 or 2, the slope is 0 or 2 too."""

    def program(x):
        ad.seed_(0)
        return ad.np.dropout(x, 0.5)

    ones = ad.np.ones_like(ad.np.zeros((16,)))
    output, gradient = program(ones), ad.grad(lambda x: 7 * ad.np.sum(program(x)))(ones)
    close(gradient, 7 * output)
    close((output - 1) ** 2, ones)


@behaviour(MUST, torch("torch.nn.GaussianNLLLoss"))
def the_constant_of_a_likelihood_is_left_out(ad):
    """The Gaussian likelihood of a prediction without error, at variance one, is log(1) / 2: zero, and no log(2π)."""
    x = ad.array([3.0])
    close(ad.np.gaussian_nll_loss(x, x, ad.array([1.0]), 1e-6), 0.0)


@behaviour(MUST, torch("torch.nn.BCELoss"))
def binary_cross_entropy_has_its_slope(ad):
    """At the probability 1/4 the loss is -log(1/4) for the target one, with slope -4, and 4/3 is that for zero."""
    gradient = ad.grad(lambda x: 2 * ad.np.binary_cross_entropy(x, ad.array([1.0, 0.0])))
    close(gradient(ad.array([0.25, 0.25])), [-4.0, 4 / 3])


@behaviour(MUST, torch("torch.nn.functional.gumbel_softmax"))
def a_soft_sample_is_a_distribution(ad):
    """A soft sample has the sum one, and no element of it is zero: each divided by itself is one."""
    sample = ad.np.gumbel_softmax(ad.array([1.0, 2.0, 3.0]), hard=False)
    close(ad.np.sum(sample), 1.0)
    close(sample / sample, [1.0, 1.0, 1.0])
