"""Equations, expressions, and their numerical values.

The variables of an equation are symbols that are positive: every range of the tables is.
"""
import json
import os

import mpmath
import sympy as sp
from sympy.parsing.sympy_parser import parse_expr

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "feynman")
TABLES = {"feynman": "equations.json", "paper": "paper.json"}

# Protected operations stand for the plain ones; other spellings are those of the systems that are compared.
FUNCTIONS = {
    "arcsin": sp.asin, "arccos": sp.acos, "arctan": sp.atan, "ln": sp.log, "plog": sp.log,
    "square": lambda a: a**2, "cube": lambda a: a**3, "pow2": lambda a: a**2, "pow3": lambda a: a**3,
    "inv": lambda a: 1 / a, "neg": lambda a: -a, "abs": sp.Abs, "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b,
    "abs2": lambda a: a**2, "Square": lambda a: a**2, "Cube": lambda a: a**3, "Recip": lambda a: 1 / a,
    "Sin": sp.sin, "Cos": sp.cos, "Exp": sp.exp, "Log": sp.log, "Sqrt": sp.sqrt,
}


def parse(text, symbols, digits=15):
    """The expression of a text over symbols by name. Integers are exact, decimal numbers are Floats of so many digits."""
    names = dict(FUNCTIONS, pi=sp.pi, Symbol=lambda name: symbols[name], Float=lambda number: sp.Float(number, digits), **symbols)
    expression = sp.sympify(parse_expr(text.replace("^", "**"), local_dict=names))
    strange = expression.free_symbols - set(symbols.values())
    if strange:
        raise ValueError("unknown names: %s" % ", ".join(sorted(map(str, strange))))
    if expression.has(sp.nan, sp.zoo, sp.oo, -sp.oo):
        raise ValueError("not a finite expression")
    return expression


class Equation:
    """A law: its name, its variables as symbols with their ranges, and the true formula."""

    def __init__(self, row):
        self.name, self.text = row["name"], row["formula"]
        self.symbols = {v["name"]: sp.Symbol(v["name"], positive=True) for v in row["variables"]}
        self.ranges = [(v["low"], v["high"]) for v in row["variables"]]
        assert all(low >= 0 for low, _ in self.ranges), "symbols are declared positive"
        self.variables = list(self.symbols.values())
        self.truth = self.parse(self.text)

    def parse(self, text):
        """The expression of a text. Decimal numbers are constants that were learned."""
        return parse(text, self.symbols)

    def points(self, count, random):
        """Rows uniform on the ranges; `random` gives uniform numbers in [0, 1)."""
        return [[low + (high - low) * mpmath.mpf(random()) for low, high in self.ranges] for _ in range(count)]


def load(table):
    with open(os.path.join(FOLDER, TABLES[table]), encoding="utf8") as file:
        return {row["name"]: Equation(row) for row in json.load(file)["equations"]}


class NotReal(ValueError):
    """An expression has no finite real value somewhere on the ranges."""


def real(value):
    """The real part of a number that is real up to rounding."""
    value = mpmath.mpmathify(value)
    if isinstance(value, mpmath.mpc):
        if abs(value.imag) > mpmath.mpf(10) ** (-mpmath.mp.dps // 2) * (1 + abs(value.real)):
            raise NotReal("not real on the ranges")
        value = value.real
    if not mpmath.isfinite(value):
        raise NotReal("not finite on the ranges")
    return value


def function(symbols, expression):
    """A function of lists of numbers, in the working precision of mpmath."""
    compiled = sp.lambdify([symbols], expression, modules="mpmath")

    def call(values):
        try:
            return real(compiled(values))
        except (ZeroDivisionError, OverflowError, TypeError) as error:
            raise NotReal(str(error)) from error
    return call
