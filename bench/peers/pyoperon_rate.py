"""Individuals that Operon evaluates a second, over a whole fit on one thread.

    python pyoperon_rate.py data.csv [--population 1000] [--generations 200]

Its defaults, with the ten operators: no local search, so that an evaluation is one individual on all rows.
"""
import argparse
import importlib.metadata

import rate

P = argparse.ArgumentParser()
P.add_argument("data")
P.add_argument("--population", type=int, default=1000)
P.add_argument("--generations", type=int, default=200)
o = P.parse_args()

try:
    from pyoperon.sklearn import SymbolicRegressor
except ModuleNotFoundError as missing:
    rate.absent("no module named " + missing.name)

X, y = rate.load(o.data)
model = SymbolicRegressor(
    allowed_symbols=",".join(rate.OPERATORS + ["constant", "variable"]), population_size=o.population,
    generations=o.generations, max_evaluations=10**9, n_threads=1, random_state=1,
)
with rate.Clock() as clock:
    model.fit(X, y)
lengths = [one.Genotype.Length for one in model.individuals_]
rate.report(
    model.stats_["residual_evaluations"], sum(lengths) / len(lengths), clock,
    "pyoperon " + importlib.metadata.version("pyoperon"),
)
