"""Which equations a grammar can express, and how.

    node bench/feynman/table.ts --grammar | PEERS_HOME/venv/bin/python bench/feynman/forms.py > bench/feynman/forms.json

Reads the grammar of solve.ts as JSON: `operators`, `constants` (terminals), `learned` (whether any number may be a
terminal), `links`. Writes for every equation and link the pairs [terms, depth] of the forms that it found: the link of y
is an intercept plus so many terms with free coefficients, each a tree of at most that depth. The depth of a product or sum
of many is that of its best bracketing (repeatedly joining the two shallowest). Several rewritings of the law are tried, so
that an absent form is one that was not found: no proof that there is none.
"""
import heapq
import json
import math
import random
import signal
import sys

import sympy as sp

sys.dont_write_bytecode = True

from judging import formulas

LINKS = {
    "identity": lambda y: y, "square": lambda y: y**2, "inverse": lambda y: 1 / y, "inverseSquare": lambda y: 1 / y**2,
    "sqrt": sp.sqrt, "log": lambda y: sp.expand_log(sp.log(y), force=True), "exp": sp.exp, "sin": sp.sin, "cos": sp.cos,
    "arcsin": sp.asin,
}
NONE = math.inf
SECONDS = 20  # for the rewritings of one equation behind one link; what is not found by then counts as not found


class Grammar:
    def __init__(self, given):
        self.operators, self.learned = set(given["operators"]), given.get("learned", False)
        self.numbers = self.reachable(given["constants"])

    def reachable(self, terminals):
        """Depths of the numbers that trees of terminals make; x / x is 1 and x - x is 0 without any."""
        depth = {1: 1, 0: 1}
        for value in terminals:
            depth[sp.pi if abs(value - math.pi) < 1e-12 else sp.nsimplify(value, rational=True)] = 0
        for level in range(1, 3):
            known = sorted((k for k, d in depth.items() if d < level), key=float)
            fresh = {}
            for a in known:
                if "square" in self.operators:
                    fresh.setdefault(sp.sympify(a) ** 2, level)
                for b in known:
                    for value in (a + b, a - b, a * b, *([sp.sympify(a) / b] if b != 0 else [])):
                        if abs(value) <= 100:
                            fresh.setdefault(value, level)
            for value, d in fresh.items():
                depth.setdefault(value, d)
        return depth

    def number(self, value):
        return 0 if self.learned else self.numbers.get(value, NONE)

    @staticmethod
    def join(depths):
        """The depth of a binary tree over leaves of these depths."""
        heap = list(depths)
        heapq.heapify(heap)
        while len(heap) > 1:
            a, b = heapq.heappop(heap), heapq.heappop(heap)
            heapq.heappush(heap, max(a, b) + 1)
        return heap[0]

    def power(self, base, exponent):
        """Depths of factors whose product is base ** exponent, exponent a positive multiple of 1/2."""
        d = self.depth(base)
        whole, half = divmod(sp.Rational(exponent) * 2, 2)
        factors = [d + 1] if half else []
        level, n = d, int(whole)
        while n:
            if n % 2:
                factors.append(level)
            n, level = n // 2, level + 1
        return factors

    def product(self, e):
        up, down = [], []
        coefficient, rest = e.as_independent(*e.free_symbols)
        numerator, denominator = sp.fraction(coefficient)
        if numerator != 1:
            up.append(self.number(numerator))
        if denominator != 1:
            down.append(self.number(denominator))
        for factor in sp.Mul.make_args(rest):
            base, exponent = factor.as_base_exp()
            if isinstance(factor, sp.exp) or base == sp.E:
                argument = factor.args[-1] if base != sp.E else exponent
                negative = argument.could_extract_minus_sign()
                (down if negative else up).append(self.depth(sp.exp(-argument if negative else argument)))
            elif exponent.is_Rational and exponent.q in (1, 2):
                (up if exponent > 0 else down).extend(self.power(base, abs(exponent)))
            else:
                return NONE
        if not up:
            up.append(self.number(sp.Integer(1)))
        return self.join(up + down)

    def depth(self, e):
        """The least depth found of a tree with the value e."""
        if e.is_Symbol:
            return 0
        if not e.free_symbols:
            return self.number(e)
        if e.is_Add:
            positive = any(not a.could_extract_minus_sign() for a in e.args)
            parts = [self.depth(-a if a.could_extract_minus_sign() else a) for a in e.args]
            return self.join(parts if positive else [*parts, self.number(sp.Integer(0))])
        if isinstance(e, sp.exp) and not e.args[0].could_extract_minus_sign():
            return 1 + self.depth(e.args[0]) if "exp" in self.operators else NONE
        if e.is_Mul or e.is_Pow or isinstance(e, sp.exp):
            return self.product(e)
        name = {sp.Abs: "abs"}.get(e.func, e.func.__name__)
        return 1 + self.depth(e.args[0]) if name in self.operators and len(e.args) == 1 else NONE

    def forms(self, e):
        """(terms, depth) of the sums with free coefficients that e is rewritten as."""
        found = set()
        tanh = e.rewrite(sp.exp) if e.has(sp.tanh) else e
        for rewriting in (lambda x: x, sp.expand, sp.factor, sp.together, sp.cancel, sp.simplify, sp.expand_trig,
                          lambda x: sp.expand(sp.simplify(x)), lambda x: sp.expand(sp.cancel(x)),
                          lambda x: sp.expand_mul(sp.powsimp(x)), lambda x: sp.apart(x, sorted(x.free_symbols, key=str)[0])):
            for start in {e, tanh}:
                try:
                    written = rewriting(start)
                except (NotImplementedError, sp.PolynomialError):
                    continue
                free = lambda x: x.as_independent(*x.free_symbols, as_Add=False)[1]
                terms = {free(a) for a in sp.Add.make_args(written) if a.free_symbols}
                found.add((len(terms), max((self.depth(t) for t in terms), default=NONE)))
                found.add((1, self.depth(free(written))))
        return {f for f in found if f[1] < NONE}


def frontier(forms):
    """Those that no other form beats in both, terms and depth."""
    return sorted(f for f in forms if not any(g != f and g[0] <= f[0] and g[1] <= f[1] for g in forms))


def invertible(equation, link):
    """Whether the link determines y: roots and logarithms of what is positive, sines and cosines on one branch."""
    f = formulas.function(equation.variables, equation.truth)
    draw = random.Random(1)
    values = [float(f(p)) for p in equation.points(500, draw.random)]
    low, high = min(values), max(values)
    if link in ("square", "inverseSquare"):
        return low > 0 or high < 0
    if link in ("sqrt", "log"):
        return low > 0
    return {"sin": -math.pi / 2 <= low and high <= math.pi / 2, "cos": 0 <= low and high <= math.pi}.get(link, True)


class Late(Exception):
    pass


def late(*_):
    raise Late


def best(grammar, equation, link):
    """The frontier of the forms that are found in time."""
    found = set()
    signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        value = LINKS[link](equation.truth)
        for candidate in (value, sp.simplify(value)):
            if candidate.free_symbols:
                found |= grammar.forms(candidate)
    except Late:
        print("  behind %s the time was up" % link, file=sys.stderr)
    finally:
        signal.alarm(0)
    return frontier(found)


def main():
    given = json.load(sys.stdin)
    grammar = Grammar(given)
    out = {}
    for table in formulas.TABLES:
        for name, equation in formulas.load(table).items():
            out[name] = {}
            for link in ["identity", *given["links"]]:
                if not invertible(equation, link):
                    continue
                forms = best(grammar, equation, link)
                if forms:
                    out[name][link] = forms
            print(name, out[name], file=sys.stderr, flush=True)
    lines = ["%s: %s" % (json.dumps(name), json.dumps(forms)) for name, forms in out.items()]
    print('{ "grammar": %s,\n  "forms": {\n    %s\n  }\n}' % (json.dumps(given), ",\n    ".join(lines)))


if __name__ == "__main__":
    main()
