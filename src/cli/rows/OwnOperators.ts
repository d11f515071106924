import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Operator from "../../expr/Operator.ts"
import { definitions } from "../../expr/text/definition.ts"
import { meant } from "../../internal/nearest.ts"
import { Complaint } from "../Complaint.ts"
import { names, optional, text } from "../Flags.ts"

/** The flags about operators. */
export const parameters = {
  operators: optional(
    names(
      "operators",
      "NAMES",
      "Operators that a law may use, with commas between them; vasst operators lists them " +
        "(default add,sub,mul,div,pow,square,sqrt,sin,cos,exp,log; with --objective elbo add,sub,mul,div,square)",
    ),
  ),
  operator: text(
    "operator",
    "DEFINITION",
    "An operator of your own that a law may use, such as 'gauss(x)=exp(-x^2)' or 'hypot(x,y)=sqrt(x^2+y^2)'; may be given several times (default none)",
  ).pipe(Flag.atLeast(0)),
} as const

export interface Operators {
  /** undefined for the defaults of the model */
  readonly operators: ReadonlyArray<Operator.ShippedName> | undefined
  /** those of the user's own, which come besides */
  readonly own: ReadonlyArray<Operator.Operator>
}

const isShipped = (name: string): name is Operator.ShippedName => Object.hasOwn(Operator.shipped, name)

/**
 * The operators of the flags.
 *
 * @param recorded definitions of a run, which need not be given again
 * @errors Complaint about a definition or an unknown name
 */
export const resolve = (
  input: {
    readonly operators: ReadonlyArray<string> | undefined
    readonly operator: ReadonlyArray<string>
  },
  recorded: ReadonlyArray<string> = [],
): Effect.Effect<Operators, Complaint> =>
  Effect.gen(function* () {
    const given = input.operator
    const own = yield* Effect.fromResult(definitions([...new Set([...recorded, ...given])])).pipe(
      Effect.mapError(({ message }) => new Complaint({ message: `--operator: ${message}` })),
    )
    const unknown = input.operators?.find(
      (name) => !isShipped(name) && !own.some((operator) => operator.name === name),
    )
    if (unknown === undefined) return { operators: input.operators?.filter(isShipped), own }
    const all = [...Object.keys(Operator.shipped), ...own.map(({ name }) => name)]
    return yield* new Complaint({
      message: `there is no operator "${unknown}"${meant(unknown, all, { otherwise: ";" })} the operators are: ${all.join(", ")}`,
    })
  })

export const withDefaults = (
  { operators, own = [] }: Pick<Operators, "operators"> & { readonly own?: Operators["own"] | undefined },
  defaults: ReadonlyArray<Operator.ShippedName>,
): ReadonlyArray<Operator.ShippedName | Operator.Operator> | undefined =>
  own.length === 0 ? operators : [...(operators ?? defaults), ...own]
