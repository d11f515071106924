"""Planted expressions that the judge of bench/laws must accept or refuse: python3 bench/judge/laws_test.py [--show] [--all]

With --all every law of every set, its numbers in place, must be itself."""
import glob
import json
import os
import re
import sys
import time

sys.dont_write_bytecode = True

import laws

LAW, MORE, SPECIAL, OTHER = laws.KINDS


def variable(name, low, high, kind="data"):
    return dict(name=name, low=low, high=high, kind=kind)


# (law, its parameters, variables, noise, judging)
MENTEN = ("b1*x/(b2+x)", dict(b1=212.684, b2=0.064121), [variable("x", 0.02, 1.1)], 0, "family")
POWER = ("b1*x**b2", dict(b1=0.76886226, b2=3.86040559), [variable("x", 1.309, 1.904)], 0, "family")
RISE = ("b1*(1-exp(-b2*x))", dict(b1=238.94212918, b2=0.00055015643181), [variable("x", 77.6, 760)], 0, "family")
MISRA_B = ("b1*(1-(1+b2*x/2)**(-2))", dict(b1=337.99746163, b2=0.00039039091287), [variable("x", 77.6, 760)], 0, "family")
MISRA_C = ("b1*(1-(1+2*b2*x)**(-0.5))", dict(b1=636.42725809, b2=0.00020813627256), [variable("x", 77.6, 760)], 0, "family")
ANTOINE = ("exp(b1-b2/(x+b3))", dict(b1=17.8077, b2=6920.21, b3=262.623), [variable("x", 0, 360)], 0, "family")
CONE = ("b1*g**2*h", dict(b1=0.0021081), [variable("g", 8.3, 20.6), variable("h", 63, 87)], 0, "family")
GRAVITY = ("b1*m1*m2/r**2", dict(b1=6.54662e-11),
           [variable("r", 1e9, 1e15), variable("m1", 1e22, 1e30), variable("m2", 1e22, 1e30)], 0, "family")
SUM = ("b1*exp(-b2*x)+b3*exp(-b4*x)+b5*exp(-b6*x)",
       dict(b1=0.086816414977, b2=0.95498101505, b3=0.84400777463, b4=2.9515951832, b5=1.5825685901, b6=4.9863565084),
       [variable("x", 0, 1.15)], 0, "family")
CHWIRUT = ("exp(-b1*x)/(b2+b3*x)", dict(b1=0.16657666537, b2=0.0051653291286, b3=0.012150007096),
           [variable("x", 0.5, 6)], 0, "family")
LOGISTIC = ("b1/(1+exp(b2-b3*x))", dict(b1=72.46, b2=2.618, b3=0.06736), [variable("x", 9, 79)], 0, "family")
WAVE = ("b1+b2*cos(2*pi*x/12)+b3*sin(2*pi*x/12)", dict(b1=10.6, b2=3.0, b3=0.5), [variable("x", 1, 168)], 0, "family")
DRIFT = ("mu*q*V/d", {}, [variable("mu", 1e-6, 1e-4, "+-log"), variable("q", 1e-11, 1e-9, "+-log"),
                          variable("V", 0.1, 10, "+-log"), variable("d", 1e-3, 0.1, "log")], 0, "normalised")
FIELD = ("sigma/8.854e-12*1/(1+chi)", {}, [variable("sigma", 1e-3, 0.1, "+-log"), variable("chi", 1, 100, "log")], 0, "normalised")
LENS = ("1/(1/d1+n/d2)", {}, [variable("d1", 1e-3, 0.1, "log"), variable("n", 0.1, 10, "log"),
                              variable("d2", 1e-3, 0.1, "log")], 0, "normalised")
DOPPLER = ("(1+v/2.99792458e8)/sqrt(1-v**2/2.99792458e8**2)*w", {},
           [variable("v", 1e6, 1e8, "+-log"), variable("w", 1e9, 1e11, "log")], 0, "normalised")
NOISY_DRIFT, NOISY_FIELD = (*DRIFT[:3], 0.01, DRIFT[4]), (*FIELD[:3], 0.01, FIELD[4])
COULOMB = ("q1*r/(4*pi*8.854e-12*r**3)", {}, [variable("q1", 0.1, 10, "+-log"), variable("r", 0.1, 10, "log")], 0.01, "normalised")
GROWTH = ("213.80940889*(1-exp(-0.54723748542*x))", {}, [variable("x", -50, 50, "lin")], 0, "equal")
NGUYEN = ("x**3+x**2+x", {}, [variable("x", -1, 1, "lin")], 0, "equal")
JIN = ("2.5*x**4-1.3*x**3+0.5*y**2-1.7*y", {}, [variable("x", -3, 3, "lin"), variable("y", -3, 3, "lin")], 0, "equal")

# (problem, expression, kind)
CASES = [
    # other ways to write the law
    (MENTEN, "212.68*x/(0.064121 + x)", LAW),
    (MENTEN, "1/(0.0003015/x + 0.004702)", LAW),
    (MENTEN, "212.7 - 13.64/(x + 0.0641)", MORE),  # 212.7*0.0641 is not 13.64: a third number
    (MENTEN, "200 - 200*0.064/(x + 0.064)", LAW),
    (MENTEN, "3317*x/(1 + 15.6*x)", LAW),
    (MENTEN, "exp(5.36 - log(1 + 0.0641/x))", LAW),
    (POWER, "0.77*x**3.86", LAW),
    (POWER, "exp(-0.2629 + 3.86*log(x))", LAW),
    (POWER, "(0.9345*x)**3.87", LAW),
    (POWER, "sqrt(0.59*x**7.72)", LAW),
    (RISE, "238.94*(1 - exp(-0.00055*x))", LAW),
    (RISE, "238.94 - 238.94*exp(-0.00055*x)", LAW),
    (RISE, "-238.9*expm*(1)", OTHER),  # no formula
    (RISE, "477.88*exp(-0.000275*x)*(exp(0.000275*x) - exp(-0.000275*x))/2", LAW),
    (MISRA_B, "338 - 338/(1 + 0.000195*x)**2", LAW),
    (MISRA_B, "338*(1 - (x/5123 + 1)**(-2))", LAW),
    (MISRA_C, "636.4 - 636.4/sqrt(1 + 0.000416*x)", LAW),
    (MISRA_C, "636.4*(1 - 1/sqrt(1 + x/2402.3))", LAW),
    (ANTOINE, "exp(17.8 - 6920/(x + 262.6))", LAW),
    (ANTOINE, "exp((17.8*x - 2250)/(x + 262.6))", LAW),
    (ANTOINE, "5.4e7*exp(-6920/(262.6 + x))", LAW),
    (CONE, "0.00212*(g**2*h)", LAW),
    (CONE, "exp(2*log(g) + log(h) - 6.15)", LAW),
    (CONE, "(0.046*g)**2*h", LAW),
    (GRAVITY, "6.7e-11*(m1*m2/r**2)", LAW),
    (GRAVITY, "exp(log(m1) + log(m2) - 2*log(r) - 23.4)", LAW),
    (GRAVITY, "1/(1.49e10*(r/m1)*(r/m2))", LAW),
    (SUM, "1.6*exp(-5.0*x) + 0.83*exp(-2.9*x) + 0.09*exp(-0.96*x)", LAW),
    (CHWIRUT, "1/(exp(0.167*x)*(0.0052 + 0.0121*x))", LAW),
    (CHWIRUT, "82.3*exp(-0.167*x)/(0.425 + x)", LAW),
    (LOGISTIC, "72.5/(1 + 13.7*exp(-0.0674*x))", LAW),
    (LOGISTIC, "36.25 + 36.25*tanh(0.0337*x - 1.309)", LAW),
    (LOGISTIC, "1/(0.0138 + 0.189*exp(-0.0674*x))", LAW),
    (WAVE, "10.6 + 3.04*sin(0.5235987755982988*x + 1.41)", LAW),  # pi/6 in digits
    (WAVE, "10.6 + 3.04*sin(0.5236*x + 1.41)", MORE),  # the period is a number here, exact in the law
    (WAVE, "10.6 + 3.04*sin(pi*x/6 + 1.41)", LAW),
    # numbers that are stated exactly
    (RISE, "239*(1 - exp(-x/98))", LAW),
    (MENTEN, "200*x/(x + 1/16)", LAW),
    (MENTEN, "1/(sqrt(2*pi)/8000/x + 1/210)", LAW),
    (ANTOINE, "exp(18 - 6920/(x + 262))", LAW),
    (CONE, "g**2*h/475", LAW),
    # special cases
    (POWER, "0.77*x**4", SPECIAL),
    (POWER, "0.72*(x**2)**2", SPECIAL),
    (POWER, "1.3*x**2.5", SPECIAL),
    (POWER, "0.77*sqrt(x)*x**3", SPECIAL),
    (MENTEN, "212.7*x/(x + 1)", SPECIAL),  # 1 is a unit, no number
    (RISE, "239*(1 - exp(-x))", SPECIAL),
    (ANTOINE, "exp(17.8 - 6920/(x + 1))", SPECIAL),
    (WAVE, "10.6 + 3.04*sin(pi*x/6)", SPECIAL),
    (ANTOINE, "exp(17.8 - 6920/x)", SPECIAL),  # an offset of zero
    (SUM, "1.6*exp(-5.0*x) + 0.91*exp(-2.7*x)", SPECIAL),
    # the law and more
    (RISE, "239.1 - 238.2*exp(-0.00055*x)", MORE),
    (MENTEN, "212.68*x/(0.064121 + x) + 0.3", MORE),
    (MENTEN, "212.68*x**1.01/(0.064 + x**1.01)", MORE),
    (POWER, "0.77*x**3.86 + 0.002", MORE),
    (CONE, "0.00212*(g**2*h) + 0.05", MORE),
    (CONE, "0.00212*g**2.01*h", MORE),
    (ANTOINE, "exp(17.8 - 6920/(x + 262.6)) + 1.2", MORE),
    # other functions, however close
    (POWER, "(2.104 - sqrt(2*pi)*cos(x))**2", OTHER),
    (RISE, "0.1314*x - 0.0000361*x**2 + 6.6e-9*x**3", OTHER),
    (RISE, "338*(1 - (1 + 0.0001952*x)**(-2))", OTHER),
    (MISRA_C, "437.4*0.0003023*x/(1 + 0.0003023*x)", OTHER),
    (MENTEN, "34.5*log(x) + 206.5", OTHER),
    (CONE, "0.00212*g*h**2", OTHER),
    (GRAVITY, "6.7e-11*m1*m2/r", OTHER),
    (SUM, "1.6*exp(-5.0*x) + 0.91/(1 + x)**2.7", OTHER),
    (LOGISTIC, "72.5*exp(-2.6*exp(-0.04*x))", OTHER),
    (LOGISTIC, "12.5", OTHER),
    (LOGISTIC, "", OTHER),
    # physical units, without noise: the formula, a factor or a shift free, numbers to three digits
    (DRIFT, "V*mu*(q/d)", LAW),
    (DRIFT, "1.7*mu*q*V/d", LAW),
    (DOPPLER, "w*sqrt(2*v/(299792458 - v) + 1)", LAW),  # a whole number has no digits that could make up for others
    (DOPPLER, "w*sqrt(2*v/(299782458 - v) + 1)", OTHER),
    (GROWTH, "213.80940889*(1 - exp(-0.54723748542*x))", LAW),  # the first number is 1e-12 of the values
    (DRIFT, "mu*q*V/d + 3e-16*V", OTHER),
    (DRIFT, "mu*q*V/(d + 1e-6)", OTHER),
    (DRIFT, "mu*q*V/Max(d, 1e-6)", OTHER),
    (FIELD, "1.129e11*sigma/(1 + chi)", LAW),
    (FIELD, "sigma/(8.854e-12 + 8.851e-12*chi)", LAW),
    (FIELD, "1.129e11*sigma/(1.01 + chi)", OTHER),
    (LENS, "d1*d2/(d2 + n*d1)", LAW),
    (LENS, "d1*d2/(d2 + 1.01*n*d1)", OTHER),
    # with noise: the same form
    (NOISY_DRIFT, "1.0003*mu*q*V/d", LAW),
    (NOISY_DRIFT, "1.0003*mu*q*V/d**1.01", MORE),
    (NOISY_DRIFT, "mu*q*V/d + 0.001*mu*q", OTHER),
    (NOISY_FIELD, "1.1e11*sigma/(1 + chi)", LAW),
    (NOISY_FIELD, "1.1e11*sigma/(1.02 + chi)", MORE),
    (NOISY_FIELD, "1.1e11*sigma/chi", OTHER),
    (COULOMB, "9.01e9*q1/r**2", LAW),
    (COULOMB, "9.01e9*q1/r**2 + 1e6*q1", MORE),
    (COULOMB, "9.01e9*q1/r", OTHER),
    # published problems of symbolic regression: the formula itself
    (NGUYEN, "x*(x*(x + 1) + 1)", LAW),
    (NGUYEN, "x**3 + x**2 + x + 0.5", OTHER),
    (NGUYEN, "2*(x**3 + x**2 + x)", OTHER),
    (NGUYEN, "x**3 + 0.9999*x**2 + 1.0001*x", LAW),
    (JIN, "2.5*x**4 - 1.3*x**3 + 0.5*y*(y - 3.4)", LAW),
    (JIN, "2.5*x**4 - 1.3*x**3 + 0.5*y**2 - 1.6*y", OTHER),
]


def own():
    """Every law of every set as an expression: its parameters' values in place of their names."""
    for file in sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../laws/sets/*.json"))):
        with open(file, encoding="utf8") as text:
            table = json.load(text)
        for case in table["cases"]:
            columns = {k: v for k, v in case.get("columns", {}).items() if k != case["target"]}
            variables = case.get("variables") or [variable(k, min(v), max(v)) for k, v in columns.items()]
            parameters = case.get("parameters", {})
            text = re.sub(r"\b\w+\b", lambda m: "(%r)" % float(parameters[m[0]]) if m[0] in parameters else m[0],
                          case["formula"])
            for noise in (0, 0.01) if "variables" in case else (0,):
                yield (case["formula"], parameters, variables, noise, table["judging"]), text, LAW


def main():
    wrong, slowest = 0, (0.0, "")
    cases = [*CASES, *(own() if "--all" in sys.argv else [])]
    for (formula, parameters, variables, noise, judging), text, wanted in cases:
        question = dict(formula=formula, parameters=parameters, variables=variables, noise=noise, judging=judging,
                        expression=text)
        started = time.perf_counter()
        verdict = laws.judged(question)
        seconds = time.perf_counter() - started
        slowest = max(slowest, (seconds, text))
        good = verdict["kind"] == wanted and verdict["law"] == (wanted == LAW)
        wrong += not good
        if not good or "--show" in sys.argv:
            print("%s %s against %s: wanted %s, judged %s (%s), %.1f s" % (
                "ok   " if good else "WRONG", text, formula, wanted, verdict["kind"], verdict["reason"], seconds))
    stopped = laws.judged(dict(formula="b1*x", parameters=dict(b1=2.0), variables=[variable("x", 1, 2)], noise=0,
                               judging="family", expression="2.0*x", limit=0.0))
    wrong += stopped["law"]
    print("%d cases, %d wrong; slowest %.1f s, %s" % (len(cases) + 1, wrong, *slowest))
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
