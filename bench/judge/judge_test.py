"""Planted expressions that the judge must accept or refuse: python bench/judge/judge_test.py"""
import sys
import time

import numpy as np
import sympy

sys.dont_write_bytecode = True

import judge
from judging import formulas

YES, FORM, NO = "recovered", "form only", "no"

# (table, equation, expression, verdict)
CASES = [
    # the truth, written otherwise
    ("feynman", "I.12.2", "q1*q2/(4*pi*Symbol('epsilon')*r**2)", YES),
    ("feynman", "I.12.2", "0.0796*q1*q2/(Symbol('epsilon')*r**2)", YES),
    ("feynman", "I.12.2", "0.07957747154594767*(q1/r)*(q2/r)/Symbol('epsilon') + 0.25", YES),
    ("feynman", "I.12.2", "3.1*q1*q2/(epsilon*r**2)", YES),  # a factor is free
    ("feynman", "I.12.2", "exp(log(q1) + log(q2) - log(epsilon) - 2*log(r))", YES),
    ("feynman", "I.8.14", "sqrt(x1**2 + x2**2 + y1**2 + y2**2 - 2*x1*x2 - 2*y1*y2)", YES),
    ("feynman", "I.8.14", "Abs(x1 - x2)*sqrt(1 + ((y1 - y2)/(x1 - x2))**2)", YES),
    ("feynman", "I.8.14", "sqrt(1.0003*(x2-x1)**2 + 0.9998*(y2-y1)**2)", YES),
    ("feynman", "I.6.2a", "0.39894228*exp(-0.5*theta**2)", YES),
    ("feynman", "I.6.2a", "exp(-0.9189385*1 - 0.50004*theta**2)", YES),
    ("feynman", "I.6.2a", "0.399*exp(-(0.707*theta)**2)", YES),  # 0.707 is 1/sqrt(2) to three digits
    ("feynman", "I.6.2", "exp(-0.5*theta**2/sigma**2 - log(sigma))", YES),
    ("feynman", "I.6.2b", "0.3989*sqrt(exp(-(theta - theta1)**2/sigma**2))/sigma", YES),
    ("feynman", "I.26.2", "asin(n*sin(theta2))", YES),
    ("feynman", "I.26.2", "1.5707963267948966 - acos(n*sin(theta2))", YES),
    ("feynman", "I.26.2", "atan(n*sin(theta2)/sqrt(1 - n**2*sin(theta2)**2))", YES),
    ("feynman", "I.30.5", "1.5708 - acos(lambd/(n*d))", YES),
    ("feynman", "I.44.4", "n*kb*T*(log(V2) - log(V1))", YES),
    ("feynman", "I.44.4", "2*n*kb*T*log(sqrt(V2/V1)) - 7.5", YES),
    ("feynman", "I.44.4", "1.0002*n*kb*T*log(V2) - 0.9997*n*kb*T*log(V1)", YES),
    ("feynman", "I.10.7", "m_0*c/sqrt((c - v)*(c + v))", YES),
    ("feynman", "I.15.3x", "c*(x - u*t)/sqrt(c**2 - u**2)", YES),
    ("feynman", "I.16.6", "c**2*(u + v)/(c**2 + u*v)", YES),
    ("feynman", "I.18.4", "r2 + m1*(r1 - r2)/(m1 + m2)", YES),
    ("feynman", "I.29.16", "sqrt((x1 - x2)**2 + 4*x1*x2*sin(0.5*theta1 - 0.5*theta2)**2)", YES),
    ("feynman", "I.34.14", "omega_0*sqrt((c + v)/(c - v))", YES),
    ("feynman", "I.41.16", "omega**3*h/(exp(0.159*h*omega/(kb*T)) - 1)/c**2", YES),
    ("feynman", "I.50.26", "x1*cos(omega*t)*(1 + alpha*cos(omega*t))", YES),
    ("feynman", "II.35.18", "n_0/cosh(mom*B/(kb*T))", YES),
    ("feynman", "II.35.21", "n_rho*mom*(1 - 2/(exp(2*mom*B/(kb*T)) + 1))", YES),
    ("feynman", "II.6.15b", "p_d*sin(2*theta)/(epsilon*r**3)", YES),
    ("feynman", "III.8.54", "0.5 - 0.5*cos(12.566*E_n*t/h)", YES),
    ("feynman", "III.8.54", "0.5001 - 0.4998*cos(12.57*E_n*t/h)", YES),
    ("feynman", "III.15.12", "U*sin(0.5*k*d)**2", YES),
    ("feynman", "III.9.52", "p_d*Ef*t/h*(sin(t*(omega - omega_0)/2)/(t*(omega - omega_0)))**2", YES),
    ("feynman", "II.24.17", "sqrt((omega/c - pi/d)*(omega/c + pi/d))", YES),
    ("feynman", "II.24.17", "sqrt(omega**2/c**2 - 9.87/d**2)", YES),
    ("feynman", "III.14.14", "I_0*exp(q*Volt/(kb*T)) - I_0", YES),
    ("feynman", "II.13.17", "0.159*I/(Symbol('epsilon')*c**2*r)", YES),  # I is a variable here, not the unit
    ("feynman", "I.11.19", "1.0*x1*y1 + 1.001*x2*y2 + 0.9998*x3*y3 + 0.013", YES),
    ("feynman", "I.11.19", "x1*y1 + x2*y2 + x3*y3 + 3.1e-14*x1**2", YES),  # rounding errors of least squares
    ("paper", "sim1", "x0**2 - 1.0*x1 + 0.5*x2**2 + 0.1", YES),
    ("paper", "sim2", "3*sin(x0 + x1) + 3*sin(x0 - x1)", YES),
    ("paper", "CPE", "G*m1*m2*(r1 - r2)/(r1*r2)", YES),
    # close approximations
    ("feynman", "I.26.2", "n*sin(theta2) + 0.1693*(n*sin(theta2))**3", NO),
    ("feynman", "I.26.2", "n*sin(theta2) + (n*sin(theta2))**3/6 + 3*(n*sin(theta2))**5/40", NO),
    ("feynman", "I.10.7", "m_0*(1 + 0.5*v**2/c**2 + 0.375*v**4/c**4)", NO),
    ("feynman", "I.10.7", "m_0*(1 + 0.5*v**2/c**2 + 0.375*v**4/c**4 + 0.3125*v**6/c**6 + 0.2734*v**8/c**8)", NO),
    ("feynman", "II.11.28", "1 + n*alpha*(1 + 0.333*n*alpha + 0.1111*(n*alpha)**2)", NO),
    ("feynman", "II.11.28", "exp(n*alpha)", NO),
    ("feynman", "I.6.2a", "0.3989*exp(-0.5*theta**2.02)", FORM),
    ("feynman", "II.35.21", "n_rho*mom", NO),
    ("feynman", "I.30.3", "Int_0*n**2", NO),
    ("feynman", "III.14.14", "I_0*exp(q*Volt/(kb*T))", NO),
    ("feynman", "II.35.18", "n_0*exp(-mom*B/(kb*T))", NO),
    # spurious small terms
    ("feynman", "I.12.1", "mu*Nn + 0.0001*mu", NO),
    ("feynman", "I.12.1", "mu*Nn + 1e-5*sin(Nn)", NO),
    ("feynman", "I.12.1", "1.0001*mu*Nn + 1e-7*mu**2 - 0.0003", NO),
    ("feynman", "I.8.14", "sqrt((x2-x1)**2 + (y2-y1)**2 + 0.0001*x1)", NO),
    ("feynman", "I.44.4", "n*kb*T*log(V2/V1) + 2e-6*n", NO),
    # wrong constants, and shift and scale at once
    ("feynman", "I.6.2a", "0.4*exp(-0.51*theta**2)", FORM),
    ("feynman", "I.50.26", "x1*(cos(1.003*omega*t) + alpha*cos(1.003*omega*t)**2)", YES),  # 1.00 to three digits
    ("feynman", "I.50.26", "x1*(cos(1.006*omega*t) + alpha*cos(1.006*omega*t)**2)", FORM),
    ("feynman", "III.8.54", "cos(12.566*E_n*t/h)", FORM),  # takes a shift and a scale
    ("feynman", "II.24.17", "sqrt(omega**2/c**2 - 9.8/d**2)", FORM),
    ("feynman", "I.11.19", "x1*y1 + 1.02*x2*y2 + x3*y3", FORM),
    ("feynman", "I.12.1", "0.97*mu*Nn + 0.2", FORM),
    ("feynman", "I.39.11", "pr*V/(gamma - 0.99)", FORM),
    ("feynman", "I.39.11", "pr*V/(gamma - 1.0)", YES),
    # cancelling large terms: every constant is within rounding, the whole is not
    ("feynman", "II.37.1", "1004.0*mom*B*(1 + chi) - 1003.1*mom*B*chi - 1003.3*mom*B", FORM),
    ("feynman", "II.37.1", "1004.0*mom*B*(1 + chi) - 1003.1*mom*B*chi - 1004.5*mom*B", NO),
    # other functions
    ("feynman", "I.12.1", "mu + Nn", NO),
    ("feynman", "I.12.1", "3.7", NO),
    ("feynman", "I.12.1", "mu*Nn*x", NO),
    ("feynman", "I.12.1", "mu*log(-Nn)", NO),
    ("feynman", "I.12.1", "", NO),
    ("feynman", "I.12.1", "mu*Nn +", NO),
    ("feynman", "I.25.13", "q/(C + 0.001)", NO),
    ("paper", "CPE", "G*m1*m2*(1/r2 - 1.01/r1)", FORM),
    ("paper", "ADA", "beta*(1 + alpha*sin(theta + 1.5708))", YES),
    ("paper", "FTC", "kappa*T2*A/d", NO),
]

# (law, expression, whether its terms are the law's); x0, x1, x2 on [1, 3]
TERMS = [
    ("x0^2 - x1 + 0.5*x2^2", "3.1*x0**2 + x1 + 7*x2**2 + 4", True),  # coefficients are free
    ("x0^2 - x1 + 0.5*x2^2", "x0**2 - x1 + 0.5*x2**2 + 1e-5*x0*x1", True),  # a term that adds nothing
    ("x0^2 - x1 + 0.5*x2^2", "x0**2 - x1 + 0.5*x2**2 + 0.1*x0*x1", False),
    ("x0^2 - x1 + 0.5*x2^2", "x0**2 + 0.5*x2**2", False),
    ("x0*x1*(1/x2 - 1)", "2*x0*x1/x2 - 3*(x1*x0)", True),  # products are multiplied out
    ("x0*x1*(1/x2 - 1)", "x0*x1*(1 - x2)/x2", True),
    ("x0*x1*(1/x2 - 1)", "x0*(1/x2 - 1)", False),
    ("6*sin(x0)*cos(x1)", "5.9*sin(1.003*x0)*cos(x1)", True),  # numbers inside of functions go to integers near them
    ("6*sin(x0)*cos(x1)", "6*cos(x0 - 1.5708)*cos(x1)", True),
    ("6*sin(x0)*cos(x1)", "6*sin(1.1*x0)*cos(x1)", False),
    ("x0*(1 + x1*cos(x2))", "Abs(x0)*(1 + mul(x1, Cos(x2)))", True),
    ("x0*(x2 - 1)/x1", "(x0*x2 - x0)/(x1 + 1e-9)", True),
    ("x0*x1/(4*pi)", "", False),
    ("x0*x1/(4*pi)", "x0*x1 +", False),
    ("x0*x1/(4*pi)", "x0*x7", False),
]


def wrong_terms():
    """Planted expressions that the judge of terms takes for what they are not."""
    rows = np.random.default_rng(1).uniform(1, 3, (3, 200)).tolist()
    count = 0
    for law, text, wanted in TERMS:
        verdict = judge.judge_terms(dict(law=law, expression=text, columns=rows))
        if verdict["structural"] != wanted:
            count += 1
            print("WRONG terms of %s against %s: wanted %s, judged %s" % (text, law, wanted, verdict))
    stopped = judge.judge_terms(dict(law="x0", expression="x0", columns=rows), limit=0.0)
    if stopped["structural"]:
        count += 1
        print("WRONG: stopped at once, judged %s" % stopped)
    return count


def main():
    tables = {name: formulas.load(name) for name in formulas.TABLES}
    wrong, slowest = 0, (0.0, "")
    # Every truth is itself, and with another factor or term it still is; with a small spurious term it is not.
    cases = list(CASES)
    if "--all" in sys.argv:
        for table, equations in tables.items():
            for name, equation in equations.items():
                first = list(equation.symbols)[0]
                cases += [(table, name, equation.text, YES), (table, name, "1.7*(%s)" % equation.text, YES),
                          (table, name, "(%s) - 2.5" % equation.text, YES),
                          (table, name, str(sympy.N(sympy.expand(equation.truth), 17)), YES),
                          (table, name, "(%s)*(1 + 0.0001*%s)" % (equation.text, first), NO)]
    for table, name, text, wanted in cases:
        started = time.perf_counter()
        verdict = judge.judge(tables[table][name], text)
        seconds = time.perf_counter() - started
        slowest = max(slowest, (seconds, name + ": " + text))
        given = YES if verdict["recovered"] else FORM if verdict["form"] else NO
        if given != wanted:
            wrong += 1
        if given != wanted or "--show" in sys.argv:
            print("%s %s %s: wanted %s, judged %s (%s: %s), %.1f s" % (
                "ok   " if given == wanted else "WRONG", name, text, wanted, given, verdict["rule"], verdict["reason"],
                seconds))
    # What comes to no end has no verdict by SRBench's rule either, and is not asked again.
    stopped = judge.judge(tables["feynman"]["I.12.1"], "mu*Nn", limit=0.0, srbench=True)
    if not stopped.get("late") or stopped.get("srbench", True) is not None:
        wrong += 1
        print("WRONG: stopped at once, judged %s" % stopped)
    wrong += wrong_terms()
    print("%d cases, %d wrong; slowest %.1f s, %s" % (len(cases) + len(TERMS), wrong, *slowest))
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
