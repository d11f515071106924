import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { infix } from "../expr/text/infix.ts"
import * as Operator from "../expr/Operator.ts"
import * as Table from "../report/Table.ts"
import { Screen } from "./Screen.ts"

/** `vasst operators`: the operators that `--operators` accepts. */
export const operatorsCommand = Command.make("operators", {}, () =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const rows = Object.values(Operator.shipped).map((operator: Operator.Operator) => [
      operator.name,
      String(operator.arity),
      infix(operator.term),
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
      `${table.join("\n")}\n\nA law that leaves the domain of an operator on some row is not a law of the table.\n`,
    )
  }),
).pipe(
  Command.withDescription("List the operators that laws may use"),
  Command.withExamples([{ command: "vasst operators", description: "Names, formulas and domains" }]),
)

const domain = ({ argument, relation }: Operator.Requirement): string => {
  const text = infix(argument)
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
