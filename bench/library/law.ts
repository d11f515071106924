/** The search of laws as the benchmarks use it: what they call of `Law.fit` is called here and in firstSight.ts. */
import * as Effect from "effect/Effect"
import type { Dataset } from "../../src/data/Data.ts"
import type { Operator, ShippedName } from "../../src/expr/Operator.ts"
import * as Units from "../../src/expr/Units.ts"
import * as Inclusive from "../../src/inclusive/Inclusive.ts"
import * as Fit from "../../src/infer/Fit.ts"
import * as Law from "../../src/models/law.ts"
import * as Constant from "../../src/prob/Constant.ts"
import * as Dist from "../../src/prob/Dist.ts"
import * as Link from "../../src/prob/Link.ts"
import type { Model } from "../../src/rank/Model.ts"
import * as Moves from "../../src/search/Moves.ts"
import * as Family from "../../src/vi/Family.ts"

type Changeable = "links" | "constants" | "trees" | "depth" | "fitted"

/** How a search differs from the shipped one, to see what its parts bring. */
interface Variant {
  readonly options?: Pick<Law.Options, Changeable>
  readonly search?: Law.Options["search"]
  /** a search in which a family takes part, with this share of the work, and which */
  readonly family?: { readonly share: number; readonly of: typeof Family.treeConditional }
}

/** By name: a search without each of its moves, and with other sizes and options. */
export const variants: Readonly<Record<string, Variant>> = {
  ...Object.fromEntries(
    Moves.all.map(({ name }) => [`without-${name}`, { search: { moves: Moves.without(name) } }]),
  ),
  "without-restarts": { search: { restarts: false } },
  "without-links": { options: { links: [Link.identity] } },
  "without-constants": { options: { constants: [] } },
  "one-tree": { options: { trees: 1 } },
  shallow: { options: { depth: 3 } },
  "depth-5": { options: { depth: 5 } },
  "trees-5": { options: { trees: 5 } },
  learned: { options: { fitted: Constant.fitted(Dist.normal(0, 10)) } },
  "small-library": { search: { library: 1000 } },
  "all-rows": { search: { rows: Infinity } },
  "with-draws": { family: { share: 0.1, of: Family.meanField } },
  "more-draws": { family: { share: 0.5, of: Family.meanField } },
  conditional: { family: { share: 0.1, of: Family.treeConditional } },
}

/** What a search is given. */
export interface Given {
  readonly operators: ReadonlyArray<ShippedName>
  readonly trees: number
  readonly depth: number
  /** whether terminals may be numbers that are learned */
  readonly learned?: boolean
  readonly seed: number
  /** of `variants`; the shipped search if left out */
  readonly variant?: string | undefined
  /** the unit of each column, numbers having none */
  readonly units?: Readonly<Record<string, string>> | undefined
}

/** What a search says after each step. */
export interface Step {
  /** the law that is best so far, worked out when it is asked for */
  readonly best: () => Model | undefined
  /** ensembles scored so far */
  readonly scored: number
}

const variantOf = (name: string | undefined): Variant => {
  const variant = name === undefined ? {} : variants[name]
  if (variant === undefined) throw new Error(`there is no variant ${name}`)
  return variant
}

/** Searches all rows for their law, for `seconds` at most; the ranking at the end takes a second or two more. */
export const searchFor = (
  train: Dataset,
  seconds: number,
  { operators, trees, depth, learned = false, seed, variant, units }: Given,
  onStep: (step: Step) => void,
): Promise<Law.Fitted> => {
  const { options = {}, search = {}, family } = variantOf(variant)
  const given: Law.Options = {
    operators,
    trees,
    depth,
    time: seconds,
    testFraction: 0,
    ...options,
    units: units && Units.of(units, { numbers: "dimensionless" }),
    ...(learned ? { fitted: Constant.fitted(Dist.normal(0, 10)) } : {}),
  }
  const fit =
    family === undefined
      ? Law.fit(train, { ...given, search }, onStep)
      : Law.fitBy(
          (law, data) =>
            Inclusive.algorithm(law, data, { share: family.share }).pipe(Effect.provide(family.of(law))),
          train,
          given,
          onStep,
        )
  return Effect.runPromise(Effect.provide(fit, Fit.seed(seed)))
}

/** Searches all rows for their law, for `steps` steps. */
export const searchSteps = (
  train: Dataset,
  steps: number,
  {
    operators,
    trees,
    depth,
    seed,
  }: Omit<Given, "variant" | "learned" | "operators" | "units"> & {
    readonly operators: ReadonlyArray<Operator>
  },
): Promise<Law.Fitted> =>
  Effect.runPromise(
    Law.fit(train, { operators, trees, depth, testFraction: 0, steps }).pipe(Effect.provide(Fit.seed(seed))),
  )
