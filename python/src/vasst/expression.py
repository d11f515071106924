"""Formulas as texts of Python, which are read by a grammar of their own and never run as code."""

import ast
import math
import operator
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


class FormulaError(ValueError):
    """A text is no formula: it has something other than numbers, names, the operations and functions of laws."""


#: The operations that stand between two values.
_OPERATIONS: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


#: Numbers as the engine writes them.
_NUMBER = re.compile(r"\d{1,400}(\.\d{0,400})?(e-?\d{1,3})?")


@dataclass(frozen=True)
class Language:
    """The values that the parts of a text stand for."""

    #: of a number, with its digits as they are written
    number: Callable[[float, str], Any]
    #: of a name, which may have a module in front: ``mass``, ``np.pi``
    name: Callable[[str], Any]
    #: of the quoted name of a column that is no identifier
    quoted: Callable[[str], Any]
    #: the word before such a name, ``data["mass (kg)"]`` or ``Symbol('mass (kg)')``
    quote: str
    #: by name, with the number of arguments; None for those of pairs of a value and its condition
    functions: Mapping[str, tuple[int | None, Callable[..., Any]]]
    #: the function that has a condition as its first argument, if there is one
    choice: str | None
    #: of an operation and its two values
    operate: Callable[[Callable[[Any, Any], Any], Any, Any], Any]


def value(text: str, language: Language) -> Any:
    """
    The value of a formula.

    Raises
    ------
    FormulaError
        The text has something that no formula has: what it is stands in the message.
    """
    if "\n" in text or "\r" in text:
        raise FormulaError("a formula has one line")
    try:
        tree = _parsed(text)
        return _Reader(text, language).value(tree)
    except (RecursionError, MemoryError) as error:
        raise FormulaError("the parts of a formula are nested too deeply") from error


def _parsed(text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError) as error:
        # Of a character that no source has, such as half a pair of UTF-16, versions of Python say one or the other.
        raise FormulaError(f"this is no formula: {error.msg if isinstance(error, SyntaxError) else error}") from error


class _Reader:
    def __init__(self, text: str, language: Language) -> None:
        self.bytes = text.encode()
        self.language = language

    def value(self, node: ast.expr) -> Any:
        language = self.language
        match node:
            case ast.Constant(value=number) if type(number) in (int, float):
                return language.number(self._float(node, number), self._written(node))
            case ast.Name() | ast.Attribute():
                return language.name(self._name(node))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self.value(operand)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
                return language.operate(_OPERATIONS[type(op)], self.value(left), self.value(right))
            case ast.Subscript(value=ast.Name(id=word), slice=ast.Constant(value=str(name))) if word == language.quote:
                return language.quoted(name)
            case ast.Call(func=ast.Name(id=word), args=[ast.Constant(value=str(name))], keywords=[]) if word == language.quote:
                return language.quoted(name)
            case ast.Call(func=ast.Name() | ast.Attribute() as function, args=arguments, keywords=[]):
                return self._call(self._name(function), arguments, node)
        raise self._refused(node)

    def _call(self, name: str, arguments: list[ast.expr], node: ast.expr) -> Any:
        if name not in self.language.functions:
            raise FormulaError(f"a formula has no function {name}")
        arity, function = self.language.functions[name]
        if arity is None:
            return function(*map(self._case, arguments))
        if len(arguments) != arity:
            own = "one argument" if arity == 1 else f"{arity} arguments"
            raise FormulaError(f"{name} has {own}, not {len(arguments)}: {self._written(node)[:80]}")
        first = self._condition if name == self.language.choice else self.value
        return function(first(arguments[0]), *map(self.value, arguments[1:]))

    def _condition(self, node: ast.expr) -> Any:
        match node:
            case ast.Compare(left=left, ops=[ast.GtE()], comparators=[right]):
                return self.value(left) >= self.value(right)
        raise self._refused(node)

    def _case(self, node: ast.expr) -> tuple[Any, Any]:
        match node:
            case ast.Tuple(elts=[then, ast.Constant(value=True)]):
                return self.value(then), True
            case ast.Tuple(elts=[then, condition]):
                return self.value(then), self._condition(condition)
        raise self._refused(node)

    def _name(self, node: ast.expr) -> str:
        match node:
            case ast.Name(id=name):
                return name
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                return f"{module}.{name}"
        raise self._refused(node)

    def _float(self, node: ast.expr, number: float) -> float:
        written = self._written(node)
        if not _NUMBER.fullmatch(written) or not math.isfinite(number) or abs(number) > sys.float_info.max:
            raise FormulaError(f"no formula has the number {written[:80]}")
        return float(number)

    def _written(self, node: ast.expr) -> str:
        return self.bytes[node.col_offset : node.end_col_offset].decode()

    def _refused(self, node: ast.expr) -> FormulaError:
        return FormulaError(f"no formula has such a part: {self._written(node)[:80]}")
