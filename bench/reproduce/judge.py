"""The judge of run_peer.py for formulas of whatever origin: whether the set of terms is the law's.

    PEERS_SCRIPTS=FOLDER python bench/reproduce/judge.py

Each line of standard input is a formula with its problem, each line of standard output {"result": ...}: `structural` after
terms that change the value by less than 0.1 % were dropped, constants inside sin and cos snapped and products expanded;
coefficients of terms are free, an additive constant is allowed. `nodes` counts the formula as SymPy reads it.
"""
import json
import os
import sys
import warnings

import numpy as np

warnings.filterwarnings("ignore")
sys.dont_write_bytecode = True
sys.path.insert(0, os.environ["PEERS_SCRIPTS"])
import run_peer  # noqa: E402


def main():
    for line in sys.stdin:
        one = json.loads(line)
        X, X_test = np.array(one["X_train"]).T, np.array(one["X_test"]).T
        truth = np.array(one["f_test"], dtype=float)
        data = dict(X_train=X, X_test=X_test, y_test=truth, f_test=truth, truth=one["law"].replace("^", "**"), noise=0.1)
        try:
            score = run_peer.score(dict(expr=one["expression"].replace("^", "**")), data, X.shape[1])
            answer = dict(result=dict(structural=bool(score["recovered_structural"]), nodes=score.get("complexity"),
                                      note=score.get("parse_error") or score.get("check_error") or ""))
        except Exception as error:  # SymPy's simplifications raise many things
            answer = dict(result=dict(structural=False, nodes=None, note="%s: %s" % (type(error).__name__, error)))
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
