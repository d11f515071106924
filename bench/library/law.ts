/** The search of laws as the benchmarks use it: what they call of `Law.fit` is called here and in firstSight.ts. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Dataset } from "../../src/data/Data.ts"
import type { Operator, ShippedName } from "../../src/expr/Operator.ts"
import * as Infer from "../../src/infer/Fit.ts"
import * as Stop from "../../src/infer/Stop.ts"
import type { Fitted } from "../../src/models/Fitted.ts"
import * as Law from "../../src/models/law.ts"
import * as Constant from "../../src/prob/Constant.ts"
import * as Dist from "../../src/prob/Dist.ts"
import * as Link from "../../src/prob/Link.ts"
import type { Model } from "../../src/rank/Model.ts"
import { all } from "../../src/search/Moves.ts"
import type * as Session from "../../src/search/Session.ts"
import * as Family from "../../src/vi/Family.ts"
import * as Objective from "../../src/vi/Objective.ts"

type Changeable = "links" | "constants" | "trees" | "depth" | "learned"

/** How a search differs from the shipped one, to see what its parts bring. */
interface Variant {
  readonly options?: Pick<Law.Options, Changeable>
  readonly objective?: Partial<Session.Settings>
  /** a family in which children depend on their parents, in place of mean field */
  readonly conditional?: true
}

/** By name: a search without each of its moves, and with other sizes and options. */
export const variants: Readonly<Record<string, Variant>> = {
  ...Object.fromEntries(
    [...all].map((move) => [
      `without-${move}`,
      { objective: { moves: new Set([...all].filter((one) => one !== move)) } },
    ]),
  ),
  "without-links": { options: { links: [Link.identity] } },
  "without-constants": { options: { constants: [] } },
  "one-tree": { options: { trees: 1 } },
  shallow: { options: { depth: 3 } },
  deep: { options: { depth: 7 } },
  learned: { options: { learned: Constant.learned(Dist.normal(0, 10)) } },
  "small-library": { objective: { bank: 1000 } },
  "all-rows": { objective: { rows: Infinity } },
  "without-draws": { objective: { share: 0 } },
  "more-draws": { objective: { share: 0.5 } },
  conditional: { conditional: true },
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
}

/** What a search says after each step. */
export interface Step {
  /** the law that is best so far, worked out when it is asked for */
  readonly best: () => Model | undefined
  /** ensembles scored so far */
  readonly scored: number
}

const optionsOf = (name: string | undefined, time: number): Pick<Law.Options, Changeable | "inference"> => {
  const variant = name === undefined ? undefined : variants[name]
  if (variant === undefined) {
    if (name !== undefined) throw new Error(`there is no variant ${name}`)
    return {}
  }
  const { options = {}, objective = {}, conditional } = variant
  return {
    ...options,
    inference: (law) => {
      // What comes later counts.
      const changed = Layer.merge(Law.inference(law, { time }), Objective.inclusive(objective))
      return conditional === true ? Layer.merge(changed, Family.treeConditional(law)) : changed
    },
  }
}

/** Searches all rows for their law, for `seconds` at most; the ranking at the end takes a second or two more. */
export const searchFor = (
  train: Dataset,
  seconds: number,
  { operators, trees, depth, learned = false, seed, variant }: Given,
  onStep: (step: Step) => void,
): Promise<Fitted> =>
  Effect.runPromise(
    Law.fit(
      train,
      {
        operators,
        trees,
        depth,
        time: seconds,
        testFraction: 0,
        ...optionsOf(variant, seconds),
        ...(learned ? { learned: Constant.learned(Dist.normal(0, 10)) } : {}),
      },
      onStep,
    ).pipe(Effect.provide(Infer.seed(seed))),
  )

/** Searches all rows for their law, for so many steps. */
export const searchSteps = (
  train: Dataset,
  steps: number,
  {
    operators,
    trees,
    depth,
    seed,
  }: Omit<Given, "variant" | "learned" | "operators"> & {
    readonly operators: ReadonlyArray<Operator>
  },
): Promise<Fitted> =>
  Effect.runPromise(
    Law.fit(train, {
      operators,
      trees,
      depth,
      testFraction: 0,
      inference: (program) => Layer.mergeAll(Law.inference(program), Stop.layer({ steps })),
    }).pipe(Effect.provide(Infer.seed(seed))),
  )
