import type { ShippedName } from "vasst/expr/Operator"

/** An operator as the page names it. */
export interface Choice {
  readonly name: ShippedName
  readonly sign: string
  readonly spoken: string
  /** whether laws may use it unless the user says otherwise; the same as in the library */
  readonly usual: boolean
}

const choice = (name: ShippedName, sign: string, spoken: string, usual = true): Choice => ({
  name,
  sign,
  spoken,
  usual,
})

/** The operators that a user may choose from. */
export const choices: ReadonlyArray<Choice> = [
  choice("add", "+", "plus"),
  choice("sub", "−", "minus"),
  choice("mul", "×", "times"),
  choice("div", "÷", "divided by"),
  choice("pow", "xʸ", "power"),
  choice("square", "x²", "square"),
  choice("sqrt", "√x", "square root"),
  choice("sin", "sin", "sine"),
  choice("cos", "cos", "cosine"),
  choice("exp", "exp", "exponential"),
  choice("log", "log", "natural logarithm"),
  choice("tan", "tan", "tangent", false),
  choice("tanh", "tanh", "hyperbolic tangent", false),
  choice("atan", "atan", "inverse tangent", false),
  choice("abs", "|x|", "absolute value", false),
  choice("min", "min", "minimum", false),
  choice("max", "max", "maximum", false),
]

/** The usual operators. */
export const usual: ReadonlyArray<ShippedName> = choices.flatMap(({ name, usual }) => (usual ? [name] : []))
