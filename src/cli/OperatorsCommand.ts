import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { scalarFunction } from "../expr/evaluate.ts"
import { infix } from "../expr/text/infix.ts"
import * as Operator from "../expr/Operator.ts"
import * as Term from "../expr/Term.ts"
import * as Table from "../report/Table.ts"
import { Screen } from "./Screen.ts"

/** `vasst operators`: the operators that `--operators` accepts. */
export const operatorsCommand = Command.make("operators", {}, () =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const rows = Object.values(Operator.shipped).map((operator: Operator.Operator) => [
      operator.name,
      String(operator.arity),
      infix(Term.unprotect(operator.term)),
      Operator.domain(operator).map(domain).join(", ") || "all numbers",
      String(operator.complexity),
      operator.commutative ? "yes" : "no",
    ])
    const table = Table.render(
      [
        { title: "name", align: "left" },
        { title: "arity", align: "right" },
        { title: "formula", align: "left" },
        { title: "domain", align: "left" },
        { title: "complexity", align: "right" },
        { title: "commutative", align: "left" },
      ],
      rows,
    )
    screen.out(
      `${table.join("\n")}\n\nAt and beyond the border of its domain an operator is protected, so that it stays finite:\n${protections}\n`,
    )
  }),
).pipe(Command.withDescription("List the operators that laws may use"))

/** The definitions of the protected operations in formulas. */
const protections = Object.values(Operator.shipped)
  .filter(({ term }) => !Term.equals(Term.expand(term), term))
  .map(({ term }) => `${infix(term)} = ${infix(Term.expand(term))}`)
  .concat(
    `guard(x) = x, no nearer to 0 than ${String(scalarFunction(Term.guard(Term.variable("x")), ["x"])([0]))}`,
  )
  .join("\n")

const domain = ({ argument, relation }: Operator.Requirement): string => {
  const text = infix(Term.unprotect(argument))
  switch (relation) {
    case "nonzero":
      return `${text} != 0`
    case "positive":
      return `${text} > 0`
    case "nonnegative":
      return `${text} >= 0`
    case "within [-1, 1]":
      return `-1 <= ${text} <= 1`
  }
}
