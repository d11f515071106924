/**
 * The paper's model and inference with every choice open that the settings of a case name. What is published here gives
 * what `Vasst.fit` gives, seed by seed; a test holds it.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Dist from "../../src/prob/Dist.ts"
import * as Grammar from "../../src/prob/Grammar.ts"
import * as Likelihood from "../../src/evidence/Likelihood.ts"
import * as Model from "../../src/prob/Model.ts"
import * as Operator from "../../src/expr/Operator.ts"
import * as Prior from "../../src/prob/Prior.ts"
import * as Tree from "../../src/prob/Tree.ts"
import * as Family from "../../src/vi/Family.ts"
import * as Objective from "../../src/vi/Objective.ts"
import * as Optimizer from "../../src/vi/Optimizer.ts"
import * as Stop from "../../src/infer/Stop.ts"
import { paper } from "../../src/models/vasst.ts"
import * as Relaxation from "../../src/vi/Relaxation.ts"
import * as Schedule from "../../src/vi/Schedule.ts"
import * as Rng from "../../src/random/Rng.ts"
import type { DataOf, Settings } from "./case.ts"

/** The grammar of a case. Throws when an operator does not ship. */
export const grammarOf = (
  features: ReadonlyArray<string>,
  operators: NonNullable<DataOf["operators"]>,
): Grammar.Grammar => {
  const shipped: Readonly<Record<string, Operator.Operator>> = Operator.shipped
  return Grammar.make({
    features,
    operators: operators.map((name) => {
      const found = shipped[name]
      if (found === undefined) throw new Error(`there is no operator ${name}`)
      return found
    }),
  })
}

type Coefficients = { readonly sigma0: number } | "hyperG"

/** The paper's model; with the hyper-g/n prior of coefficients in place of the paper's it can be ranked, not relaxed. */
export const modelOf = (
  grammar: Grammar.Grammar,
  { trees, depth }: Pick<Settings, "trees" | "depth">,
  coefficients: Coefficients,
) =>
  Model.gen(function* () {
    const weights = (length: number) => Dist.dirichlet.symmetric(length, paper.concentration)
    const operators = yield* Model.sample("operatorWeights", weights(grammar.operators.length))
    const features = yield* Model.sample("featureWeights", weights(grammar.terminals.length))
    const split = Prior.depthDecay(paper.split.alpha, paper.split.delta)
    const forest = yield* Model.plate(
      "trees",
      trees,
      Tree.prior({ grammar, depth, split, operators, features }),
    )
    const { mu0 } = paper.coefficients
    yield* Model.observe(
      "y",
      coefficients === "hyperG"
        ? Likelihood.selectedLinear(forest)
        : Likelihood.conjugateLinear(forest, { mu0, sigma0: coefficients.sigma0, ...paper.noise }),
    )
  })

export type Program = ReturnType<typeof modelOf>

/** As a factor maker, but logits start about 0 whatever the prior. */
const fromHalf = (maker: Family.FactorMaker<"binary">, scatter: number): Family.FactorMaker<"binary"> => ({
  ...maker,
  make: (site) => {
    const factor = maker.make(site)
    return {
      ...factor,
      parameters: factor.parameters.map((slot) => ({
        ...slot,
        initialise: (key) => {
          const length = slot.shape.reduce((product, size) => product * size, 1)
          return Rng.normal(key, new Float64Array(length)).map((z) => scatter * z)
        },
      })),
    }
  },
})

/** The mean-field family of a case. */
export const familyOf = (program: Program, settings: Pick<Settings, "logitsClip" | "scatter" | "splits">) => {
  const { logitsClip, scatter, splits } = settings
  // A bound that no logit reaches is none.
  const logits = { logitsClip: logitsClip ?? 1e6, initialScale: scatter }
  const { factors } = Family
  if (splits === "prior") return Family.meanField(program, logits)
  return Family.make(program)({
    operatorWeights: factors.dirichlet(),
    featureWeights: factors.dirichlet(),
    "trees.split": fromHalf(factors.bernoulli(logits), scatter),
    "trees.operator": factors.categorical(logits),
    "trees.terminal": factors.categorical(logits),
  })
}

/**
 * The inference of one restart of a case: as many steps as come to its share.
 */
export const inferenceOf = (program: Program, settings: Settings) => {
  const { rate, restarts, start, end, annealing, samples, valueClip, warmUp, decay, method } = settings
  const steps = Math.round(settings.steps / restarts)
  return Layer.mergeAll(
    familyOf(program, settings),
    Relaxation.concrete({
      temperature: Schedule.linear(start, end, Math.round(annealing * steps)),
      ...(valueClip === null ? {} : { valueClip }),
    }),
    method === "collapsed"
      ? Objective.inclusive()
      : Objective.elbo({
          samples,
          ...(warmUp === 0 ? {} : { divergenceWeight: Schedule.warmUp(Math.round(warmUp / restarts)) }),
        }),
    Optimizer.layer(
      Optimizer.chain(
        Optimizer.clipByNorm(paper.gradientClip),
        Optimizer.adamW({ learningRate: rate, betas: paper.betas, weightDecay: decay }),
      ),
    ),
    Stop.layer({ steps }),
  )
}

/** Runs an effect that needs nothing any more. */
export const go = <A, E>(effect: Effect.Effect<A, E>): Promise<A> => Effect.runPromise(effect)
