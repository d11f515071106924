"""Individuals that gplearn evaluates a second, over a whole fit on one thread.

    python gplearn_rate.py data.csv [--population 2000] [--generations 10]

Its defaults, with the ten operators; square and exp are functions of ours (exp of at most 20 in magnitude), its own log,
sqrt and div are protected. Every program of every generation is evaluated on all rows, copies included.
"""
import argparse

import rate

P = argparse.ArgumentParser()
P.add_argument("data")
P.add_argument("--population", type=int, default=2000)
P.add_argument("--generations", type=int, default=10)
o = P.parse_args()

try:
    import gplearn
    import numpy as np
    from gplearn.functions import make_function
    from gplearn.genetic import SymbolicRegressor
except ModuleNotFoundError as missing:
    rate.absent("no module named " + missing.name)

X, y = rate.load(o.data)
ours = {
    "square": make_function(function=lambda a: a * a, name="square", arity=1),
    "exp": make_function(function=lambda a: np.exp(np.clip(a, -20, 20)), name="exp", arity=1),
}
model = SymbolicRegressor(
    population_size=o.population, generations=o.generations, function_set=[ours.get(f, f) for f in rate.OPERATORS],
    metric="rmse", n_jobs=1, random_state=1,
)
with rate.Clock() as clock:
    model.fit(X, y)
generations = len(model.run_details_["generation"])
lengths = model.run_details_["average_length"]
rate.report(o.population * generations, float(sum(lengths) / len(lengths)), clock, "gplearn " + gplearn.__version__)
