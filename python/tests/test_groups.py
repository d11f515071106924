"""Laws over groups."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from vasst import VasstRegressor

CUPS = ["steel", "paper", "foam"]
SLOPES = {"steel": 2.0, "paper": 3.0, "foam": 4.5}


@pytest.fixture(scope="module")
def cups() -> pd.DataFrame:
    """level = slope t + 4, a slope for each cup, with a little noise."""
    random = np.random.default_rng(2)
    t = np.tile(np.linspace(0, 6, 14), 3)
    cup = np.repeat(CUPS, 14)
    level = np.array([SLOPES[one] for one in cup]) * t + 4 + 0.02 * random.normal(size=len(t))
    return pd.DataFrame({"cup": cup, "t": t, "level": level}).sample(frac=1, random_state=0)


@pytest.fixture(scope="module")
def fitted(cups: pd.DataFrame) -> VasstRegressor:
    """A fit that others may look at and not change."""
    return VasstRegressor(effort=20_000, group="cup").fit(cups[["cup", "t"]], cups["level"])


def test_each_group_has_its_numbers(fitted, cups):
    assert fitted.groups_ == list(dict.fromkeys(cups["cup"]))
    (number,) = fitted.document_["best"]["groups"]["numbers"]
    found = dict(zip(fitted.document_["best"]["groups"]["groups"], number["values"], strict=True))
    for cup, slope in SLOPES.items():
        assert found[cup]["value"] == pytest.approx(slope, abs=0.02)


def test_predictions_are_those_of_the_groups(fitted, cups):
    assert np.abs(fitted.predict(cups[["cup", "t"]]) - cups["level"]).max() < 0.1
    new = pd.DataFrame({"cup": [*CUPS, "glass"], "t": 2.0})
    assert fitted.predict(new) == pytest.approx([8, 10, 13, 2 * np.mean(list(SLOPES.values())) + 4], abs=0.1)
    assert fitted.numpy(group="paper")(new)[0] == pytest.approx(10, abs=0.1)
    ends = fitted.predict_interval(new)
    assert (ends[:, 0] < fitted.predict(new)).all() and (fitted.predict(new) < ends[:, 1]).all()
    # Of a group that was not there the number is not known.
    assert np.diff(ends[3]) > 10 * np.diff(ends[:3]).max()


def test_a_place_of_an_array_and_copies(fitted, cups):
    X = cups[["t", "cup"]].to_numpy(dtype=object)
    by_place = VasstRegressor(effort=20_000, group=-1).fit(X, cups["level"])
    # Names of columns are others.
    assert by_place.predict(X) == pytest.approx(fitted.predict(cups[["cup", "t"]]), abs=0.01)
    copy = pickle.loads(pickle.dumps(fitted))
    assert (copy.predict(cups[["cup", "t"]]) == fitted.predict(cups[["cup", "t"]])).all()
    assert clone(fitted).group == "cup"


@pytest.mark.parametrize(
    ("parameters", "arguments", "message"),
    [
        ({"group": "cop"}, {}, "there is no column 'cop' of groups; the columns are: cup, t"),
        ({"group": 7}, {}, "group is 7, but X has 2 columns"),
        ({"group": "cup", "noise": "log"}, {}, "laws over groups have additive noise"),
        ({"group": "cup"}, {"error": np.ones(42)}, "laws over groups have additive noise"),
    ],
)
def test_mistakes(cups, parameters, arguments, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        VasstRegressor(effort=1000, **parameters).fit(cups[["cup", "t"]], cups["level"], **arguments)
    with pytest.raises(ValueError, match="there is no group 'glass'"):
        VasstRegressor(effort=5000, group="cup").fit(cups[["cup", "t"]], cups["level"]).numpy(group="glass")
