"""Which expressions are the law.

    PEERS_HOME/venv/bin/python bench/judge/judge.py FILE.jsonl ... [--limit 30] [--jobs 1] [--srbench] [--quiet]
    PEERS_HOME/venv/bin/python bench/judge/judge.py --terms [--limit 60]

The first form reads what `npm run feynman` wrote and writes FILE.judged.jsonl beside each: a line for every run with its
verdict. Every expression is printed beside the truth; an expression is judged once, also over several calls.

Verdicts (`rule` says what decided):
  recovered  symbolic: SymPy simplifies the difference to the truth, or the ratio, to a constant;
             identity: it does not manage to, but one of them is a constant to 28 digits at random points
  not        everything else; `form` is true where only the constants are wrong, and `reason` says by how much
The learned constants may differ from the exact ones by rounding to three significant digits: see judging/identity.py.
`late` is true where the time was up: before a decision, or while SymPy was still simplifying.
With --srbench, `srbench` says what the rule of SRBench's own program gives (three decimal places, whatever the size).

The second form answers `npm run reproduce -- --peers`: each line of standard input is {expression, law, columns}, over
x0, x1, ..., and each line of standard output {"result": {structural, nodes, note}}. `structural` says whether the
expression has the law's terms, coefficients free: see judging/terms.py.

Every expression is judged in a process of its own that has `--limit` seconds. Needs SymPy (1.14), mpmath and NumPy.
"""
import argparse
import json
import multiprocessing as mp
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy
import sympy

sys.dont_write_bytecode = True  # no folders of compiled files in the repository

from judging import formulas, identity, symbolic, terms

VERSION = 1


def nodes_of(expression):
    return sum(1 for _ in sympy.preorder_traversal(expression))


def told(error):
    return "%s: %s" % (type(error).__name__, error)


def by_identity(send, equation, text, srbench):
    """Sends what it knows as soon as it knows it, so that being stopped loses only the rest."""
    try:
        expression = equation.parse(text)
    except Exception as error:  # whatever SymPy makes of a text that is no formula
        return send(dict(recovered=False, form=False, rule="parse", reason=told(error)))
    answer = identity.decide(equation, expression)
    verdict = dict(recovered=answer["recovered"], form=answer["form"], rule="identity", reason=answer["reason"],
                   nodes=nodes_of(expression))
    if answer["mode"] is not None:
        verdict.update(mode=answer["mode"], off=answer["off"])
    send(verdict)
    if answer["recovered"]:
        try:
            if symbolic.shown(equation, answer):
                verdict = dict(verdict, rule="symbolic", reason="the %s simplifies to a constant" % answer["mode"])
                send(verdict)
        except Exception as error:  # SymPy's simplifications raise many things; the numbers stand
            verdict = dict(verdict, reason="%s; SymPy: %s" % (verdict["reason"], type(error).__name__))
            send(verdict)
    if srbench:
        try:
            send(dict(verdict, srbench=symbolic.srbench(equation, expression)))
        except Exception as error:
            send(dict(verdict, srbench=None, srbenchError=type(error).__name__))


def by_terms(send, question):
    symbols = [sympy.Symbol("x%d" % j, real=True) for j in range(len(question["columns"]))]
    names = {s.name: s for s in symbols}
    try:
        expression = formulas.parse(question["expression"], names)
    except Exception as error:  # whatever SymPy makes of a text that is no formula
        return send(dict(structural=False, nodes=None, note=told(error)))
    verdict = dict(structural=False, nodes=nodes_of(expression), note="")
    send(dict(verdict, note="no decision in time"))
    columns = [numpy.array(c, dtype=float) for c in question["columns"]]
    try:
        send(dict(verdict, structural=terms.same(expression, formulas.parse(question["law"], names), symbols, columns)))
    except Exception as error:  # SymPy's simplifications raise many things
        send(dict(verdict, note=told(error)))


def child(pipe, work, parameters):
    sys.setrecursionlimit(20000)
    work(pipe.send, *parameters)
    pipe.close()


def limited(work, parameters, limit, nothing):
    """The last that `work` sent, `nothing` if it sent nothing, and whether it was stopped after `limit` seconds."""
    context = mp.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=child, args=(there, work, parameters), daemon=True)
    late = threading.Event()

    def stop():
        late.set()
        process.kill()
    timer = threading.Timer(limit, stop)
    process.start()
    there.close()
    timer.start()
    last = nothing
    try:
        while True:
            last = here.recv()
    except (EOFError, OSError):  # the child has ended, or was stopped in the middle of a message
        pass
    timer.cancel()
    process.join()
    return last, late.is_set()


def judge(equation, text, limit=30.0, srbench=False):
    """The verdict on one expression, a dict."""
    if not text:
        return dict(recovered=False, form=False, rule="none", reason="no expression")
    nothing = dict(recovered=False, form=False, rule="none", reason="no decision in %g s" % limit)
    verdict, late = limited(by_identity, (equation, text, srbench), limit, nothing)
    if late:
        verdict = dict(verdict, late=True)
        if srbench and "srbench" not in verdict:
            verdict.update(srbench=None, srbenchError="no decision in %g s" % limit)
    return verdict


def judge_terms(question, limit=60.0):
    """The verdict on the terms of one expression, a dict."""
    nothing = dict(structural=False, nodes=None, note="no decision in %g s" % limit)
    return limited(by_terms, (question,), limit, nothing)[0]


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
    P.add_argument("files", nargs="*")
    P.add_argument("--terms", action="store_true")
    P.add_argument("--limit", type=float)
    P.add_argument("--jobs", type=int, default=1)
    P.add_argument("--srbench", action="store_true")
    P.add_argument("--quiet", action="store_true")
    o = P.parse_args()
    if o.terms == bool(o.files):
        P.error("give files, or --terms")
    if o.terms:
        for line in sys.stdin:
            print(json.dumps(dict(result=judge_terms(json.loads(line), o.limit or 60.0))), flush=True)
        return
    limit = o.limit or 30.0
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
                verdicts[key] = judge(equation, run["expression"], limit, o.srbench)
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
