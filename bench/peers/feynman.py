"""Another system on one problem of bench/feynman, with the same budget and the same lines of JSON as its `one.ts`.

    PEERS_SCRIPTS=FOLDER python bench/peers/feynman.py gplearn < problem.json

Started by `node bench/feynman/run.ts --solver NAME`, with PEERS_HOME naming the virtual environments and PEERS_SCRIPTS the
folder of run_peer.py, whose configurations (the paper's, and `pyoperon_mdl`) are used as they stand. What differs:

- all ten general operators: where run_peer.py knows only the operators of the paper, exp and log are added;
- the budget: gplearn stops after the generation in which its time is up (the paper's 20 generations stay the limit), BMS
  and BSR after an epoch or a restart, Operon by its own `max_time`;
- gplearn reports its best formula after every generation, BMS says when it found its own; of the others only the end is known.

BSR of autora has no logarithm and no division; it gets the logarithm here, and `inv` for the division, as in run_peer.py.
"""
import json
import os
import re
import sys
import time
import types
import warnings

import numpy as np

warnings.filterwarnings("ignore")
sys.dont_write_bytecode = True
sys.path.insert(0, os.environ["PEERS_SCRIPTS"])
import run_peer  # noqa: E402

SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


class Clock(run_peer.Timer):
    """The clock that run_peer.py starts at the fit, when the packages are loaded: the search begins there."""
    started = None

    def __enter__(self):
        Clock.started = time.perf_counter()
        return super().__enter__()


# Every budget is of wall-clock seconds, as it is for the others.
run_peer.Timer = Clock
run_peer.time = types.SimpleNamespace(time=time.time, process_time=time.perf_counter)


def say(kind, **what):
    print(json.dumps({kind: what}), flush=True)


def named(text, features):
    """x0, x1, ... as the names of the features, quoted."""
    return re.sub(r"\bx(\d+)\b", lambda m: "Symbol(%r)" % features[int(m.group(1))], text)


class Session:
    """What the patched regressors need to know of the problem."""

    def __init__(self, problem):
        self.problem = problem
        self.features = problem["features"]
        self.X, self.y = np.array(problem["train"]).T, np.array(problem["y"])
        self.X_test, self.truth = np.array(problem["test"]).T, np.array(problem["truth"])
        self.seconds = float(problem["seconds"])
        self.last = None

    def elapsed(self):
        return time.perf_counter() - Clock.started

    def over(self):
        return self.elapsed() >= self.seconds

    def r2(self, predicted):
        with np.errstate(all="ignore"):
            value = 1 - np.sum((self.truth - np.ravel(predicted)) ** 2) / np.sum((self.truth - self.truth.mean()) ** 2)
        return float(value) if np.isfinite(value) else None

    def improved(self, text, predicted):
        if text != self.last:
            self.last = text
            say("improvement", seconds=self.elapsed(), expression=named(text, self.features), r2=self.r2(predicted))


def gplearn_text(program):
    """As run_peer.py writes it, with all digits."""
    nodes = iter(program.program)

    def build():
        node = next(nodes)
        if hasattr(node, "arity"):
            return "%s(%s)" % (node.name, ", ".join([build() for _ in range(node.arity)]))
        return "x%d" % node if isinstance(node, (int, np.integer)) else repr(float(node))
    return build()


def patch_gplearn(session):
    from gplearn.functions import make_function
    from gplearn.genetic import SymbolicRegressor
    original = SymbolicRegressor.fit

    def exponential(x):
        with np.errstate(over="ignore"):
            return np.exp(np.minimum(x, 100))

    def fit(self, X, y):
        generations = self.generations
        exp = make_function(function=exponential, name="exp", arity=1)
        self.set_params(function_set=[*self.function_set, exp, "log"])
        for generation in range(1, generations + 1):
            self.set_params(generations=generation, warm_start=generation > 1)
            original(self, X, y)
            session.improved(gplearn_text(self._program), self.predict(session.X_test))
            if session.over():
                break
        return self
    SymbolicRegressor.fit = fit


def patch_bms(session):
    from autora.theorist.bms.regressor import BMSRegressor
    original = BMSRegressor.fit

    def fit(self, *rest, **named_):
        more = {"exp": 1, "log": 1}
        self.ops = dict(self.ops, **more)
        self.prior_par = dict(self.prior_par, **{"Nopi_" + op: 1.0 for op in more})
        return original(self, *rest, **named_)
    BMSRegressor.fit = fit


def patch_bsr(session):
    import autora.theorist.bsr.prior as prior
    import autora.theorist.bsr.regressor as regressor
    original = regressor.BSRRegressor.fit

    def fit(self, *rest, **named_):
        names, _, operators = regressor.get_prior_dict()
        log = lambda a, **_: np.log(np.maximum(np.abs(a), 1e-6))
        exp = prior._get_ops_with_arity()["exp"][0]
        new = {"log": (log, {}), "exp": (exp, prior._get_ops_init().get("exp", {}))}
        names = [*names, *new]
        share = 1.0 / len(names)
        operators = {name: dict(one, weight=share) for name, one in operators.items()}
        for name, (function, init) in new.items():
            operators[name] = {"init": init, "fn": function, "arity": 1, "weight": share}
        regressor.get_prior_dict = lambda prior_name="Uniform": (names, [share] * len(names), operators)
        return original(self, *rest, **named_)
    regressor.BSRRegressor.fit = fit


PATCHES = {"gplearn": patch_gplearn, "bms": patch_bms, "bsr": patch_bsr}


def main():
    name = sys.argv[1]
    problem = json.load(sys.stdin)
    session = Session(problem)
    operators = [SIGNS.get(op, op) for op in problem["operators"]]
    if name in PATCHES:
        PATCHES[name](session)
        operators = [op for op in operators if op not in ("exp", "log")]
    data = dict(X_train=session.X, y_train=session.y, X_test=session.X_test, ops=operators, name="",
                seed=int(problem["seed"]), noise=float(problem["noise"]))
    result = getattr(run_peer, "w_" + name)(data, session.seconds)
    text = named(result["expr"], session.features)
    r2 = session.r2(result["pred"])
    seconds = result["t"].wall
    if session.last is None:
        when = re.search(r"best_at_cpu_s=([\d.]+)", result.get("note", ""))
        say("improvement", seconds=float(when.group(1)) if when else seconds, expression=text, r2=r2)
    say("ending", expression=text, r2=r2, complexity=result.get("native"), seconds=seconds,
        cpu=sum(os.times()[:2]), stop="time" if seconds >= 0.98 * session.seconds or result.get("capped") else "end")


if __name__ == "__main__":
    main()
