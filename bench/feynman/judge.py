"""Which expressions are the law.

    PEERS_HOME/venv/bin/python bench/feynman/judge.py FILE.jsonl ... [--limit 30] [--jobs 1] [--srbench] [--quiet]

Reads what `run.ts` wrote and writes FILE.judged.jsonl beside each: a line for every run with its verdict. Every
expression is printed beside the truth. An expression is judged once, also over several calls, in a process of its own
that has `--limit` seconds. Needs SymPy (1.14), mpmath and NumPy.

Verdicts (`rule` says what decided):
  recovered  symbolic: SymPy simplifies the difference to the truth, or the ratio, to a constant;
             identity: it does not manage to, but one of them is a constant to 28 digits at random points
  not        everything else; `form` is true where only the constants are wrong, and `reason` says by how much
The learned constants may differ from the exact ones by rounding to three significant digits: see judging/identity.py.
`late` is true where the time was up: before a decision, or while SymPy was still simplifying.
With --srbench, `srbench` says what the rule of SRBench's own program gives (three decimal places, whatever the size).
"""
import argparse
import json
import multiprocessing as mp
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import sympy

sys.dont_write_bytecode = True  # no folders of compiled files in the repository

from judging import formulas, identity, symbolic

VERSION = 1


def work(pipe, equation, text, srbench):
    """The child: sends what it knows as soon as it knows it, so that being stopped loses only the rest."""
    sys.setrecursionlimit(20000)
    try:
        expression = equation.parse(text)
    except Exception as error:  # whatever SymPy makes of a text that is no formula
        pipe.send(dict(recovered=False, form=False, rule="parse", reason="%s: %s" % (type(error).__name__, error)))
        return pipe.close()
    nodes = sum(1 for _ in sympy.preorder_traversal(expression))
    answer = identity.decide(equation, expression)
    verdict = dict(recovered=answer["recovered"], form=answer["form"], rule="identity", reason=answer["reason"],
                   nodes=nodes)
    if answer["mode"] is not None:
        verdict.update(mode=answer["mode"], off=answer["off"])
    pipe.send(verdict)
    if answer["recovered"]:
        try:
            if symbolic.shown(equation, answer):
                verdict = dict(verdict, rule="symbolic", reason="the %s simplifies to a constant" % answer["mode"])
                pipe.send(verdict)
        except Exception as error:  # SymPy's simplifications raise many things; the numbers stand
            verdict = dict(verdict, reason="%s; SymPy: %s" % (verdict["reason"], type(error).__name__))
            pipe.send(verdict)
    if srbench:
        try:
            pipe.send(dict(verdict, srbench=symbolic.srbench(equation, expression)))
        except Exception as error:
            pipe.send(dict(verdict, srbench=None, srbenchError=type(error).__name__))
    pipe.close()


def judge(equation, text, limit=30.0, srbench=False):
    """The verdict on one expression, a dict."""
    if not text:
        return dict(recovered=False, form=False, rule="none", reason="no expression")
    context = mp.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=work, args=(there, equation, text, srbench), daemon=True)
    late = threading.Event()

    def stop():
        late.set()
        child.kill()
    timer = threading.Timer(limit, stop)
    child.start()
    there.close()
    timer.start()
    verdict = dict(recovered=False, form=False, rule="none", reason="no decision in %g s" % limit)
    try:
        while True:
            verdict = here.recv()
    except (EOFError, OSError):  # the child has ended, or was stopped in the middle of a message
        pass
    timer.cancel()
    child.join()
    if late.is_set():
        verdict = dict(verdict, late=True)
        if srbench and "srbench" not in verdict:
            verdict.update(srbench=None, srbenchError="no decision in %g s" % limit)
    return verdict


def known(file, srbench):
    """Verdicts of an earlier call, by equation and expression."""
    found = {}
    if os.path.exists(file):
        with open(file, encoding="utf8") as lines:
            for line in map(json.loads, lines):
                if line.get("judge") == [VERSION, sympy.__version__] and ("srbench" in line["verdict"] or not srbench):
                    found[line["equation"], line["expression"]] = line["verdict"]
    return found


def main():
    P = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    P.add_argument("files", nargs="+")
    P.add_argument("--limit", type=float, default=30.0)
    P.add_argument("--jobs", type=int, default=1)
    P.add_argument("--srbench", action="store_true")
    P.add_argument("--quiet", action="store_true")
    o = P.parse_args()
    tables = {name: formulas.load(name) for name in formulas.TABLES}
    for file in o.files:
        if file.endswith(".judged.jsonl"):  # what this program wrote, as where a shell expands *.jsonl
            continue
        out = file[: -len(".jsonl")] + ".judged.jsonl"
        with open(file, encoding="utf8") as lines:
            runs = [json.loads(line) for line in lines if line.strip()]
        verdicts = known(out, o.srbench)

        def one(run):
            equation = tables[run["set"]][run["equation"]]
            key = (run["equation"], run["expression"])
            if key not in verdicts:
                verdicts[key] = judge(equation, run["expression"], o.limit, o.srbench)
            return run, equation, verdicts[key]
        recovered = count = 0
        with open(out + ".part", "w", encoding="utf8") as lines, ThreadPoolExecutor(o.jobs) as pool:
            for run, equation, verdict in pool.map(one, runs):
                count, recovered = count + 1, recovered + verdict["recovered"]
                line = {k: run[k] for k in ("set", "solver", "equation", "noise", "seed", "expression")}
                lines.write(json.dumps(dict(line, verdict=verdict, judge=[VERSION, sympy.__version__])) + "\n")
                lines.flush()
                if not o.quiet:
                    print("%-12s noise %-6g seed %-3d %s (%s: %s)\n    truth  %s\n    found  %s" % (
                        run["equation"], run["noise"], run["seed"],
                        "RECOVERED" if verdict["recovered"] else "not recovered", verdict["rule"], verdict["reason"],
                        equation.text, run["expression"] or "-"), flush=True)
        os.replace(out + ".part", out)
        print("%s: %d of %d recovered" % (os.path.basename(file), recovered, count))


if __name__ == "__main__":
    main()
