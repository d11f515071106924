"""Tables that many tests fit, and settings with which fits are short."""

import numpy as np
import pandas as pd
import pytest

from vasst import VasstRegressor


@pytest.fixture(scope="session")
def table() -> pd.DataFrame:
    """force = 2.5 mass exp(-0.4 t) with a little noise."""
    random = np.random.default_rng(1)
    t, mass = random.uniform(0, 5, 60), random.uniform(1, 3, 60)
    return pd.DataFrame({"t": t, "mass": mass, "force": 2.5 * mass * np.exp(-0.4 * t) + 0.01 * random.normal(size=60)})


@pytest.fixture(scope="session")
def fitted(table: pd.DataFrame) -> VasstRegressor:
    """A fit that others may look at and not change."""
    return VasstRegressor(effort=200_000).fit(table[["t", "mass"]], table["force"])
