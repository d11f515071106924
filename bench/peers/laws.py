"""Another system on a table of bench/laws, with the same budget and the same lines of JSON as its `one.ts`.

    PEERS_SCRIPTS=FOLDER python bench/peers/laws.py SYSTEM FILE.csv TARGET SECONDS SEED

Started by `npm run laws -- --solver SYSTEM`. Everything is as in feynman.py: the configurations of run_peer.py, all general
operators, the budget in seconds. rils-rols (run_peer.py's `rils`) has operators of its own, and its own limit of time is set to the budget.
A peer gives one formula and no probability.
"""
import csv
import io
import json
import sys
from importlib import metadata

sys.dont_write_bytecode = True

import feynman

OPERATORS = ["add", "sub", "mul", "div", "square", "sqrt", "sin", "cos", "exp", "log"]


def table(file, target):
    with open(file, encoding="utf8") as text:
        head, *rows = csv.reader(text)
    columns = {name: [float(row[j]) for row in rows] for j, name in enumerate(head)}
    y = columns.pop(target)
    return list(columns), list(columns.values()), y


def say(kind, **what):
    """The messages of feynman.py as those of bench/laws."""
    if kind == "improvement":
        message = dict(improvement=dict(seconds=what["seconds"], law=what["expression"]))
        say.first.setdefault(what["expression"], what["seconds"])
    else:
        message = dict(ending=dict(answers=[dict(expression=what["expression"], probability=None)],
                                   seconds=what["seconds"], cpu=what["cpu"],
                                   hit=say.first.get(what["expression"]), stop=what["stop"],
                                   version="%s %s" % (say.package, metadata.version(say.package))))
    print(json.dumps(message), flush=True)


say.first = {}
say.package = ""

PACKAGES = {"gplearn": "gplearn", "pyoperon_mdl": "pyoperon", "bms": "autora-theorist-bms", "rils": "rils-rols"}


def rils(data, seconds):
    """run_peer.py's configuration, but for its limit of time."""
    from rils_rols.rils_rols import RILSROLSRegressor
    estimator = RILSROLSRegressor(max_fit_calls=100000, max_time=max(1, int(seconds)), random_state=data["seed"])
    with feynman.run_peer.Timer() as clock:
        estimator.fit(data["X_train"], data["y_train"])
    return dict(t=clock, expr=str(estimator.model_string()), pred=estimator.predict(data["X_test"]), native=None)


def main():
    system, file, target, seconds, seed = sys.argv[1:]
    say.package = PACKAGES[system]
    features, columns, y = table(file, target)
    problem = dict(features=features, operators=OPERATORS, train=columns, y=y, test=columns, truth=y, noise=0.0,
                   seed=int(seed), seconds=float(seconds))
    feynman.say = say
    feynman.run_peer.w_rils = rils
    # feynman.py reads its problem from standard input.
    sys.argv = [sys.argv[0], system]
    sys.stdin = io.StringIO(json.dumps(problem))
    feynman.main()


if __name__ == "__main__":
    main()
