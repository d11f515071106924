"""
Six of SRBench's ground-truth problems, by the method of `regressor.py`:

    python python/srbench/run.py bench/results/srbench.json [--time 60] [--seeds 3]

The data are ours, from the published formulas. Feynman: the equations and the ranges of Udrescu and Tegmark, "AI Feynman: a physics-inspired
method for symbolic regression", Science Advances 6 (2020), table 4, 10,000 rows of independent uniform draws. Strogatz: the two-state systems
of La Cava, Danai and Spector, "Inference of compact nonlinear dynamic models by epigenetic local search", Engineering Applications of Artificial
Intelligence 55 (2016), after Strogatz, "Nonlinear Dynamics and Chaos"; four trajectories of 100 points, the target is the derivative.

The protocol is SRBench's (experiment/evaluate_model.py): three quarters of the rows are for training, nothing is scaled, no noise. A law is found where SymPy
simplifies its difference from the formula to a constant, or its ratio to one, floats rounded to three digits (La Cava et al. 2021, "symbolic solution").
"""

import argparse
import json
import platform
import time
from pathlib import Path

import numpy as np
import pandas as pd
import sympy
from regressor import complexity, est, model
from scipy.integrate import solve_ivp
from sklearn.base import clone
from sklearn.metrics import r2_score
from sklearn.model_selection import train_test_split

import vasst

#: name: formula, and the range of each variable
FEYNMAN = {
    "feynman_I_6_2": ("exp(-(theta/sigma)**2/2)/(sqrt(2*pi)*sigma)", {"sigma": (1, 3), "theta": (1, 3)}),
    "feynman_I_12_2": (
        "q1*q2/(4*pi*epsilon*r**2)",
        {"q1": (1, 5), "q2": (1, 5), "epsilon": (1, 5), "r": (1, 5)},
    ),
    "feynman_I_29_16": (
        "sqrt(x1**2 + x2**2 - 2*x1*x2*cos(theta1 - theta2))",
        {"x1": (1, 5), "x2": (1, 5), "theta1": (1, 5), "theta2": (1, 5)},
    ),
}

#: name: both derivatives, which of them is the target, the initial values, the time of each trajectory
STROGATZ = {
    "strogatz_lv1": (("3*x - 2*x*y - x**2", "2*y - x*y - y**2"), 0, [(5, 3), (4, 8), (1, 8), (2, 3)], 4),
    "strogatz_glider2": (
        ("-0.05*x**2 - sin(y)", "x - cos(y)/x"),
        1,
        [(5, 0.7), (7, 0.4), (10, 0.35), (11, 0.3)],
        10,
    ),
    "strogatz_bacres1": (
        ("20 - x - x*y/(1 + 0.5*x**2)", "10 - x*y/(1 + 0.5*x**2)"),
        0,
        [(5, 10), (15, 2), (6, 12), (4, 15)],
        10,
    ),
}


def feynman(formula, ranges, rows=10_000):
    """A table of draws, and the formula's values."""
    random = np.random.default_rng(0)
    X = pd.DataFrame({name: random.uniform(*ends, rows) for name, ends in ranges.items()})
    value = sympy.lambdify(list(ranges), sympy.sympify(formula))
    return X, pd.Series(value(*X.to_numpy().T), name="target")


def strogatz(derivatives, target, starts, end):
    """States of trajectories, and a derivative."""
    both = [sympy.lambdify(["x", "y"], sympy.sympify(one)) for one in derivatives]
    times = np.linspace(0, end, 100)
    paths = [
        solve_ivp(lambda _, s: [f(*s) for f in both], (0, end), start, t_eval=times, rtol=1e-10, atol=1e-12).y.T
        for start in starts
    ]
    X = pd.DataFrame(np.concatenate(paths), columns=["x", "y"])
    return X, pd.Series(both[target](X["x"].to_numpy(), X["y"].to_numpy()), name="target")


def rounded(law):
    """The law with floats of three digits, as SRBench judges it."""
    return law.xreplace({one: sympy.Float(round(float(one), 3)) for one in law.atoms(sympy.Float)})


def is_found(law, formula, ranges):
    """Whether a law differs from a formula by a constant or a factor."""
    positive = {sympy.Symbol(name): sympy.Symbol(name, positive=low > 0) for name, low in ranges.items()}
    a, b = (rounded(sympy.sympify(one)).xreplace(positive) for one in (law, formula))
    difference = sympy.simplify(rounded(sympy.nsimplify(sympy.expand(a - b), rational=False)))
    if rounded(difference).is_constant():
        return True
    ratio = rounded(sympy.simplify(a / b))
    return bool(ratio.is_constant() and not ratio.is_zero)


def is_equal(law, formula):
    """Whether a law, with its floats of three digits as fractions, has the square of the formula: by exponentials, where `simplify` fails."""
    a, b = (sympy.nsimplify(rounded(sympy.sympify(one)), rational=True) for one in (law, formula))
    return sympy.simplify(sympy.expand((a**2 - b**2).rewrite(sympy.exp))) == 0


def judged(law, formula, X):
    """Whether SRBench counts a law as found, and whether it is the formula."""
    return {
        "symbolic_solution": is_found(law, formula, {name: float(X[name].min()) for name in X}),
        "equal": bool(is_equal(law, formula)),
    }


def evaluate(name, X, y, formula, seconds, seed):
    """One run of SRBench's protocol."""
    X_train, X_test, y_train, y_test = train_test_split(X, y, train_size=0.75, random_state=seed)
    method = clone(est).set_params(time=seconds)
    method.random_state = seed
    started = time.time()
    method.fit(X_train, y_train)
    spent = time.time() - started
    law = model(method, X_train)
    return {
        "dataset": name,
        "algorithm": "vasst",
        "random_state": seed,
        "time_time": round(spent, 1),
        "rows": len(X_train),
        "true_model": formula,
        "symbolic_model": law,
        "model_size": complexity(method),
        "r2_test": r2_score(y_test, method.predict(X_test)),
        "probability": method.probability_,
        "stop_reason": method.stop_reason_,
        **judged(law, formula, X),
    }


def main():
    """Runs all problems, and writes the results."""
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--time", type=float, default=60)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", help="the name of one problem")
    parser.add_argument("--judge", action="store_true", help="judges the laws of an existing file again")
    given = parser.parse_args()
    problems = [(name, *feynman(*of), of[0]) for name, of in FEYNMAN.items()]
    problems += [(name, *strogatz(*of), of[0][of[1]]) for name, of in STROGATZ.items()]
    if given.judge:
        tables = {name: X for name, X, _, _ in problems}
        written = json.loads(given.out.read_text())
        for run in written["runs"]:
            run.update(judged(run["symbolic_model"], run["true_model"], tables[run["dataset"]]))
        given.out.write_text(json.dumps(written, indent=2) + "\n")
        return
    runs = []
    for name, X, y, formula in problems:
        for seed in range(given.seeds):
            if given.only in (None, name):
                runs.append(evaluate(name, X, y, formula, given.time, seed))
                print({key: runs[-1][key] for key in ("dataset", "symbolic_model", "symbolic_solution", "equal", "r2_test", "time_time")}, flush=True)
    head = {"vasst": vasst.__version__, "seconds": given.time, "python": platform.python_version(), "machine": platform.machine()}
    given.out.write_text(json.dumps({**head, "runs": runs}, indent=2) + "\n")


if __name__ == "__main__":
    main()
