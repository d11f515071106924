"""The method for SRBench (github.com/cavalab/srbench, CONTRIBUTING.md): est, model, complexity, populations."""

import sympy

from vasst import VasstRegressor

#: Laws of a population at most, as SRBench asks.
LARGEST = 100


class Method(VasstRegressor):
    """The estimator with the name that SRBench has for the seed."""

    @property
    def random_state(self) -> int:
        """The seed."""
        return self.seed

    @random_state.setter
    def random_state(self, value: int) -> None:
        self.seed = int(value)


class Law:
    """One law of a fit, as a regressor."""

    def __init__(self, est: VasstRegressor, index: int) -> None:
        self.est = est
        self.index = index

    def fit(self, X, y):
        """Changes nothing: the law has been fitted with all others."""
        return self

    def predict(self, X):
        """Values of the law."""
        return self.est.numpy(self.index)(X)


#: An hour is what SRBench gives for data sets of up to 1,000 rows; a search that has converged ends before.
est = Method(time=3000)


def model(est, X=None) -> str:
    """A string that SymPy reads, in the names of the columns of X."""
    fitted, index = (est.est, est.index) if isinstance(est, Law) else (est, 0)
    law = fitted.sympy(index)
    own = fitted.numpy(index).features
    # Columns of an array have names of ours.
    names = own if X is None or not hasattr(X, "columns") else list(X.columns)
    return str(law.xreplace({sympy.Symbol(a): sympy.Symbol(b) for a, b in zip(own, names, strict=True)}))


def complexity(est) -> int:
    """The number of nodes of the expression of SymPy."""
    fitted, index = (est.est, est.index) if isinstance(est, Law) else (est, 0)
    return sum(1 for _ in sympy.preorder_traversal(fitted.sympy(index)))


def get_population(est) -> list:
    """The most probable laws."""
    return [Law(est, index) for index in range(min(LARGEST, len(est.equations_)))]


def get_best_solution(est):
    """The most probable law: the estimator itself."""
    return est


#: No tuning: there is nothing to tune.
hyper_params: list = []

eval_kwargs = {
    # A law of scaled columns is not the law.
    "scale_x": False,
    "scale_y": False,
    "test_params": {"time": 5},
}
