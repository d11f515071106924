"""Formulas as functions of NumPy."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from vasst.expression import FormulaError, Language, value

_UNARY = ("sqrt", "abs", "sign", "exp", "log", "sin", "cos", "tan", "tanh", "arcsin", "arccos", "arctan")
_FUNCTIONS: Mapping[str, tuple[int, Callable[..., Any]]] = {
    **{f"np.{name}": (1, getattr(np, name)) for name in _UNARY},
    **{f"np.{name}": (2, getattr(np, name)) for name in ("power", "minimum", "maximum")},
    "np.where": (3, np.where),
}


class Formula:
    """
    A formula as a function of a table: ``formula(X)`` has its value on each row, NaN where it is not defined.

    Parameters
    ----------
    text : str
        An expression of NumPy, ``np``; names that are no identifiers are entries of ``data``. It is read, and never run as code.
    features : names of the columns, in the order of the columns of an array
    numbers : values by name, of names in the text that are no columns

    Raises
    ------
    FormulaError
        When it is called: the text has something that no formula has, or a name that is no column and no number.
    """

    def __init__(self, text: str, features: Sequence[str], numbers: Mapping[str, float] | None = None) -> None:
        self.text = text
        self.features = list(features)
        self.numbers = dict(numbers or {})

    def __call__(self, X: "np.ndarray | pd.DataFrame") -> np.ndarray:
        read = [name for name in self.features if not isinstance(X, pd.DataFrame) or pd.api.types.is_numeric_dtype(X[name])]
        if isinstance(X, pd.DataFrame):
            # A column of texts, such as that of groups, is in no formula.
            columns = [X[name].to_numpy(dtype=np.float64) for name in read]
        else:
            values = np.asarray(X, dtype=np.float64)
            if values.ndim != 2 or values.shape[1] != len(self.features):
                raise ValueError(
                    f"X has the shape {values.shape}, but the formula is over the columns {', '.join(self.features)}"
                )
            columns = list(values.T)
        data = {**dict(zip(read, columns, strict=True)), **self.numbers}

        def entry(name: str) -> Any:
            if name not in data:
                raise FormulaError(f"{name!r} is no column of numbers of the formula; the columns are: {', '.join(read)}")
            return data[name]

        language = Language(
            number=lambda number, _: number,
            name=lambda name: np.pi if name == "np.pi" else entry(name),
            quoted=entry,
            quote="data",
            functions=_FUNCTIONS,
            choice="np.where",
            operate=_operate,
        )
        with np.errstate(all="ignore"):
            result = value(self.text, language)
        return np.array(np.broadcast_to(np.asarray(result, dtype=np.float64), (len(X),)))

    def __repr__(self) -> str:
        return self.text


def _operate(operation: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    # Two numbers of Python raise errors or become complex where NumPy has an infinity or NaN.
    return float(operation(np.float64(left), right)) if type(left) is float and type(right) is float else operation(left, right)
