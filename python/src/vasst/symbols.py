"""Formulas as expressions of SymPy."""

import operator
from collections.abc import Callable, Mapping
from typing import Any

import sympy

from vasst.expression import FormulaError, Language, value

#: The most binary digits before or behind the point of a power of numbers: four times those of float64, of which laws are made.
_DIGITS = 4096
#: The largest argument of an exponential of a number.
_EXPONENT = 100_000


def expression(text: str) -> sympy.Expr:
    """
    The expression of SymPy that a text of the engine stands for, as ``sympify`` makes it. The text is read, and never run as code.

    Raises
    ------
    FormulaError
        The text has something that no formula has, or a power of numbers that no float64 comes near to.
    """
    return value(text, _LANGUAGE)


def _number(number: float, digits: str) -> sympy.Expr:
    return sympy.Integer(digits) if digits.isdigit() else sympy.Float(digits)


def _name(name: str) -> sympy.Expr:
    if "." in name:
        raise FormulaError(f"no formula has such a part: {name[:80]}")
    return sympy.pi if name == "pi" else sympy.Symbol(name)


def _size(number: sympy.Expr) -> sympy.Expr:
    return sympy.Abs(sympy.N(number))


def _power(base: Any, exponent: Any) -> Any:
    # SymPy would compute all digits of 9**9**9.
    if base.is_number and exponent.is_number:
        size, times = _size(base), _size(exponent)
        # Infinite and undefined numbers have no digits.
        counted = size.is_finite and times.is_finite and size != 0
        if counted and _size(sympy.log(size, 2)) * times > _DIGITS:
            raise FormulaError(f"the power {str(base)[:20]}**{str(exponent)[:20]} is too large")
    return base**exponent


def _exp(argument: Any) -> Any:
    if argument.is_number and _size(argument).is_finite and _size(argument) > _EXPONENT:
        raise FormulaError(f"exp({str(argument)[:20]}) is too large")
    return sympy.exp(argument)


def _operate(operation: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    return _power(left, right) if operation is operator.pow else operation(left, right)


_UNARY = ("sqrt", "Abs", "sign", "log", "sin", "cos", "tan", "tanh", "asin", "acos", "atan")
_FUNCTIONS: Mapping[str, tuple[int | None, Callable[..., Any]]] = {
    **{name: (1, getattr(sympy, name)) for name in _UNARY},
    "exp": (1, _exp),
    "Pow": (2, _power),
    "Min": (2, sympy.Min),
    "Max": (2, sympy.Max),
    "Piecewise": (None, sympy.Piecewise),
}

_LANGUAGE = Language(
    number=_number, name=_name, quoted=sympy.Symbol, quote="Symbol", functions=_FUNCTIONS, choice=None, operate=_operate
)
