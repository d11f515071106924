"""Whether expressions are the law of a set of bench/laws.

    python3 bench/judge/laws.py < questions

Each line of standard input is {judging, formula, parameters, noise, variables, expression, limit}, each line of standard output
{"result": {law, kind, reason}}. `judging` (docs/adr/0026):

  normalised  the difference or the ratio to the law is a constant, numbers right to three significant digits, as judge.py
              decides it; with noise, the same form with other values of the numbers as well
  equal       the same without a factor or a shift
  family      the same family of functions: judging/family.py

Every expression is judged in a process of its own that has `limit` seconds. Needs SymPy (1.14), mpmath and NumPy.
"""
import json
import random
import sys

sys.dont_write_bytecode = True  # no folders of compiled files in the repository

import sympy as sp

from judge import limited, told
from judging import family, identity
from judging.laws import Law

KINDS = (family.LAW, family.MORE, family.SPECIAL, family.OTHER)


def skeleton(law):
    """The law with a number before it and one in place of each of its own decimal numbers."""
    form, symbols, values = family.numbers(law.truth, whole=False)
    names = {"b_0": 1.0, **{"b_%d" % (k + 1): v for k, v in enumerate(values)}}
    out = Law(law.text, law.variables_given)
    out.parameters = {name: sp.Symbol(name, real=True) for name in names}
    out.values = names
    own = [out.parameters["b_%d" % (k + 1)] for k in range(len(values))]
    out.truth = out.parameters["b_0"] * form.subs(dict(zip(symbols, own)))
    return out


def by_identity(law, expression, modes):
    answer = identity.decide(law, expression, modes)
    return dict(law=answer["recovered"], kind=family.LAW if answer["recovered"] else family.OTHER,
                reason=answer["reason"])


def answer(send, question):
    law = Law(question["formula"], question["variables"], question["parameters"])
    try:
        expression = law.parse(question["expression"])
    except Exception as error:  # whatever SymPy makes of a text that is no formula
        return send(dict(law=False, kind=family.OTHER, reason=told(error)))
    if question["judging"] == "family":
        return send(family.decide(law, expression))
    # What no row in double precision can show is no part of the law: in some physical units a term is 1e-19 of its sum.
    law.truth = identity.without_rounding_residue(law.truth, law, law.points(20, random.Random(1).random))
    if expression.has(*family.GUARDS):
        return send(dict(law=False, kind=family.OTHER, reason="a guard is part of it"))
    modes = ("difference", "ratio") if question["judging"] == "normalised" else ("equal",)
    verdict = by_identity(law, expression, modes)
    send(verdict)
    if not verdict["law"] and question["noise"] > 0:
        other = family.decide(skeleton(law), expression)
        send(other if other["law"] else dict(verdict, kind=other["kind"]))


def judged(question):
    """The verdict on one expression, a dict."""
    limit = question.get("limit", 30.0)
    if not question["expression"]:
        return dict(law=False, kind=family.OTHER, reason="no expression")
    nothing = dict(law=False, kind=family.OTHER, reason="no decision in %g s" % limit)
    verdict, late = limited(answer, (question,), limit, nothing)
    if verdict is nothing and not late:
        raise RuntimeError("the judge failed on %(expression)s against %(formula)s" % question)
    return verdict


def main():
    for line in sys.stdin:
        print(json.dumps(dict(result=judged(json.loads(line)))), flush=True)


if __name__ == "__main__":
    main()
