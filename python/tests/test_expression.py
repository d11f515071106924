"""Texts of formulas are read by a grammar: whatever is none is an error, and nothing of it runs."""

import numpy as np
import pandas as pd
import pytest
import sympy

from vasst import Formula, FormulaError
from vasst.symbols import expression

X = np.array([[2.0, 3.0], [-1.0, 0.5], [0.0, -2.0]])

HOSTILE = [
    "__import__('os').system('touch {file}')",
    "().__class__.__base__.__subclasses__()",
    "x.__class__",
    "np.__class__",
    "np.load('{file}')",
    "np.random.seed(1)",
    "np.fromfile('{file}')",
    "open('{file}', 'w')",
    "eval('1')",
    "exec('1')",
    "(lambda: 1)()",
    "(lambda x: x)(x)",
    "[x for x in (1, 2)]",
    "[1, 2]",
    "{{1: 2}}",
    "(x, y)",
    "x if x else y",
    "x and y",
    "not x",
    "~x",
    "+x",
    "x // y",
    "x % y",
    "x @ y",
    "x << 1",
    "x > y",
    "x >= y",
    "x >= y >= 0",
    "(y := x)",
    "x[0]",
    "data[0]",
    "data['x'].__class__",
    "f'{{x}}'",
    "'x'",
    "b'x'",
    "None",
    "True",
    "...",
    "1j",
    "0x10",
    "1_000",
    "1e999",
    "1e-9999999999",
    "9" * 1000,
    "9" * 5000,
    "x y",
    "x = 1",
    "x; y",
    "import os",
    "",
    "(" * 1000 + "x" + ")" * 1000,
    "-" * 100_000 + "x",
    "+".join(["x"] * 100_000),
    "x\x00",
    "x\ud800",
    "(x +\n y)",
    "*x",
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:30])
@pytest.mark.parametrize("read", [lambda text: Formula(text, ["x", "y"])(X), expression], ids=["numpy", "sympy"])
def test_a_text_that_is_no_formula(text, read, tmp_path):
    file = tmp_path / "made"
    with pytest.raises(FormulaError) as caught:
        read(text.format(file=file))
    assert not file.exists()
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "text",
    ["np.sqrt(x, y)", "np.sqrt(x, out=y)", "np.sqrt(*x)", "np.sqrt()", "np.where(x, 1, 2)", "np.where(x >= 0)", "np.power(x)"],
)
def test_a_function_of_numpy_has_its_own_arguments(text):
    """A second argument of a function of one would be written to."""
    table = X.copy()
    with pytest.raises(FormulaError):
        Formula(text, ["x", "y"])(table)
    np.testing.assert_array_equal(table, X)


def test_names_are_those_of_columns_and_numbers():
    table = pd.DataFrame({"x": [1.0, 2.0], "label": ["a", "b"]})
    others = [("z", "z"), ('data["no such"]', "no such"), ("label", "label"), ("np", "np"), ("pi", "pi"), ("np.e", "np.e")]
    for text, name in others:
        with pytest.raises(FormulaError, match=f"'{name}' is no column of numbers of the formula; the columns are: x"):
            Formula(text, ["x", "label"])(table)
    assert Formula("x + group_mean", ["x", "label"], {"group_mean": 3.0})(table).tolist() == [4, 5]
    quoted = Formula('data["np"]*np.pi + data["a b\\n\\u00e9"]', ["np", "a b\n\u00e9"])
    assert quoted(X).tolist() == (X[:, 0] * np.pi + X[:, 1]).tolist()


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("2.5*x**2 - np.sin(3*y)/x", lambda x, y: 2.5 * x**2 - np.sin(3 * y) / x),
        ("-x**2", lambda x, y: -(x**2)),
        ("(-x)**y", lambda x, y: (-x) ** y),
        ("x**(1/2) + y**3", lambda x, y: x**0.5 + y**3),
        ("np.power(x, 2)*np.arctan(y)", lambda x, y: np.power(x, 2.0) * np.arctan(y)),
        (
            "np.where(x >= 0, np.maximum(x, 1e-6), np.minimum(x, -1e-6))",
            lambda x, y: np.where(x >= 0, np.maximum(x, 1e-6), np.minimum(x, -1e-6)),
        ),
        ("np.exp(np.abs(x))*np.sign(y) - np.log(x)", lambda x, y: np.exp(np.abs(x)) * np.sign(y) - np.log(x)),
    ],
)
def test_values_are_those_of_numpy_to_the_bit(text, same):
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(Formula(text, ["x", "y"])(X), same(*X.T))


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1/0", np.inf), ("-1/0*x", None), ("(-8)**(1/3)", np.nan), ("9**9**9", np.inf), ("10**-400", 0.0), ("9.5**9.5**9.5", np.inf)],
)
def test_numbers_alone_are_float64(text, expected):
    column = Formula(text, ["x", "y"])(X)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(column, -np.inf * X[:, 0] if expected is None else np.full(3, expected))


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "3*x/2",
        "2.5*x**2 - sin(3*y)/x",
        "0.12345678901234567*x",
        "1e-6 + 6.67e20*x",
        "Symbol('beta')*Symbol('mass (kg)')**2",
        "-x**2 + (-x)**y",
        "sqrt(Abs(x) + 1e-12)*sign(y)",
        "Piecewise((Max(x, 1e-6), x >= 0), (Min(x, -1e-6), True))",
        "pi*exp(-2*x)/tanh(y) + log(2)*exp(3)",
        "Pow(x, 2) + 2**(1/3) + 2**10 + (1/3)**5",
        "asin(x) + acos(y) + atan(x/y) + tan(1)",
        "1/0 + x",
        "0**0 + 0**-1",
        "exp(1/0)",
    ],
)
def test_expressions_are_those_of_sympify(text):
    assert sympy.srepr(expression(text)) == sympy.srepr(sympy.sympify(text))


@pytest.mark.parametrize(
    "text",
    [
        "9**9**9",
        "9**-(9**9)",
        "Pow(9, Pow(9, 9))",
        "(1/3)**(10**9)",
        "2**(10**9/3)",
        "1.5**(10**9)",
        "(2 + x - x)**(10**9)",
        "exp(exp(exp(9.5)))",
        "exp(exp(exp(exp(9))))",
        "x**(9**9**9)",
        "exp(100000)**100000",
    ],
)
def test_a_number_that_no_float64_comes_near_to_is_not_computed(text):
    with pytest.raises(FormulaError, match="too large"):
        expression(text)


@pytest.mark.parametrize(
    "text",
    [
        "np.sqrt(x)",
        "x.y",
        "pi.x",
        "sqrt(x, evaluate=False)",
        "sqrt(x, y)",
        "Piecewise(x)",
        "Piecewise((x, y))",
        "Symbol(x)",
        "Symbol('x', positive=True)",
        "S('x')",
        "Lambda(x, x)",
    ],
)
def test_what_sympify_would_run_is_no_formula(text):
    with pytest.raises(FormulaError):
        expression(text)
