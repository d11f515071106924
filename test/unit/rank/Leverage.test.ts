import { Prototype } from "effect/Pipeable"
import { describe, expect, it } from "vitest"
import * as Noise from "../../../src/evidence/Noise.ts"
import * as Leverage from "../../../src/rank/Leverage.ts"
import type { Model } from "../../../src/rank/Model.ts"
import type { Ranking } from "../../../src/rank/Ranking.ts"
import * as Tree from "../../../src/prob/Tree.ts"

const noise = (kind: Noise.Kind): Model["noise"] => ({
  kind: kind.name,
  form: kind,
  exact: false,
  knownErrors: false,
  probability: 1,
  sigma: 1,
  wrongRows: [],
  weights: () => undefined,
})

/** The fields of a model that are read. */
const model = (terms: number, posterior: number, rmseLoo: number, kind = Noise.additive): Model =>
  // A test's model has the fields that the function reads.
  ({
    ensemble: { trees: Array.from({ length: terms }, () => Tree.leaf(0)), link: 0, key: "" },
    posterior,
    rmseLoo,
    noise: noise(kind),
  }) as unknown as Model

const posteriors = (...models: ReadonlyArray<Model>): ReadonlyArray<number> => {
  const ranking: Ranking = { ...Prototype, models, draws: 3, inadmissible: 0, distinct: 3, scale: 1 }
  return Leverage.removed(ranking).models.map(({ posterior }) => posterior)
}

describe("laws that single rows make", () => {
  it("give their probability to the constant", () => {
    expect(posteriors(model(1, 0.5, 790), model(2, 0.3, Infinity), model(0, 0.2, 2))).toEqual([0, 0, 1])
  })

  it("are those before the first law that predicts", () => {
    expect(posteriors(model(1, 0.5, 1), model(2, 0.3, 9), model(0, 0.2, 2))).toEqual([0.5, 0.3, 0.2])
    expect(posteriors(model(1, 0.5, 9), model(2, 0.3, 1), model(0, 0.2, 2))).toEqual([0, 0.3, 0.7])
  })

  it("are told by errors of noise that is of one size on all rows, whatever its name", () => {
    const own = Noise.make("my tails", { degrees: 6 })
    expect(posteriors(model(1, 0.8, 9, own), model(0, 0.2, 2))).toEqual([0, 1])
    expect(posteriors(model(1, 0.8, 9, Noise.proportional), model(0, 0.2, 2))).toEqual([0.8, 0.2])
  })
})
