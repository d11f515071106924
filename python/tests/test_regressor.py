"""Laws of tables, and what can be asked of them."""

import json
import pickle
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sympy
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import vasst
from vasst import Formula, VasstRegressor
from vasst.engine_process import ask, columns, decode

ROOT = Path(__file__).parents[2]


def test_the_law_of_a_table(fitted, table):
    assert re.fullmatch(r"2\.(49|50)\d*\*mass\*exp\(-0\.(39|40)\d*\*t\)|5\*mass\*exp\(-(0\.(39|4)\d*\*t|2\*t/5)\)/2", fitted.expression_)
    assert list(fitted.equations_.columns[:2]) == ["expression", "sympy"]
    assert fitted.equations_["expression"][0] == fitted.expression_
    assert fitted.equations_["probability"].sum() + fitted.unseen_ == pytest.approx(1, abs=1e-9)
    assert fitted.equations_["posterior"].is_monotonic_decreasing
    assert fitted.target_ == "force"
    assert fitted.score(table[["t", "mass"]], table["force"]) > 0.999


def test_the_same_seed_gives_the_same_laws(fitted, table):
    again = VasstRegressor(effort=200_000).fit(table[["t", "mass"]], table["force"])
    assert again.document_ == fitted.document_


def test_predictions_are_those_of_the_engine(fitted, table):
    new = pd.DataFrame({"t": np.linspace(-2, 20, 300), "mass": np.linspace(-1, 7, 300)})
    for index, expression in enumerate(fitted.equations_["expression"]):
        own = decode(ask("values", data=columns(["t", "mass"], new.to_numpy()), expression=expression))
        # Near a pole or a zero of a law the last digits of two libraries of functions are magnified.
        np.testing.assert_allclose(fitted.numpy(index)(new), own, rtol=1e-6, atol=1e-12)
    np.testing.assert_array_equal(fitted.predict(new), fitted.numpy()(new))


def test_predictions_of_sympy_are_the_same(fitted):
    law = fitted.sympy()
    assert {str(one) for one in law.free_symbols} == {"t", "mass"}
    value = law.subs({"t": 1.5, "mass": 2}).evalf()
    assert float(value) == pytest.approx(fitted.predict(pd.DataFrame({"t": [1.5], "mass": [2.0]}))[0], rel=1e-12)
    assert r"\mathrm{mass}" in fitted.latex() or "mass" in fitted.latex()


def test_intervals(fitted, table):
    inside = fitted.predict_interval(table[["t", "mass"]], 0.9)
    share = np.mean((inside[:, 0] < table["force"]) & (table["force"] < inside[:, 1]))
    assert 0.75 <= share <= 1
    narrow = fitted.predict_interval(table[["t", "mass"]], 0.5)
    law = fitted.predict_interval(table[["t", "mass"]], 0.9, kind="credible")
    width = np.diff(inside).ravel()
    assert (np.diff(narrow).ravel() < width).all()
    assert (np.diff(law).ravel() < width).all()
    with pytest.raises(ValueError, match="level must be greater than 0"):
        fitted.predict_interval(table[["t", "mass"]], 90)
    with pytest.raises(ValueError, match='kind must be "predictive"'):
        fitted.predict_interval(table[["t", "mass"]], kind="wide")


def test_a_pickle_predicts_without_a_fit(fitted, table, tmp_path):
    file = tmp_path / "law.pickle"
    file.write_bytes(pickle.dumps(fitted))
    program = f"import pickle, sys; e = pickle.load(open({str(file)!r}, 'rb')); X = [[1.0, 2.0]]; " + (
        "import pandas; X = pandas.DataFrame(X, columns=e.feature_names_in_); "
        "print(e.predict(X)[0], e.predict_interval(X)[0][0])"
    )
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    new = pd.DataFrame({"t": [1.0], "mass": [2.0]})
    assert [float(one) for one in printed.split()] == [fitted.predict(new)[0], fitted.predict_interval(new)[0][0]]


def test_parameters_reach_the_engine(table):
    X, y = table[["t", "mass"]], table["force"]
    small = {"effort": 2000, "workers": 1}
    operators = VasstRegressor(operators=["mul", "add"], links=["identity"], learned=0, **small).fit(X, y)
    # An exact coefficient may be a fraction, as in 2*t/3.
    assert not operators.equations_["expression"].str.contains(r"exp|sqrt|sin|/\(?(?!pi)[a-z]").any()
    linear = VasstRegressor(links=["identity"], noise=["additive", "heavy"], contains=["mass"], **small).fit(X, y)
    assert {one["link"] for one in linear.document_["models"]} == {"identity"}
    assert {one["noise"]["kind"] for one in linear.document_["models"]} <= {"additive", "heavy"}
    known = VasstRegressor(noise="proportional", **small).fit(X, y)
    assert {one["noise"]["kind"] for one in known.document_["models"]} == {"proportional"}
    without = VasstRegressor(without=["exp"], at_most={"t": 1}, forbid=[("sqrt", "t")], size=6, **small).fit(X, y)
    assert not without.equations_["expression"].str.contains(r"exp|sqrt\(t").any()
    seeds = {VasstRegressor(seed=seed, **small).fit(X, y).document_["seed"] for seed in (1, np.int64(2))}
    assert seeds == {1, 2}
    other = clone(without).set_params(size=None, exponents=(-1, 2), over={"log": ["t"]})
    assert other.get_params()["without"] == ["exp"]
    assert "log(mass" not in " ".join(other.fit(X, y).equations_["expression"])


def test_units(table):
    units = {"t": "s", "mass": "kg", "force": "kg m/s^2"}
    fit = VasstRegressor(effort=20_000, units=units).fit(table[["t", "mass"]], table["force"])
    assert "mass + t" not in " ".join(fit.equations_["expression"])
    with pytest.raises(ValueError, match='column "t": there is no unit "secnd"; did you mean "second"'):
        VasstRegressor(effort=100, units={"t": "secnd"}).fit(table[["t", "mass"]], table["force"])


def test_weights_and_errors():
    random = np.random.default_rng(2)
    x = random.uniform(1, 3, 40)
    error = np.where(np.arange(40) % 2, 0.01, 5.0)
    y = 2 * x + 1 + error * random.normal(size=40)
    X = x[:, None]
    small = {"operators": ["add", "mul"], "effort": 2000, "workers": 1}
    for given in ({"error": error}, {"sample_weight": error**-2}):
        np.testing.assert_allclose(VasstRegressor(**small).fit(X, y, **given).predict([[2.0]]), 5, atol=0.02)
    left = VasstRegressor(**small).fit(X, y, sample_weight=(error < 1).astype(float))
    np.testing.assert_allclose(left.predict([[2.0]]), 5, atol=0.02)
    assert left.n_features_in_ == 1
    with pytest.raises(ValueError, match="at least one non-zero"):
        VasstRegressor(**small).fit(X, y, sample_weight=np.zeros(40))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"operators": ["sine"]}, r'there is no operator "sine"; did you mean "sin"\?'),
        ({"links": ["logit2"]}, "there is no link"),
        ({"noise": "loud"}, 'there is no kind of noise "loud"'),
        ({"trees": 0}, "trees must be a whole number from 1 to 50, but is 0"),
        ({"effort": 0.5}, "effort must be a whole number from 1 on, but is 0.5"),
        ({"time": -1}, "time must be greater than 0, but is -1"),
        ({"depth": "three"}, "depth must be of the type number"),
        ({"operators": "add"}, "operators must be of the type array"),
        ({"start": "sin("}, "column 5"),
        ({"contains": ["speed"]}, "speed"),
    ],
)
def test_a_mistake_has_one_line(table, parameters, message):
    with pytest.raises(ValueError, match=message) as caught:
        VasstRegressor(**{"effort": 100, **parameters}).fit(table[["t", "mass"]], table["force"])
    assert "\n" not in str(caught.value)
    assert ".js" not in str(caught.value)


def test_data_that_say_nothing():
    with pytest.raises(ValueError, match='the target "y" is 1 in all 9 rows; there is nothing to explain'):
        VasstRegressor(effort=100).fit(np.arange(18.0).reshape(9, 2), np.ones(9))


def test_names_of_columns():
    random = np.random.default_rng(3)
    X = pd.DataFrame(random.uniform(1, 3, (40, 4)), columns=["mass (kg)", "lambda", "np", "data"])
    y = pd.Series(X["mass (kg)"] * X["lambda"] / X["np"], name="np")
    fit = VasstRegressor(effort=20_000, operators=["mul", "div"]).fit(X, y)
    assert fit.target_ == "y"
    np.testing.assert_allclose(fit.predict(X), y, rtol=1e-9)
    assert fit.sympy().free_symbols == {sympy.Symbol(one) for one in ("mass (kg)", "lambda", "np")}


def test_a_law_that_is_not_defined_everywhere():
    x = np.linspace(0.1, 4, 40)[:, None]
    fit = VasstRegressor(effort=5000, operators=["sqrt", "mul"]).fit(x, 3 * np.sqrt(x[:, 0]))
    assert fit.expression_ == "3*sqrt(x0)"
    np.testing.assert_allclose(fit.predict([[4.0], [-1.0]]), [6, np.nan])
    assert np.isnan(fit.predict_interval([[-1.0]])).all()


def test_a_formula_of_constants_has_a_value_for_each_row():
    assert Formula("np.pi", ["x"])(np.zeros((3, 1))).tolist() == [np.pi] * 3
    with pytest.raises(ValueError, match="over the columns x"):
        Formula("x", ["x"])(np.zeros((3, 2)))


def test_pipelines_and_cross_validation(table):
    line = make_pipeline(FunctionTransformer(), VasstRegressor(effort=5000, workers=1))
    scores = cross_val_score(line, table[["t", "mass"]], table["force"], cv=2)
    assert scores.min() > 0.9


def test_ctrl_c_gives_the_laws_found_so_far(tmp_path):
    """The signal comes while the engine searches, in a process of its own as in a terminal."""
    program = tmp_path / "fit.py"
    program.write_text(
        "import warnings, numpy as np\n"
        "from vasst import VasstRegressor\n"
        "x = np.random.default_rng(0).normal(size=(300, 4))\n"
        "y = np.random.default_rng(1).normal(size=300) + 5\n"
        "print('started', flush=True)\n"
        "with warnings.catch_warnings(record=True) as told:\n"
        "    warnings.simplefilter('always')\n"
        "    fit = VasstRegressor(time=200, verbose=True).fit(x, y)\n"
        "print(fit.stop_reason_, len(fit.equations_), told[0].category.__name__)\n"
    )
    with subprocess.Popen(
        [sys.executable, str(program)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Shells start programs in the background with a Ctrl-C that is ignored, which a child inherits.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        # Progress is told: the search has begun.
        assert "searching" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        printed, errors = process.communicate(timeout=60)
    assert len(printed.splitlines()) == 2, errors
    reason, laws, warning = printed.splitlines()[1].split()
    assert (reason, warning) == ("interrupted", "ConvergenceWarning")
    assert int(laws) >= 1
    assert "Traceback" not in errors


def test_the_command_line(table, tmp_path):
    table.to_csv(tmp_path / "table.csv", index=False)
    command = [str(Path(sys.executable).with_name("vasst"))]
    version = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True).stdout
    assert version == f"vasst {vasst.__version__}\n"
    printed = subprocess.run(
        [*command, "fit", "table.csv", "--target", "force", "--effort", "2000", "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert json.loads(printed)["target"] == "force"


def test_the_version_is_that_of_the_package():
    assert json.loads((ROOT / "package.json").read_text())["version"] == vasst.__version__
