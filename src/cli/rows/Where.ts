import * as Effect from "effect/Effect"
import * as Frame from "../../data/Frame.ts"
import { Complaint } from "../Complaint.ts"
import * as Condition from "./Condition.ts"
import * as Expression from "./Expression.ts"

export const textColumns = (condition: Condition.Condition): ReadonlyArray<string> => {
  switch (condition._tag) {
    case "And":
    case "Or":
      return condition.parts.flatMap(textColumns)
    case "Not":
      return textColumns(condition.part)
    case "Compare": {
      const { left, right } = condition
      // That a cell is not empty says nothing of what is in it.
      const isText = (one: Condition.Operand): boolean => one._tag === "Text" && one.text !== ""
      const one = isText(left) ? right : isText(right) ? left : undefined
      return one?._tag === "Number" && one.term._tag === "Variable" ? [one.term.name] : []
    }
  }
}

const holds = <A extends number | string>(relation: Condition.Relation, left: A, right: A): boolean => {
  switch (relation) {
    case "==":
      return left === right
    case "!=":
      return left !== right
    case "<":
      return left < right
    case "<=":
      return left <= right
    case ">":
      return left > right
    case ">=":
      return left >= right
  }
}

/** The value of an operand on each row, and what is wrong with the rows where there is none. */
interface Side {
  readonly of: (row: number) => number | string
  readonly wrong: (row: number) => string | undefined
}

/** Whether a row is kept. */
type Test = (row: number) => boolean

/** A row has no value for a condition. */
class NoValue extends Error {}

/**
 * Whether a condition holds, row by row.
 *
 * @errors Complaint about a column that is not there, a formula compared with a text, and a row where a formula that decides has no value
 */
export const keep = (
  text: string,
  condition: Condition.Condition,
  frame: Frame.Frame,
): Effect.Effect<Int32Array, Complaint> =>
  Effect.gen(function* () {
    const flag = Condition.shown(text)
    const complain = (message: string) => Effect.fail(new Complaint({ message: `${flag}: ${message}` }))
    const side = (own: Condition.Operand, other: Condition.Operand): Effect.Effect<Side, Complaint> =>
      Effect.gen(function* () {
        if (own._tag === "Text") return { of: () => own.text, wrong: () => undefined }
        const { term } = own
        yield* Expression.known(flag, term, frame, "; a text stands in quotation marks: 'A'")
        if (other._tag === "Text") {
          const cells = term._tag === "Variable" ? Frame.column(frame, term.name) : undefined
          if (cells === undefined) return yield* complain("a text can be compared with a column only")
          return { of: (row: number) => Frame.text(cells, row), wrong: () => undefined }
        }
        const values = Expression.values(term, frame)
        return {
          of: (row: number) => values[row]!,
          wrong: (row: number) =>
            Number.isNaN(values[row]!) ? Expression.reason(term, frame, row) : undefined,
        }
      })
    const compile = (one: Condition.Condition): Effect.Effect<Test, Complaint> =>
      Effect.gen(function* () {
        switch (one._tag) {
          case "And":
          case "Or": {
            const parts = yield* Effect.forEach(one.parts, compile)
            return one._tag === "And"
              ? (row: number) => parts.every((part) => part(row))
              : (row: number) => parts.some((part) => part(row))
          }
          case "Not": {
            const part = yield* compile(one.part)
            return (row: number) => !part(row)
          }
          case "Compare": {
            const { left, right, relation } = one
            if (left._tag === "Text" && right._tag === "Text")
              return yield* complain("two texts are compared; name a column on one side")
            const [first, second] = [yield* side(left, right), yield* side(right, left)]
            return (row: number) => {
              const wrong = first.wrong(row) ?? second.wrong(row)
              if (wrong !== undefined) throw new NoValue(`${Frame.place(frame, row)}: ${wrong}`)
              return holds(relation, first.of(row), second.of(row))
            }
          }
        }
      })
    const test = yield* compile(condition)
    return yield* Effect.try({
      try: () => Int32Array.from(Array.from({ length: frame.rows }, (_, row) => row).filter(test)),
      catch: (error) => {
        if (!(error instanceof NoValue)) throw error
        return new Complaint({
          message: `${flag}: ${error.message}; leave such rows out first, as in x != '' and x > 2`,
        })
      },
    })
  })
