"""Formulas as functions of NumPy."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd


class Formula:
    """
    A formula as a function of a table: ``formula(X)`` has its value on each row, NaN where it is not defined.

    Parameters
    ----------
    text : str
        An expression of NumPy, ``np``; names that are no identifiers are entries of ``data``.
    features : names of the columns, in the order of the columns of an array
    numbers : values by name, of names in the text that are no columns
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
        # The text is the engine's, and has these names only. `np` and `data` are looked up in `data` where columns have these names.
        names = {**data, "np": np, "data": data, "__builtins__": {}}
        with np.errstate(all="ignore"):
            value = eval(compile(self.text, "<formula>", "eval"), names)  # noqa: S307
        return np.array(np.broadcast_to(np.asarray(value, dtype=np.float64), (len(X),)))

    def __repr__(self) -> str:
        return self.text
