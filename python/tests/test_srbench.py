"""What SRBench asks of a method, and how its laws are judged."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sympy
from sklearn.base import clone

FOLDER = Path(__file__).parents[1] / "srbench"


@pytest.fixture(scope="module")
def method():
    sys.path.insert(0, str(FOLDER))
    yield importlib.import_module("regressor"), importlib.import_module("run")
    sys.path.remove(str(FOLDER))


def test_the_method_has_all_that_srbench_asks_for(method):
    regressor, _ = method
    X = np.random.default_rng(0).uniform(1, 3, (40, 2))
    y = 3 * X[:, 0] * X[:, 1]
    est = clone(regressor.est).set_params(time=None, effort=2000)
    est.random_state = 5
    assert est.get_params()["seed"] == est.random_state == 5
    est.fit(X, y)
    named = pd.DataFrame(X, columns=["mass", "speed"])
    text = regressor.model(est, named)
    assert sympy.simplify(sympy.sympify(text) - sympy.sympify("3*mass*speed")) == 0
    assert regressor.complexity(est) == 4
    population = regressor.get_population(est)
    assert 1 <= len(population) <= 100
    np.testing.assert_array_equal(population[0].predict(X), est.predict(X))
    assert regressor.model(population[0], named) == text
    assert regressor.get_best_solution(est) is est


def test_laws_are_judged_as_srbench_does(method):
    _, run = method
    ranges = {"x": 1.0, "y": 1.0}
    assert run.is_found("x*y**0.50000001 + 3", "x*sqrt(y)", ranges)
    assert run.is_found("2.5*x*y", "x*y", ranges)
    assert not run.is_found("x*y + x/100", "x*y", ranges)
    assert not run.is_found("0", "x*y", ranges)
    assert run.is_equal("sqrt(4*x*y*sin(0.5*s - 0.5*t)**2 + (x - y)**2)", "sqrt(x**2 + y**2 - 2*x*y*cos(s - t))")
    assert not run.is_equal("sqrt(4*x*y*sin(0.5*s - 0.4*t)**2 + (x - y)**2)", "sqrt(x**2 + y**2 - 2*x*y*cos(s - t))")


def test_the_data_follow_the_published_formulas(method):
    _, run = method
    X, y = run.feynman(*run.FEYNMAN["feynman_I_12_2"], rows=50)
    np.testing.assert_allclose(y, X["q1"] * X["q2"] / (4 * np.pi * X["epsilon"] * X["r"] ** 2))
    X, y = run.strogatz(*run.STROGATZ["strogatz_lv1"])
    assert len(X) == 400
    # The states follow the derivative: its mean over a step is the difference of states.
    step = np.diff(X["x"].to_numpy()[:100]) / (4 / 99)
    np.testing.assert_allclose((y.to_numpy()[:99] + y.to_numpy()[1:100])[20:] / 2, step[20:], rtol=0.05, atol=0.01)
