"""Formulas as functions of NumPy."""

from collections.abc import Sequence

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
    """

    def __init__(self, text: str, features: Sequence[str]) -> None:
        self.text = text
        self.features = list(features)

    def __call__(self, X: "np.ndarray | pd.DataFrame") -> np.ndarray:
        if isinstance(X, pd.DataFrame):
            columns = [X[name].to_numpy(dtype=np.float64) for name in self.features]
        else:
            values = np.asarray(X, dtype=np.float64)
            if values.ndim != 2 or values.shape[1] != len(self.features):
                raise ValueError(
                    f"X has the shape {values.shape}, but the formula is over the columns {', '.join(self.features)}"
                )
            columns = list(values.T)
        data = dict(zip(self.features, columns, strict=True))
        # The text is the engine's, and has these names only. `np` and `data` are looked up in `data` where columns have these names.
        names = {**data, "np": np, "data": data, "__builtins__": {}}
        with np.errstate(all="ignore"):
            value = eval(compile(self.text, "<formula>", "eval"), names)  # noqa: S307
        return np.array(np.broadcast_to(np.asarray(value, dtype=np.float64), (len(X),)))

    def __repr__(self) -> str:
        return self.text
