"""Whether an expression is the law, decided by numbers.

The decimal constants c of an expression f(x; c) are what was learned. It is the law if there are constants c' that agree
with c to three significant digits such that f(x; c') - truth(x) or f(x; c') / truth(x) is the same at every x. That is
SRBench's definition (the difference or the ratio simplifies to a constant, learned constants rounded), without asking
how the expression is written: c' is solved for by Gauss-Newton steps in 50 digits, and the identity must then hold to 28
digits at random points that the steps have not seen. An approximation, however close, stays away from the truth whatever
c' is, because a formula with p constants cannot meet more than p points by chance; a spurious small term would need a
constant that goes to zero, which no rounding to significant digits allows.
"""
import random

import mpmath
import numpy as np
import sympy as sp

from .formulas import NotReal, function

DIGITS = 50
HOLDS = mpmath.mpf(10) ** -28
# What least squares in double precision leaves of a term that is not there, relative to the sum it stands in.
NEGLIGIBLE = 1e-10
# An expression further away than this, in standard deviations of the truth after the best shift and scale, is not tried.
CLOSE = 0.05
# Where large terms cancel, constants rounded to three digits say little about the sum: if the values would change by more
# than so many times a common relative change of the constants, then going to the exact ones may move the values by
# MOVED at most, in the unit of CLOSE.
AMPLIFIED = 50
MOVED = 0.005
STEPS = 25

MODES = {"equal": (False, False), "difference": (True, False), "ratio": (False, True), "affine": (True, True)}
# What counts as the law, and what is tried to say that only constants are wrong.
FREE = ("difference", "ratio")


def agree(learned, exact):
    """Equal after rounding to three significant digits; or within half a unit of the third digit of the largest mantissa,
    for exact values on the edge of two roundings."""
    three = lambda v: "%.2e" % float(v)
    return three(learned) == three(exact) or abs(learned - exact) < mpmath.mpf("5e-4") * abs(exact)


def constants(expression):
    """The expression with a symbol for every decimal constant, and the constants in order."""
    values = []

    def walk(e):
        if e.is_Float:
            values.append(e)
            return sp.Symbol("c_%d" % len(values), real=True)
        return e.func(*map(walk, e.args)) if e.args else e
    return walk(expression), values


def without_rounding_residue(expression, equation, points):
    """Without the addends that are nothing but rounding errors of double precision: beside the largest value of the sum, or,
    on ranges over decades, beside each."""
    def at(e):
        f = function(equation.variables, e)
        return [abs(f(p)) for p in points]

    def negligible(part, total):
        if getattr(equation, "wide", False):
            return all(a <= NEGLIGIBLE * t for a, t in zip(at(part), total))
        return max(at(part)) <= NEGLIGIBLE * max(total)

    def walk(e):
        if not e.args:
            return e
        e = e.func(*map(walk, e.args))
        if e.is_Add and e.has(sp.Float):
            total = at(e)
            kept = [a for a in e.args if not (a.has(sp.Float) and negligible(a, total))]
            return sp.Add(*kept) if kept else e
        return e
    return walk(expression)


def fit(values, truth, shift, scale):
    """The a and b, where free, of values = a + b truth by least squares, and the residuals."""
    n = len(values)
    a, b = mpmath.mpf(0), mpmath.mpf(1)
    dot = lambda u, v: mpmath.fsum(x * y for x, y in zip(u, v))
    if shift and scale:
        mv, mt = mpmath.fsum(values) / n, mpmath.fsum(truth) / n
        tt = [t - mt for t in truth]
        b = dot(tt, values) / dot(tt, tt)
        a = mv - b * mt
    elif shift:
        a = mpmath.fsum(v - t for v, t in zip(values, truth)) / n
    elif scale:
        b = dot(values, truth) / dot(truth, truth)
    return a, b, [v - a - b * t for v, t in zip(values, truth)]


def spread(values):
    mean = mpmath.fsum(values) / len(values)
    return mpmath.sqrt(mpmath.fsum((v - mean) ** 2 for v in values) / len(values))


class Problem:
    """One expression against one law, at fixed random points."""

    def __init__(self, equation, expression, seed=1):
        draw = random.Random(seed)
        self.equation = equation
        probes = equation.points(20, draw.random)
        self.expression = without_rounding_residue(expression, equation, probes)
        self.form, found = constants(self.expression)
        self.learned = [mpmath.mpf(c) for c in found]
        self.symbols = sorted((s for s in self.form.free_symbols if s not in equation.variables),
                              key=lambda s: int(s.name[2:]))
        # Constants that dropped out while the form was put together again have no symbol there.
        self.learned = [self.learned[int(s.name[2:]) - 1] for s in self.symbols]
        self.f = function(equation.variables + self.symbols, self.form)
        self.t = function(equation.variables, equation.truth)
        self.points = equation.points(40 + 3 * len(self.symbols), draw.random)
        self.fresh = equation.points(40, draw.random)
        self.truth = [self.t(p) for p in self.points]
        self.scale = spread(self.truth)

    def at(self, c, points):
        return [self.f(list(p) + list(c)) for p in points]

    def distance(self, mode, c):
        """Root mean square of what is left, in standard deviations of what the truth becomes."""
        _, b, rest = fit(self.at(c, self.points), self.truth, *MODES[mode])
        return float(mpmath.sqrt(mpmath.fsum(r * r for r in rest) / len(rest)) / (self.scale * abs(b) or 1))

    def jacobian(self, c, values):
        """In relative changes of the constants."""
        h = mpmath.mpf(10) ** (-DIGITS // 2)
        columns = []
        for k in range(len(c)):
            moved = list(c)
            moved[k] *= 1 + h
            columns.append([float((u - v) / h) for u, v in zip(self.at(moved, self.points), values)])
        return np.array(columns).T

    def amplification(self):
        """What a relative change of the constants does to the values at most, in standard deviations of the values."""
        values = self.at(self.learned, self.points)
        J = self.jacobian(self.learned, values) if self.learned else np.zeros((1, 0))
        return float(np.sum(np.sqrt(np.mean(J**2, axis=0)))) / float(spread(values))

    def solve(self, mode):
        """Constants near the learned ones at which the identity holds; None if there are none."""
        shift, scale = MODES[mode]
        c, best, stalled = list(self.learned), None, 0
        for _ in range(STEPS):
            values = self.at(c, self.points)
            _, b, rest = fit(values, self.truth, shift, scale)
            size = max(abs(r) for r in rest) / (self.scale * abs(b) or 1)
            if size < HOLDS:
                return c if abs(b) > 0 and self.holds(mode, c) else None
            if not c:
                return None
            stalled = stalled + 1 if best is not None and size > best / 4 else 0
            best = size if best is None else min(best, size)
            if stalled >= 4:
                return None
            J, r, unit = self.jacobian(c, values), rest, float(max(abs(x) for x in rest))
            free = np.array([[1.0] * shift + [float(t / self.scale)] * scale for t in self.truth])
            y = np.array([float(x / unit) for x in r])
            if free.shape[1]:
                q, _ = np.linalg.qr(free)
                J, y = J - q @ (q.T @ J), y - q @ (q.T @ y)
            # Values beyond what a double holds: no step leads on from there.
            if not (np.all(np.isfinite(J)) and np.all(np.isfinite(y))):
                return None
            # Scaled so that the least norm is over relative changes; tiny singular values belong to constants that
            # the values do not depend on.
            step = -np.linalg.pinv(J / unit, rcond=1e-13) @ y
            longest = np.max(np.abs(step))
            if not np.isfinite(longest):
                return None
            shrink = min(1.0, 0.2 / longest) if longest > 0 else 1.0
            c = [v * (1 + mpmath.mpf(shrink * s)) for v, s in zip(c, step)]
        return None

    def holds(self, mode, c):
        """The identity at points that were not fitted, with the shift and scale of the fitted ones."""
        a, b, _ = fit(self.at(c, self.points), self.truth, *MODES[mode])
        truth = [self.t(p) for p in self.fresh]
        rest = [abs(v - a - b * t) for v, t in zip(self.at(c, self.fresh), truth)]
        return max(rest) < HOLDS * self.scale * abs(b)


def decide(equation, expression, modes=FREE):
    """A dict: `recovered`, `mode` in which the identity holds, `constants` where it holds, `off` the largest relative
    difference between learned and exact constants, `reason`. `form`: the law, were its constants right. It is the law in
    one of `modes` only; what takes a shift and a scale at once never is."""
    mpmath.mp.dps = DIGITS
    no = lambda reason, **more: dict(dict(recovered=False, form=False, mode=None, reason=reason), **more)
    if not expression.free_symbols:
        return no("constant")
    try:
        problem = Problem(equation, expression)
        values = problem.at(problem.learned, problem.points)
        if spread(values) < mpmath.mpf(10) ** -12 * max(map(abs, values)):
            return no("constant")
        away = problem.distance("affine", problem.learned)
        if not away < CLOSE:
            return no("far from the truth: %.2g standard deviations after the best shift and scale" % away)
        found = []
        for mode in (*modes, "affine"):
            exact = problem.solve(mode)
            if exact is None:
                continue
            off = max([float(abs(c / e - 1)) for c, e in zip(problem.learned, exact)], default=0.0)
            one = dict(recovered=False, form=True, mode=mode, off=off, exact=exact, problem=problem)
            if mode == "affine":
                found.append(dict(one, reason="right form; it takes a shift and a scale at once"))
            elif not all(agree(c, e) for c, e in zip(problem.learned, exact)):
                found.append(dict(one, reason="right form; constants off by up to %.2g" % off))
            elif problem.amplification() > AMPLIFIED and problem.distance(mode, problem.learned) > MOVED:
                found.append(dict(one, reason="right form; large terms cancel, constants not exact enough for that"))
            else:
                return dict(one, recovered=True, reason="the %s is a constant to 28 digits" % mode)
        return min(found, key=lambda one: (one["mode"] == "affine", one["off"]),
                   default=no("another function: no constants near make it the truth"))
    except NotReal as error:
        return no(str(error))
