import * as Result from "effect/Result"
import { SettingError } from "../../errors/Setting.ts"
import { meant } from "../../internal/nearest.ts"
import * as Operator from "../Operator.ts"
import * as Term from "../Term.ts"
import { functions, numbers } from "./functions.ts"
import { infix } from "./infix.ts"
import { tokens } from "./lexer.ts"
import { parse } from "./parse.ts"

/** The most operations of an operator: each use of it in a law takes as many. */
const most = 100

const form = /^\s*([\p{L}_][\p{L}\p{M}\p{N}_]*)\s*\(([^()]*)\)\s*=(?!=)(.*)$/su
const name = /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u

/** Whether a name stands for something already. */
const taken = (own: string): string | undefined =>
  Object.hasOwn(Operator.shipped, own) || functions.has(own)
    ? `${own} is an operator or function that ships`
    : numbers.has(own)
      ? `${own} is a number`
      : undefined

/**
 * Reads an operator that is defined by a formula over its one or two arguments. Others may stand in it; it may not stand in itself.
 *
 * Fails with a `SettingError` in one sentence.
 *
 * @param others operators by name that the formula may have
 *
 * @example
 * definition("gauss(x) = exp(-x^2)") // Operator.unary("gauss", (x) => Term.exp(Term.neg(Term.square(x))))
 */
export const definition = (
  text: string,
  others: ReadonlyArray<Operator.Operator> = [],
): Result.Result<Operator.Operator, SettingError> => {
  const fail = (message: string): Result.Result<never, SettingError> =>
    Result.fail(new SettingError({ message }))
  const [, own, list = "", body = ""] = form.exec(text) ?? []
  if (own === undefined)
    return fail(
      `an operator is written as name(x) = formula or name(x, y) = formula, not ${JSON.stringify(text.slice(0, 80))}`,
    )
  const known = taken(own)
  if (known !== undefined) return fail(`${known}; give the operator another name`)
  if (others.some((one) => one.name === own)) return fail(`the operator ${own} is defined twice`)
  const parameters = list.split(",").map((one) => one.trim())
  const [first = "", second] = parameters
  const wrong = parameters.find((one) => !name.test(one) || taken(one) !== undefined)
  if (wrong !== undefined)
    return fail(
      `the operator ${own} has the argument ${JSON.stringify(wrong)}, which is no name or stands for something else; write x`,
    )
  if (parameters.length > 2 || first === second)
    return fail(
      `the operator ${own} has one argument or two of different names, not ${parameters.join(", ")}`,
    )
  if (tokens(body).some((one) => one.kind === "name" && one.text === own))
    return fail(`the operator ${own} stands in its own formula; an operator is made of others`)
  const read = parse(body, { operators: others })
  if (Result.isFailure(read))
    return fail(`the formula of the operator ${own} cannot be read: ${read.failure.message}`)
  const variables = Term.variables(read.success)
  const unknown = variables.find((one) => !parameters.includes(one))
  if (unknown !== undefined)
    return fail(
      `there is no argument ${JSON.stringify(unknown)} in ${own}(${parameters.join(", ")})${meant(unknown, parameters, { quote: String })}`,
    )
  const unused = parameters.find((one) => !variables.includes(one))
  if (unused !== undefined) return fail(`the operator ${own} does not use its argument ${unused}`)
  // Every variable is one of the arguments, which are x and y now.
  const term = Term.substitute(read.success, (one) =>
    Term.variable(one === first ? "x" : "y"),
  ) as Term.Term<Operator.Argument>
  const operator: Operator.Operator =
    second === undefined
      ? // Without a second argument all of them are x.
        Operator.unary(own, () => term as Term.Term<"x">)
      : Operator.binary(own, () => term)
  return operator.complexity > most
    ? fail(`the operator ${own} has ${operator.complexity} operations, and at most ${most} are read`)
    : Result.succeed(operator)
}

/** The definition of an operator, which `definition` reads. */
export const definitionText = ({ name: own, arity, term }: Operator.Operator): string =>
  `${own}(${arity === 1 ? "x" : "x, y"}) = ${infix(term)}`

/** Operators by their definitions, each of which may use those before. */
export const definitions = (
  texts: ReadonlyArray<string>,
): Result.Result<ReadonlyArray<Operator.Operator>, SettingError> =>
  texts.reduce<Result.Result<ReadonlyArray<Operator.Operator>, SettingError>>(
    (read, text) =>
      Result.flatMap(read, (others) => Result.map(definition(text, others), (one) => [...others, one])),
    Result.succeed([]),
  )
