"""Another system on one problem of the paper, as run_peer.py configures it (the paper's settings, where it states any).

    PEERS_SCRIPTS=FOLDER python bench/peers/paper.py NAME

Reads a line of JSON (`Problem` of peers.ts) and writes one: {"result": ...} or {"error": ...}. `vasst_torch` is the paper's
method in PyTorch. CPU seconds are those of the fit, the loading of packages excluded.
"""
import importlib.metadata
import json
import os
import sys
import warnings

import numpy as np

warnings.filterwarnings("ignore")
sys.dont_write_bytecode = True
sys.path.insert(0, os.environ["PEERS_SCRIPTS"])

PACKAGES = {"gplearn": "gplearn", "deap": "deap", "pyoperon": "pyoperon", "pyoperon_mdl": "pyoperon", "rils": "rils-rols",
            "bms": "autora-theorist-bms", "bsr": "autora-theorist-bsr", "vasst_torch": "torch"}
SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


def rmse(y, predicted):
    with np.errstate(all="ignore"):
        value = float(np.sqrt(np.mean((np.ravel(predicted) - y) ** 2)))
    return value if np.isfinite(value) else None


def torch(d):
    """The settings of the paper, one thread."""
    import vasst_torch
    a = vasst_torch.parser().parse_args(["--problem", d["name"].lower(), "--seed", str(d["seed"]), "--no-hits"])
    ops = [{"square": "sq"}.get(op, op) for op in d["names_of_operators"]]
    data = dict(X=d["X_train"], y=d["y_train"], f0=d["f_train"], Xt=d["X_test"], yt=d["y_test"], f0t=d["f_test"], ops=ops,
                names=["x%d" % j for j in range(d["X_train"].shape[1])])
    r = vasst_torch.run(a, data)
    first, *rest = r["expr"].split(" ")
    expr = " + ".join([first] + ["(%s)" % t for t in rest_of(rest)])
    return dict(expr=expr.replace("^", "**"), rmse_train=r["rmse_in"], rmse_test=r["rmse_out"], native=None,
                cpu=r["train_cpu_seconds"] + r["rank_cpu_seconds"], capped=False,
                note="largest change of a logit %.3f" % r["max_logit_move"])


def rest_of(words):
    """Terms such as +0.5*(x0 + x1), written with blanks inside of brackets only."""
    out, depth = [], 0
    for word in words:
        if depth == 0:
            out.append(word)
        else:
            out[-1] += " " + word
        depth += word.count("(") - word.count(")")
    return [word.lstrip("+") for word in out]


def other(name, d, cap):
    import run_peer
    r = getattr(run_peer, "w_" + name)(d, cap)
    known = {k: rmse(d[y], r[p]) for k, y, p in (("rmse_train", "y_train", "pred_train"), ("rmse_test", "y_test", "pred"))
             if r.get(p) is not None}
    return dict(expr=r["expr"], native=r.get("native"), cpu=r["t"].cpu, capped=bool(r.get("capped", False)),
                note=r.get("note", ""), **dict(dict(rmse_train=None, rmse_test=None), **known))


def main():
    name = sys.argv[1]
    problem = json.loads(sys.stdin.readline())
    arrays = {k: np.array(problem[k], dtype=float) for k in ("y_train", "f_train", "y_test", "f_test")}
    rows = {k: np.ascontiguousarray(np.array(problem[k]).T) for k in ("X_train", "X_test")}  # rils-rols reads memory as it lies
    d = dict(arrays, **rows, name=problem["name"], seed=int(problem["seed"]), noise=float(problem["noise"]),
             names_of_operators=problem["operators"], ops=[SIGNS.get(op, op) for op in problem["operators"]])
    out = os.dup(1)  # packages that print do so elsewhere
    os.dup2(2, 1)
    try:
        r = torch(d) if name == "vasst_torch" else other(name, d, float(problem["cap"]))
        answer = dict(result=dict(
            expression=r["expr"], rmseTrain=r["rmse_train"], rmseTest=r["rmse_test"], complexity=r["native"], cpu=r["cpu"],
            capped=r["capped"], note=r["note"],
            version="%s %s" % (PACKAGES[name], importlib.metadata.version(PACKAGES[name]))))
    except Exception as error:  # whatever a system raises is its result
        answer = dict(error="%s: %s" % (type(error).__name__, error))
    with os.fdopen(out, "w") as lines:
        lines.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
