"""Whether SymPy can show what the numbers decided, and the rule of SRBench's own program."""
import mpmath
import sympy as sp


def recognised(value):
    """A constant of 50 digits as a rational times a power of pi, possibly under a root; or as its digits, as where any
    number will do (a free factor)."""
    for root in (1, 2):
        for power in (0, -1, 1, -2, 2, -3, 3):
            ratio = mpmath.mpf(value) ** root / mpmath.pi ** power
            guess = sp.nsimplify(sp.Float(mpmath.nstr(ratio, 30), 30), rational=True, tolerance=sp.Float("1e-24"))
            if guess.is_Rational and guess.q <= 10000 and abs(guess.p) <= 10**7:
                exact = sp.Abs(guess) * sp.pi ** power
                return sp.sign(guess) * exact if root == 1 else sp.sign(value) * sp.sqrt(exact)
    return sp.Rational(mpmath.nstr(value, 40))


def constant(expression):
    """Whether SymPy's simplifications leave no variable."""
    for simplification in (lambda e: e, sp.expand, sp.simplify, lambda e: sp.simplify(sp.expand_log(e, force=True)),
                           lambda e: sp.simplify(e.rewrite(sp.exp)), sp.trigsimp):
        if not simplification(expression).free_symbols:
            return True
    return False


def shown(equation, answer):
    """Whether difference or ratio to the truth simplify to a constant, with the exact constants put in."""
    problem = answer["problem"]
    exact = dict(zip(problem.symbols, map(recognised, answer["exact"])))
    expression = problem.form.subs(exact)
    other = expression - equation.truth if answer["mode"] == "difference" else expression / equation.truth
    return constant(other)


def round_floats(expression):
    """Three decimal places, and nothing below 0.0001."""
    out = expression
    for number in sp.preorder_traversal(expression):
        if isinstance(number, sp.Float):
            out = out.subs(number, sp.Integer(0) if abs(number) < 1e-4 else sp.Float(round(number, 3), 3))
    return out


def srbench(equation, expression):
    """The rule after SRBench's program (assess_symbolic_model.py): decimals are rounded to three places in the expression,
    in the difference to the truth and in the ratio, before and after simplifying; what rounds to a constant is none."""
    expression = round_floats(expression)
    if not expression.free_symbols:
        return False
    difference = round_floats(equation.truth - expression)
    ratio = round_floats(expression / equation.truth)
    for simplification in (lambda e: e, lambda e: sp.simplify(e, ratio=1)):
        difference = round_floats(simplification(difference))
        ratio = round_floats(simplification(ratio))
        if not difference.free_symbols or (ratio != 0 and not ratio.free_symbols):
            return True
    return False
