"""The estimator."""

import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import sympy
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import _check_sample_weight, check_array, check_is_fitted, validate_data

from vasst.engine_process import ask, columns, decode, encode
from vasst.formula import Formula
from vasst.symbols import expression

#: The columns of ``equations_``, and the names that the engine's documents have for them.
_EQUATIONS = {
    "expression": "expression",
    "sympy": "sympy",
    "numpy": "numpy",
    "latex": "latex",
    "probability": "probability",
    "posterior": "posterior",
    "log_posterior": "lmpse",
    "log_evidence": "logEvidence",
    "log_prior": "logPrior",
    "complexity": "complexity",
    "rmse": "rmseTrain",
    "rmse_loo": "rmseLoo",
}


class VasstRegressor(RegressorMixin, BaseEstimator):
    """
    Laws of a table of numbers: formulas with posterior probabilities.

    Parameters that are None have the engine's default, which the documentation of ``vasst fit`` explains.

    Parameters
    ----------
    operators : list of str, default=None
        Names of the operators of laws; by default add, sub, mul, div, pow, square, sqrt, sin, cos, exp, log.
    constants : list of float, default=None
        Numbers that laws may have beside fitted ones; by default 1, 2 and pi.
    learned : float, default=None
        The standard deviation of the prior of numbers inside of terms; 0 for laws without; by default of any size.
    links : list of str, default=None
        Functions of the target that may be a sum of terms: "identity", "log", "square" and others.
    noise : str or list of str, default=None
        The possible kinds: "additive", "proportional", "log", "heavy", "contaminated"; by default the evidence decides.
    units : dict of str to str, default=None
        Units of columns, the target's among them: ``{"mass": "kg", "energy": "J"}``. No law adds unlike quantities.
    group : str or int, default=None
        The column of X with the names of groups (stars, patients, batches), by its name or its place: one law for all, of whose
        numbers the evidence decides which are each group's own. Its values may be texts.
    trees, depth : int, default=None
        The most terms of a law (3), and the greatest depth of a term's tree (7).
    time : float, default=None
        Seconds that a fit takes at most; 60 by default, and no limit with ``effort``.
    effort : int, default=None
        The most ensembles of terms that are scored: the same result on every machine.
    workers : int, default=None
        Threads; by default one for each core.
    seed : int, default=0
        The same seed gives the same laws, as far as ``time`` does not end the search.
    start : str, default=None
        A formula that the search begins with.
    contains, without : list of str, default=None
        Columns and operators that a law must have, and that no law has.
    at_most : dict of str to int, default=None
        How often a law may have a column or operator: ``{"exp": 1}``.
    forbid : list of (str, str), default=None
        Pairs of an operator and what may stand nowhere inside of it: ``[("sin", "sin")]``.
    over : dict of str to list of str, default=None
        The columns that an operator may be a function of: ``{"log": ["p", "V"]}``.
    exponents : (float, float), default=None
        The smallest and the largest exponent of a power.
    size : int, default=None
        The most operators, columns and numbers of a law.
    verbose : bool, default=False
        Whether the best law so far is printed on standard error once a second.

    Attributes
    ----------
    equations_ : DataFrame
        The laws, most probable first, with texts, probabilities, log evidence, complexity and errors.
    expression_ : str
        The best law.
    probability_ : float
        The probability that it is the law.
    unseen_ : float
        The probability that the law is none of ``equations_``; probabilities and this one sum to 1.
    stop_reason_ : str
        Why the search ended: "converged", "time", "effort" or "interrupted".
    document_ : dict
        All that the engine has to say: what ``vasst fit --json`` prints.
    groups_ : list
        The names of the groups in the order of their first rows; only of a fit over groups.
    target_ : str
        The name of the target in texts and units: that of a Series, or "y".
    n_features_in_, feature_names_in_
        As all estimators have them.

    Examples
    --------
    >>> import numpy as np
    >>> from vasst import VasstRegressor
    >>> X = np.random.default_rng(0).uniform(1, 3, (50, 2))
    >>> VasstRegressor(effort=5000).fit(X, 3 * X[:, 0] / X[:, 1]).expression_
    '3*x0/x1'
    """

    def __init__(
        self,
        *,
        operators: Sequence[str] | None = None,
        constants: Sequence[float] | None = None,
        learned: float | None = None,
        links: Sequence[str] | None = None,
        noise: str | Sequence[str] | None = None,
        units: Mapping[str, str] | None = None,
        group: str | int | None = None,
        trees: int | None = None,
        depth: int | None = None,
        time: float | None = None,
        effort: int | None = None,
        workers: int | None = None,
        seed: int = 0,
        start: str | None = None,
        contains: Sequence[str] | None = None,
        without: Sequence[str] | None = None,
        at_most: Mapping[str, int] | None = None,
        forbid: Sequence[tuple[str, str]] | None = None,
        over: Mapping[str, Sequence[str]] | None = None,
        exponents: tuple[float, float] | None = None,
        size: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.operators = operators
        self.constants = constants
        self.learned = learned
        self.links = links
        self.noise = noise
        self.units = units
        self.group = group
        self.trees = trees
        self.depth = depth
        self.time = time
        self.effort = effort
        self.workers = workers
        self.seed = seed
        self.start = start
        self.contains = contains
        self.without = without
        self.at_most = at_most
        self.forbid = forbid
        self.over = over
        self.exponents = exponents
        self.size = size
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None, error: Any = None) -> "VasstRegressor":
        """
        Finds laws of ``y`` in the columns of ``X``.

        Ctrl-C ends the search: the laws found so far are ranked, with a ConvergenceWarning, and ``stop_reason_`` is
        "interrupted". A second Ctrl-C raises KeyboardInterrupt.

        Parameters
        ----------
        X : array or DataFrame of shape (n_samples, n_features)
            Names of a DataFrame's columns are the names in laws; x0, x1, ... without.
        y : array or Series of shape (n_samples,)
        sample_weight : array of shape (n_samples,), default=None
            The variance of the noise of a row is in inverse proportion to its weight. Rows of weight 0 are left out.
        error : array of shape (n_samples,), default=None
            The standard error of each value of y, above 0.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            One line that says what is wrong with data or parameters.
        """
        name = getattr(y, "name", None)
        if self.group is not None:
            if sample_weight is not None or error is not None or self.noise is not None:
                raise ValueError("laws over groups have additive noise and equal rows: leave noise, sample_weight and error out")
            self.groups_ = list(pd.unique(pd.Series(_labels(X, self.group)).dropna()))
            X = self._coded(X)
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True, ensure_min_samples=2)
        names = self._names()
        self.target_ = name if isinstance(name, str) and name not in names else _unused("y", names)
        values, labels, noise = np.asarray(X), list(names), {}
        y = np.asarray(y, dtype=np.float64)
        kept = np.ones(len(y), dtype=bool)
        for kind, given in (("weights", sample_weight), ("error", error)):
            if given is None:
                continue
            column = (
                _check_sample_weight(given, X, dtype=np.float64, ensure_non_negative=True)
                if kind == "weights"
                else check_array(given, ensure_2d=False, dtype=np.float64, input_name="error")
            )
            if column.shape != y.shape:
                raise ValueError(f"{kind} has the shape {column.shape}, but y has {y.shape}")
            if kind == "weights":
                kept = column > 0
            noise[kind] = _unused(kind, [*labels, self.target_])
            labels.append(noise[kind])
            values = np.column_stack([values, column])
        document = ask(
            "fit",
            tell=(lambda line: print(line, file=sys.stderr)) if self.verbose else None,
            data=columns(labels, values[kept]),
            target=self.target_,
            y=encode(y[kept]),
            progress=bool(self.verbose),
            settings=_plain({**self._settings(), **noise}),
        )
        for law in [document["best"], *document["models"]]:
            if "groups" in law:
                # The engine has the places of the labels.
                law["groups"]["groups"] = [str(self.groups_[int(place)]) for place in law["groups"]["groups"]]
        self.document_ = document
        self.equations_ = pd.DataFrame(
            [{name: law[key] for name, key in _EQUATIONS.items()} for law in document["models"]]
        )
        self.expression_ = document["best"]["expression"]
        self.probability_ = document["best"]["probability"]
        self.unseen_ = document["unseen"]["probability"]
        self.stop_reason_ = document["stopReason"]
        if self.stop_reason_ == "interrupted":
            warnings.warn("the fit was interrupted; these are the laws found so far", ConvergenceWarning, stacklevel=2)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """
        Values of the best law on each row, of a law over groups with the numbers of the row's group, or with their means for a group that
        was not there; NaN where it is not defined, such as the root of a negative number.

        Parameters
        ----------
        X : array or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples,)
        """
        check_is_fitted(self)
        X, places = self._read(X)
        values = np.empty(len(X))
        for place in np.unique(places):
            own = places == place
            values[own] = self._formula(0, place)(X[own])
        return values

    def predict_interval(
        self, X: Any, level: float = 0.9, *, kind: str = "predictive", error: Any = None
    ) -> np.ndarray:
        """
        Intervals that hold a share of the probability, averaged over all laws.

        Parameters
        ----------
        X : array or DataFrame of shape (n_samples, n_features)
        level : float, default=0.9
            The share, in (0, 1), with equal shares of the rest below and above.
        kind : {"predictive", "credible"}, default="predictive"
            Of a new value of y, or of the law's value without noise.
        error : array of shape (n_samples,), default=None
            The standard error of each new value, where the fit had such.

        Returns
        -------
        array of shape (n_samples, 2)
            The lower and the upper end; NaN where no law is defined.
        """
        check_is_fitted(self)
        if kind not in ("predictive", "credible"):
            raise ValueError(f'kind must be "predictive" or "credible", not {kind!r}')
        if not 0 < level < 1:
            raise ValueError(f"level must be greater than 0 and less than 1, but is {level}")
        X, places = self._read(X)
        errors = None if error is None else np.broadcast_to(np.asarray(error, dtype=float), (len(X),))
        ends = np.empty((len(X), 2))
        for place in np.unique(places):
            own = places == place
            (band,) = ask(
                "predict",
                data=columns(self._names(), X[own]),
                laws=self._laws(place),
                bands=[float(level)],
                errors=None if errors is None else encode(errors[own]),
            )["bands"]
            ends[own] = np.column_stack([decode(band[f"{kind}Low"]), decode(band[f"{kind}High"])])
        return ends

    def sympy(self, index: int = 0) -> sympy.Expr:
        """The law of a row of ``equations_`` as an expression of SymPy; the best by default."""
        check_is_fitted(self)
        return expression(self.document_["models"][index]["sympy"])

    def latex(self, index: int = 0) -> str:
        """The law of a row of ``equations_`` as LaTeX; the best by default."""
        check_is_fitted(self)
        return self.document_["models"][index]["latex"]

    def numpy(self, index: int = 0, group: Any = None) -> Formula:
        """
        The law of a row of ``equations_`` as a function of an array or a DataFrame; the best by default.

        A law over groups has the numbers of a group, or their means without one.
        """
        check_is_fitted(self)
        if group is not None and group not in self.groups_:
            raise ValueError(f"there is no group {group!r}; the groups are: {', '.join(map(str, self.groups_))}")
        return self._formula(index, -1 if group is None else self.groups_.index(group))

    def _formula(self, index: int, place: int) -> Formula:
        law = self.document_["models"][index]
        numbers = {
            one["name"]: (one["mean"] if place < 0 else one["values"][place])["value"]
            for one in law.get("groups", {}).get("numbers", [])
        }
        return Formula(law["numpy"], self._names(), numbers)

    def _laws(self, place: int) -> list[dict[str, Any]]:
        """The laws with their probabilities, of a group or, for a negative place, of any."""
        laws = [
            (law["law"] if place < 0 else (law["groups"]["laws"] or [None] * len(self.groups_))[place], law["posterior"])
            for law in self.document_["models"]
        ]
        return [{"law": law, "probability": probability} for law, probability in laws if law is not None]

    def _coded(self, X: Any) -> Any:
        """A table with the places of labels in the column of groups: NaN where a label is missing, -1 for one that was not there."""
        places = {label: place for place, label in enumerate(self.groups_)}
        codes = [np.nan if pd.isna(label) else places.get(label, -1) for label in _labels(X, self.group)]
        at = _place(X, self.group)
        if isinstance(X, pd.DataFrame):
            X = X.copy()
            X.isetitem(at, np.asarray(codes, dtype=np.float64))
            return X
        X = np.array(X, dtype=object)
        X[:, at] = codes
        return X

    def _read(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """The numbers of a table, and the place of the group of each row: -1 without groups, and for a group that was not there."""
        if self.group is None:
            X = np.asarray(validate_data(self, X, reset=False, dtype=np.float64))
            return X, np.full(len(X), -1)
        X = np.asarray(validate_data(self, self._coded(X), reset=False, dtype=np.float64))
        return X, X[:, _place(X, self._names().index(self.group) if isinstance(self.group, str) else self.group)].astype(int)

    def _names(self) -> list[str]:
        given = getattr(self, "feature_names_in_", None)
        return [f"x{j}" for j in range(self.n_features_in_)] if given is None else list(given)

    def _settings(self) -> dict[str, Any]:
        own = self.get_params(deep=False)
        noise = [self.noise] if isinstance(self.noise, str) else self.noise
        renamed = {"atMost": own.pop("at_most"), "noise": noise}
        if isinstance(self.group, (int, np.integer)):
            renamed["group"] = self._names()[self.group]
        return {name: value for name, value in {**own, **renamed}.items() if name != "verbose"}


def _unused(name: str, taken: Sequence[str]) -> str:
    return name if name not in taken else _unused(f"{name}_", taken)


def _place(X: Any, group: str | int) -> int:
    """The place of the column of groups."""
    if isinstance(group, str):
        names = list(getattr(X, "columns", []))
        if group not in names:
            known = f"; the columns are: {', '.join(map(str, names))}" if names else ": X has no names, give the place of the column"
            raise ValueError(f"there is no column {group!r} of groups{known}")
        return names.index(group)
    width = np.shape(X)[1]
    if not -width <= group < width:
        raise ValueError(f"group is {group}, but X has {width} columns")
    return int(group) % width


def _labels(X: Any, group: str | int) -> list[Any]:
    """The labels of the rows."""
    at = _place(X, group)
    return list(X.iloc[:, at] if isinstance(X, pd.DataFrame) else np.asarray(X, dtype=object)[:, at])


def _plain(value: Any) -> Any:
    """A parameter as JSON has it: numbers of NumPy are Python's, and every sequence is a list."""
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, np.generic | np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(one) for one in value]
    return value
