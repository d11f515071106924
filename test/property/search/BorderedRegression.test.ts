import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { largest } from "../../../src/evidence/columns.ts"
import { leastSquares } from "../../../src/numeric/leastSquares.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as BorderedRegression from "../../../src/search/BorderedRegression.ts"
import * as SearchSpace from "../../../src/search/SearchSpace.ts"
import { arbitraryEnsemble, arbitraryTree } from "../../../src/testing/arbitraryModel.ts"
import { runs } from "../../support/property.ts"

/** Any grammar, data of a few rows, and trees of which the first two at most are held. */
const forests = arbitraryEnsemble({ rows: 40, depth: 3 }).chain((ensemble) =>
  fc.record({
    ensemble: fc.constant(ensemble),
    base: fc.array(arbitraryTree(ensemble.grammar, ensemble.depth), { maxLength: 2 }),
    trees: fc.array(arbitraryTree(ensemble.grammar, ensemble.depth), { minLength: 1, maxLength: 20 }),
  }),
)

const squares = (column: Float64Array): number => column.reduce((sum, value) => sum + value * value, 0)
const admissible = (column: Float64Array): boolean => column.every((value) => Math.abs(value) < largest)

/** The least share of a column's square that lies outside of the span of those before it. */
const posedness = (design: ReadonlyArray<Float64Array>): number =>
  design.reduce(
    (least, column, k) => Math.min(least, leastSquares(design.slice(0, k), column).rss / squares(column)),
    1,
  )

describe("bordered regressions", () => {
  it("have the residual sums of squares of least squares on their columns, and tell which have none", () => {
    let compared = 0
    fc.assert(
      fc.property(forests, ({ ensemble, base, trees }) => {
        const { grammar, data, depth } = ensemble
        const weights = {
          depth,
          split: { alpha: 0.95, delta: 1 },
          operators: grammar.operators.map(() => 0),
          terminals: grammar.terminals.map(() => 0),
        }
        const space = Effect.runSync(
          SearchSpace.make(grammar, weights, data, 1, Rng.key(3), undefined, 2 ** 18),
        )
        const regression = BorderedRegression.make(space, 4)
        const [response] = space.responses
        const z = space.kernel.column(response!.id)
        const one = new Float64Array(data.rows).fill(1)
        const held = base.map(space.dag.intern)
        const columns = held.map(space.kernel.column)
        const alone = regression.hold(held, 0)
        if (!columns.every(admissible)) {
          expect(alone).toBeNaN()
          return
        }
        const ids = Int32Array.from(trees, space.dag.intern)
        const table = regression.moments(ids, ids.length).slice()
        const total = leastSquares([one], z).rss
        ids.forEach((id, i) => {
          const found = regression.rss(table, i * regression.width())
          const column = space.kernel.column(id)
          // NaN, or negative for a constant.
          if (!admissible(column)) expect(found).not.toBeGreaterThanOrEqual(0)
          else {
            const design = [one, ...columns, column]
            // Whose squares underflow.
            if (design.some((one) => squares(one) < 1e-260)) return
            const posed = posedness(design)
            if (posed > 1e-4) {
              compared++
              expect(Math.abs(found - leastSquares(design, z).rss)).toBeLessThanOrEqual(1e-8 * total)
            } else if (posed < 1e-13 && posedness(design.slice(0, -1)) > 1e-4) {
              // In the span of the others, and not for being nearly constant, which is told by rounding.
              if (posedness([one, column]) > 1e-4) expect(found).toBeLessThan(0)
            }
          }
        })
      }),
      runs(300),
    )
    expect(compared).toBeGreaterThan(200)
  })
})
