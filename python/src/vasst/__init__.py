"""Bayesian symbolic regression: from a table of numbers to formulas with posterior probabilities."""

from vasst.expression import FormulaError
from vasst.formula import Formula
from vasst.regressor import VasstRegressor

__version__ = "0.1.0"

__all__ = ["Formula", "FormulaError", "VasstRegressor", "__version__"]
