"""Whether an expression has the law's terms: the same set of addends, whatever their coefficients.

Before the comparison the expression is put in a canonical form: addends below a thousandth of the sum they stand in (root mean
squares over rows of data) are left out, factors that vary by less than that become constants, numbers inside sin and cos
go to the nearest integer or multiple of pi/2 where they are within a hundredth of it, products are multiplied out. The
coefficients of the addends are free, and so is an additive constant.
"""
import warnings

import numpy as np
import sympy as sp

SMALL = 1e-3
NEAR = 1e-2
# A longer expression is compared as it is written: SymPy's rearrangements would come to no end.
LONG = 1500


def root_mean_square(values):
    return np.sqrt(np.mean(values**2))


def snapped(argument):
    """The argument of a sine or cosine with its numbers at the nearest integers, the additive one at a multiple of pi/2."""
    out = sp.Integer(0)
    for term in sp.Add.make_args(sp.expand(argument)):
        number, rest = term.as_coeff_Mul()
        if rest == 1:
            quarters = round(float(2 * number / sp.pi))
            near = abs(float(number) - quarters * np.pi / 2) < NEAR
            out += sp.Rational(quarters, 2) * sp.pi if near else number
        else:
            whole = round(float(number))
            near = whole != 0 and abs(float(number) - whole) < NEAR * max(1, abs(float(number)))
            out += (sp.Integer(whole) if near else number) * rest
    return out


def canonical(expression, symbols, columns):
    """The canonical form on rows of data; `columns` has one array for each symbol."""
    rows = len(columns[0])

    def values(e):
        found = sp.lambdify(symbols, e, "numpy")(*columns)
        return np.broadcast_to(np.asarray(found, dtype=float), (rows,))

    def walk(e):
        if e.is_Number or e.is_Symbol or not e.free_symbols:
            return e
        at = values(e)
        if np.all(np.isfinite(at)) and np.std(at) < SMALL * abs(np.mean(at)):
            return sp.Float(float(np.mean(at)))
        parts = [walk(a) for a in e.args]
        if e.is_Add:
            least = SMALL * root_mean_square(at)
            return sp.Add(*[part for part, a in zip(parts, e.args) if not root_mean_square(values(a)) < least])
        if isinstance(e, (sp.sin, sp.cos)):
            return e.func(snapped(parts[0]))
        if e.is_Pow and parts[1].is_Number and not parts[1].is_Rational:
            power = sp.nsimplify(parts[1], rational=True, tolerance=SMALL)
            if power.q <= 2:
                parts[1] = power
        if isinstance(e, sp.Abs):
            inner = values(e.args[0])
            if np.all(inner >= 0):
                return e.args[0]
            if np.all(inner <= 0):
                return -e.args[0]
        return e.func(*parts)

    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(2):  # what is left out may make more negligible
            expression = walk(expression)
            powers = sp.powdenest(sp.expand(expression), force=True)
            expression = walk(sp.expand(sp.expand_power_base(powers, force=True)))
        return sp.expand(expression)


def terms(expression):
    """The addends without their coefficients; a constant is none."""
    found = set()
    for addend in sp.Add.make_args(sp.expand(expression)):
        _, rest = addend.as_coeff_Mul()
        factors = sp.Mul(*[f for f in sp.Mul.make_args(rest) if f.free_symbols])
        if factors != 1:
            found.add(sp.expand_power_base(factors, force=True))
    return found


def same(expression, law, symbols, columns):
    """Whether some way to write the expression has the law's terms."""
    wanted = terms(law)
    ways = [lambda: expression,
            lambda: sp.cancel(sp.together(sp.nsimplify(expression, rational=True))),
            lambda: sp.simplify(expression)]
    for way in ways[:1] if len(str(expression)) > LONG else ways:
        if terms(canonical(way(), symbols, columns)) == wanted:
            return True
    return False
