"""Whether an expression is a law up to the values of its numbers, decided by numbers: docs/adr/0026.

The law L(x; t) and the expression C(x; c) are families of functions, c the decimal numbers of the expression as they were
fitted. The expression is the law if, near its numbers, both are one family:

  member   some t gives L(x; t) = C(x; c) to 1e-6 of its value on a dense grid of the range of the data;
  covers   for laws L(x; t') near by some c' gives C(x; c') = L(x; t') as well: an exact special case does not count;
  spare    and for numbers c' near by some t' gives L(x; t') = C(x; c'): no more freedom than the law has.

Where `covers` fails the expression is `special`, where `spare` fails it is `more` general than the law, and where it covers
the law and is no member, `more` as well: the law plus something. Any way to write the same functions counts.

Numbers are decimals, and constant factors and terms of other kinds but for 1: 8*n*T/V states the number 8. Exponents that are whole or
multiples of 1/2 or 1/3 belong to the form: x**4 is a special case of b1*x**b2. Decimals of equal size are one number. An expression with a guard
(Max, Min, Piecewise) is never a law.
"""
import mpmath
import numpy as np
import sympy as sp

from .laws import rows

POINTS = 160
MEMBER = 1e-6
# Largest share of the grid on which an expression may have no value: outside of the rows it was fitted to.
MISSING = 0.2
STEPS = 120
# A fit in doubles that ends below this is finished in many digits.
NEAR = 1e-2
DIGITS = 40
# How far numbers are moved, in turn, for `covers` and `spare`.
MOVED = (0.1, 0.03)
# Singular values below this, relative to the largest, belong to numbers that change nothing.
RANK = 1e-9
# Where more numbers than the law's agree with it to this, they are tied.
TIED = 1e-9

GUARDS = (sp.Max, sp.Min, sp.Piecewise)

LAW, MORE, SPECIAL, OTHER = "law", "more", "special", "other"


def exact_exponent(number):
    return any(abs(float(number) * k - round(float(number) * k)) < 1e-9 for k in (2, 3))


def exact(exponent):
    """A constant exponent as a fraction where it is one of halves or thirds; else None."""
    if exponent.is_Rational:
        return exponent
    if exponent.is_Float and exact_exponent(exponent):
        return sp.nsimplify(exponent, rational=True, tolerance=1e-9)
    return None


def numbers(expression, whole=True):
    """The expression with a symbol for every number, and the values of the symbols. Decimals of equal size are one number.

    whole: whether numbers that are no decimals count: constant factors, and constant terms, but for 1 and -1."""
    values = []

    def symbol(k):
        return sp.Symbol("c_%d" % k, positive=True)

    def name(value, shared=True):
        size = abs(float(value))
        for k, known in enumerate(values):
            if shared and abs(known - size) <= 1e-9 * max(known, size):
                return sp.sign(value) * symbol(k)
        values.append(size)
        return sp.sign(value) * symbol(len(values) - 1)

    def constant(value):
        if value.is_Float:
            return name(value) if value != 0 else sp.Integer(0)
        if not value.has(sp.Float) and (not whole or abs(value) == 1 or value == 0 or not value.is_real):
            return value
        if value.has(sp.Float):
            return value.func(*map(walk, value.args))
        return name(value, shared=False)

    def walk(e):
        if not e.free_symbols:
            return constant(e)
        if e.is_Mul or e.is_Add:
            free = [a for a in e.args if a.free_symbols]
            fixed = [a for a in e.args if not a.free_symbols and not a.has(sp.Float)]
            floats = [constant(a) for a in e.args if not a.free_symbols and a.has(sp.Float)]
            # A factor beside a decimal is no number of its own.
            rest = [e.func(*fixed)] if floats else [constant(e.func(*fixed))] if fixed else []
            return e.func(*map(walk, free), *floats, *rest)
        if e.is_Pow and exact(e.exp) is not None:
            return sp.Pow(walk(e.base), exact(e.exp))
        return e.func(*map(walk, e.args)) if e.args else e
    form = walk(expression)
    kept = [k for k in range(len(values)) if sp.Symbol("c_%d" % k, positive=True) in form.free_symbols]
    return form, [sp.Symbol("c_%d" % k, positive=True) for k in kept], [values[k] for k in kept]


class Family:
    """f(x; p) on a grid, with derivatives by p."""

    def __init__(self, variables, parameters, expression):
        self.arguments = [*variables, *parameters]
        self.expression, self.parameters = expression, parameters
        self.gradient = [sp.diff(expression, p) for p in parameters]
        self.f = sp.lambdify(self.arguments, expression, modules=["numpy"])
        self.df = [sp.lambdify(self.arguments, g, modules=["numpy"]) for g in self.gradient]

    def _at(self, f, grid, p):
        with np.errstate(all="ignore"):
            try:
                found = np.asarray(f(*(grid.T.astype(complex)), *p), dtype=complex)
            except (ZeroDivisionError, OverflowError, TypeError, ValueError):
                return np.full(len(grid), np.nan)
        found = np.broadcast_to(found, (len(grid),))
        real = np.abs(found.imag) <= 1e-9 * np.abs(found.real)
        return np.where(real, found.real, np.nan)

    def values(self, grid, p):
        return self._at(self.f, grid, p)

    def jacobian(self, grid, p):
        """By the numbers, a column for each."""
        return np.array([self._at(d, grid, p) for d in self.df]).T.reshape(len(grid), len(p))

    def finish(self, grid, target, weight, p):
        """Gauss-Newton steps in many digits."""
        mpmath.mp.dps = DIGITS
        f = sp.lambdify(self.arguments, self.expression, modules="mpmath")
        df = [sp.lambdify(self.arguments, g, modules="mpmath") for g in self.gradient]
        some = np.linspace(0, len(grid) - 1, min(len(grid), 6 * len(p) + 12)).astype(int)
        p = [mpmath.mpf(v) for v in p]
        points = [[mpmath.mpf(x) for x in grid[i]] for i in some]
        t, w = [mpmath.mpf(target[i]) for i in some], [mpmath.mpf(weight[i]) for i in some]
        unit = [abs(v) if v != 0 else mpmath.mpf(1) for v in p]
        try:
            for _ in range(12):
                r = mpmath.matrix([(mpmath.re(f(*x, *p)) - y) * v for x, y, v in zip(points, t, w)])
                J = mpmath.matrix(len(points), len(p))
                for k, d in enumerate(df):
                    for i, x in enumerate(points):
                        J[i, k] = mpmath.re(d(*x, *p)) * unit[k] * w[i]
                step = mpmath.qr_solve(J, -r)[0]
                longest = max(abs(s) for s in step)
                shrink = min(mpmath.mpf(1), mpmath.mpf("0.3") / longest) if longest > 0 else mpmath.mpf(1)
                p = [v + u * shrink * s for v, u, s in zip(p, unit, step)]
                if longest < mpmath.mpf(10) ** -20:
                    break
        except (ZeroDivisionError, ValueError, OverflowError, TypeError):
            return None
        return [float(v) for v in p]


def away(values, target, weight):
    """The largest relative difference; infinite where a value is missing."""
    if not np.all(np.isfinite(values)):
        return np.inf
    return float(np.max(np.abs(values - target) * weight))


def fit(family, grid, target, start):
    """The least relative difference that some numbers near `start` reach, and these numbers."""
    weight = 1 / (np.abs(target) + 1e-6 * np.max(np.abs(target)))
    p = np.array(start, dtype=float)
    # A number may go to zero, and through it.
    least = 0.01 * np.abs(p)
    values = family.values(grid, p)
    best = away(values, target, weight)
    if len(p) == 0 or not np.isfinite(best):
        return best, p
    cost, damping = float(np.sum(((values - target) * weight) ** 2)), 1e-3
    for _ in range(STEPS):
        if best < 1e-13:
            break
        unit = np.maximum(np.abs(p), least)
        J = family.jacobian(grid, p) * weight[:, None] * unit
        r = (values - target) * weight
        if not np.all(np.isfinite(J)):
            break
        scale = np.sqrt(np.sum(J**2, axis=0))
        scale[scale == 0] = 1
        moved = False
        for _ in range(12):
            A = np.vstack([J / scale, np.sqrt(damping) * np.eye(len(p))])
            step = np.linalg.lstsq(A, np.concatenate([-r, np.zeros(len(p))]), rcond=None)[0] / scale
            longest = np.max(np.abs(step))
            q = p + unit * step * min(1.0, 0.5 / longest if longest > 0 else 1.0)
            new = family.values(grid, q)
            less = np.all(np.isfinite(new)) and float(np.sum(((new - target) * weight) ** 2)) < cost
            if less:
                p, values, moved = q, new, True
                cost, damping = float(np.sum(((new - target) * weight) ** 2)), damping / 10
                break
            damping = max(damping, 1e-12) * 10
        if not moved:
            break
        best = min(best, away(values, target, weight))
    if MEMBER < best < NEAR:
        finished = family.finish(grid, target, weight, p)
        if finished is not None:
            other = away(family.values(grid, np.array(finished)), target, weight)
            if other < best:
                return other, np.array(finished)
    return best, p


def rank(J, weight):
    if J.shape[1] == 0:
        return 0
    J = J * weight[:, None]
    size = np.sqrt(np.sum(J**2, axis=0))
    if not np.all(np.isfinite(size)):
        return J.shape[1]
    s = np.linalg.svd(J / np.where(size > 0, size, 1), compute_uv=False)
    return int(np.sum(s > RANK * s[0]))


def reaches(family, start, other, centre, grid, usual, sizes=MOVED):
    """Whether `family` has the functions of `other` near `centre`, from numbers near `start`. A number that is zero there
    is moved by a part of its usual size."""
    centre, usual = np.array(centre, dtype=float), np.abs(usual)
    unit = np.where(np.abs(centre) > 1e-6 * usual, np.abs(centre), usual)
    for k, size in enumerate(sizes):
        signs = np.where(np.random.default_rng(k + 1).random(len(centre)) < 0.5, -1.0, 1.0)
        spread = np.random.default_rng(k + 11).uniform(0.5, 1.0, len(centre))
        target = other.values(grid, centre + size * unit * signs * spread)
        inside = np.isfinite(target)
        if np.mean(inside) < 1 - MISSING:
            continue
        off, _ = fit(family, grid[inside], target[inside], start)
        if off < MEMBER:
            return True
    return False


def starts(centre):
    """Numbers of the law to start from: those of the source, and others around them."""
    yield centre
    draw = np.random.default_rng(7)
    for spread in (0.2, 0.2, 0.5, 0.5, 1.0, 1.0):
        yield centre * np.exp(spread * draw.standard_normal(len(centre)))


def decide(law, expression):
    """A dict: `kind`, `law` and `reason`."""
    def verdict(kind, reason):
        return dict(law=kind == LAW, kind=kind, reason=reason)
    if not expression.free_symbols:
        return verdict(OTHER, "constant")
    if expression.has(*GUARDS):
        return verdict(OTHER, "a guard is part of it")
    grid = np.array(rows(law, POINTS))
    form, symbols, fitted = numbers(expression)
    ours = Family(law.variables, list(law.parameters.values()), law.truth)
    theirs = Family(law.variables, symbols, form)
    usual = np.array([law.values[p.name] for p in ours.parameters])
    target = theirs.values(grid, fitted)
    inside = np.isfinite(target)
    if np.mean(inside) < 1 - MISSING:
        return verdict(OTHER, "not real on the range of the data")
    grid, target = grid[inside], target[inside]
    weight = 1 / (np.abs(target) + 1e-6 * np.max(np.abs(target)))
    off, at = np.inf, None
    for start in starts(usual):
        one, found = fit(ours, grid, target, start)
        if one < off:
            off, at = one, found
        if off < MEMBER:
            break
    if at is None:
        return verdict(OTHER, "the law has no values where it has")
    freedom = rank(theirs.jacobian(grid, fitted) * np.abs(fitted), weight)
    own = rank(ours.jacobian(grid, usual) * np.abs(usual), weight)
    if off < MEMBER:
        if freedom < own or not reaches(theirs, fitted, ours, at, grid, usual):
            return verdict(SPECIAL, "a special case of the law")
        # Numbers that satisfy the law's relations to all digits were one number before the text was written.
        if freedom > own and off > TIED:
            return verdict(MORE, "more numbers than the law has, at values where it is the law")
        return verdict(LAW, "the law's functions to %.1g" % off)
    if freedom > own and reaches(theirs, fitted, ours, usual, grid, usual, sizes=(0.0,)):
        return verdict(MORE, "the law and more: off by %.1g" % off)
    return verdict(OTHER, "another function: off by %.1g" % off)
