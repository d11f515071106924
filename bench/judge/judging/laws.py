"""Laws with their variables' ranges, of any sign and magnitude."""
import math
import random

import mpmath
import sympy as sp

from .formulas import NotReal, function, parse

# Rows whose target is beyond what 32 bits hold are drawn again, as bench/laws/data.ts does.
LARGEST = 3.4028234663852886e38
# The square of a number of a law has more digits than the number: in double precision it would be another.
DIGITS = 60
# More draws than these for each row, and the law has no values on its ranges.
DRAWS = 400


class Law:
    """A law as bench/laws states it: formula, parameters, and how its variables are drawn."""
    # Ranges go over decades: what is small beside the largest value need not be small beside the others.
    wide = True

    def __init__(self, formula, variables, parameters=None):
        self.text = formula
        self.variables_given = variables
        self.symbols = {v["name"]: symbol(v) for v in variables}
        self.variables = list(self.symbols.values())
        # A parameter may have any sign: what SymPy may assume of it is nothing.
        self.parameters = {name: sp.Symbol(name, real=True) for name in parameters or {}}
        self.values = dict(parameters or {})
        self.truth = parse(formula, {**self.symbols, **self.parameters}, DIGITS)

    def parse(self, text):
        return parse(text, self.symbols)

    def points(self, count, draw):
        """Rows as the set draws them, on which the law is real and finite; `draw` gives uniform numbers in [0, 1)."""
        values = {symbol: self.values[name] for name, symbol in self.parameters.items()}
        law = function(self.variables, self.truth.subs(values))
        found = []
        for _ in range(DRAWS * count):
            row = [at(v, draw) for v in self.variables_given]
            try:
                good = abs(law(row)) <= LARGEST
            except NotReal:
                good = False
            if good:
                found.append(row)
                if len(found) == count:
                    return found
        raise NotReal("the law is not real on its ranges")


def symbol(variable):
    low, kind = variable["low"], variable["kind"]
    positive = not kind.startswith("+-") and not kind.startswith("-") and low > 0
    return sp.Symbol(variable["name"], positive=True) if positive else sp.Symbol(variable["name"], real=True)


def at(variable, draw):
    """A value of a variable. Whole numbers and grids come as any numbers between: a law is one everywhere."""
    low, high, kind = mpmath.mpf(variable["low"]), mpmath.mpf(variable["high"]), variable["kind"]
    plain = kind.lstrip("+-")
    u, sign = mpmath.mpf(draw()), -1 if kind[0] == "-" or (kind[:2] == "+-" and draw() < 0.5) else 1
    # Measured columns over more than a decade and a half are looked at evenly on the logarithmic scale, every other time.
    wide = plain == "data" and low > 0 and high > 30 * low and draw() < 0.5
    return sign * (low * (high / low) ** u if plain == "log" or wide else low + (high - low) * u)


def rows(law, count, seed=1):
    """Rows in double precision, the same for every call."""
    draw = random.Random(seed)
    return [[float(x) for x in row] for row in law.points(count, draw.random)]


def magnitude(values):
    return math.sqrt(sum(v * v for v in values) / len(values))
