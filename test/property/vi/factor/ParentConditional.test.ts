import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Dist from "../../../../src/prob/Dist.ts"
import type { Factor } from "../../../../src/prob/Factor.ts"
import * as Nd from "../../../../src/numeric/Nd.ts"
import * as Family from "../../../../src/vi/Family.ts"
import * as Rng from "../../../../src/random/Rng.ts"
import { CompileError } from "../../../../src/errors/Errors.ts"
import { chiSquare } from "../../../../src/testing/goodnessOfFit.ts"
import { divergence, near, shared, siteOf, softmax, sum } from "../../../support/factors.ts"
import { runs } from "../../../support/property.ts"

// Trees whose nodes are drawn given their parents, against the enumeration of all labellings of a small skeleton.

const { factors } = Family
const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const vector = (length: number) => fc.array(number(-3, 3), { minLength: length, maxLength: length })

const nodes = 7
const m = 2
/** All labellings of a skeleton of three levels with two categories. */
const labellings = Array.from({ length: m ** nodes }, (_, index) =>
  Array.from({ length: nodes }, (__, node) => (index >> node) & 1),
)

/** log q by its definition, for one tree with rows of logits. */
const byHand = (rows: ReadonlyArray<ReadonlyArray<number>>, labels: ReadonlyArray<number>): number => {
  const tables = rows.map(softmax)
  return sum(labels.map((label, z) => Math.log(tables[z === 0 ? 0 : 1 + labels[(z - 1) >> 1]!]![label]!)))
}

const one = (prior: Dist.Prior<"categorical"> = Dist.categorical([0.3, 0.7])): Factor =>
  factors.parentConditional().make(siteOf("categorical", shared(prior), [nodes], m))

const tables = fc.array(vector(m), { minLength: m + 1, maxLength: m + 1 })

describe("a categorical site given parents", () => {
  it("has a log density that is the product of its tables, and sums to 1", () =>
    fc.assert(
      fc.property(tables, (rows) => {
        const logs = one().logDensity!(rows, labellings.flat())
        near(sum(Array.from(logs, Math.exp)), 1)
        logs.forEach((log, i) => near(log, byHand(rows, labellings[i]!), 10))
      }),
      runs(30),
    ))

  it("sums over nodes that are NaN, wherever they are", () =>
    fc.assert(
      fc.property(
        tables,
        fc.array(fc.option(fc.nat({ max: 1 }), { nil: NaN }), { minLength: nodes, maxLength: nodes }),
        (rows, known) => {
          const matching = labellings.filter((labels) =>
            labels.every((label, z) => Number.isNaN(known[z]) || label === known[z]),
          )
          const expected = Math.log(sum(matching.map((labels) => Math.exp(byHand(rows, labels)))))
          near(one().logDensity!(rows, known)[0]!, expected, 10)
        },
      ),
      runs(60),
    ))

  it("keeps the tables of trees apart", () =>
    fc.assert(
      fc.property(tables, tables, fc.nat({ max: 127 }), fc.nat({ max: 127 }), (a, b, i, j) => {
        const prior = shared(Dist.categorical([0.5, 0.5]))
        const factor = factors.parentConditional().make(siteOf("categorical", prior, [2, nodes], m))
        const rows = a.map((row, r) => [...row, ...b[r]!])
        const [log] = factor.logDensity!(rows, [...labellings[i]!, ...labellings[j]!])
        near(log!, byHand(a, labellings[i]!) + byHand(b, labellings[j]!), 10)
        const own = one(Dist.categorical([0.5, 0.5]))
        near(divergence(factor, rows), divergence(own, a) + divergence(own, b), 10)
      }),
      runs(30),
    ))

  it("diverges from its prior as the enumeration says: weights of one's own, latent, or of each node", () =>
    fc.assert(
      fc.property(tables, fc.array(vector(m), { minLength: nodes, maxLength: nodes }), (rows, raw) => {
        const weights = raw.map(softmax)
        const kl = (logPrior: (label: number, node: number) => number): number =>
          sum(
            labellings.map((labels) => {
              const log = byHand(rows, labels)
              return Math.exp(log) * (log - sum(labels.map(logPrior)))
            }),
          )
        const fixed = one(Dist.categorical(weights[0]!))
        near(
          divergence(fixed, rows),
          kl((label) => Math.log(weights[0]![label]!)),
          10,
        )
        const each = { _tag: "Each", dists: weights.map((w) => Dist.categorical(w)) } as const
        near(
          divergence(factors.parentConditional().make(siteOf("categorical", each, [nodes], m)), rows),
          kl((label, node) => Math.log(weights[node]![label]!)),
          10,
        )
        const latent = one(
          Dist.categorical({ _tag: "Sym", site: "w", support: "simplex", shape: [], size: m }),
        )
        const log = raw[1]!
        const parent = { mean: Nd.vector([0.5, 0.5]), log: Nd.vector(log) }
        near(
          divergence(latent, rows, () => parent),
          kl((label) => log[label]!),
          10,
        )
      }),
      runs(30),
    ))

  it("is mean-field where all rows are equal", () =>
    fc.assert(
      fc.property(vector(m), (row) => {
        const prior = shared(Dist.categorical([0.3, 0.7]))
        const meanField = factors.categorical().make(siteOf("categorical", prior, [nodes], m))
        near(
          divergence(one(), [row, row, row]),
          divergence(meanField, [labellings[0]!.flatMap(() => row)]),
          10,
        )
      }),
      runs(30),
    ))

  it("draws what its density says", () => {
    const rows = [
      [0.5, 0],
      [1, -1],
      [-0.7, 0.4],
    ]
    const draws = one().sample(Rng.key(3), rows, 20_000)
    const counts = labellings.map(() => 0)
    for (let i = 0; i < draws.length; i += nodes)
      counts[sum(Array.from(draws.subarray(i, i + nodes), (label, z) => label << z))]! += 1
    const probabilities = labellings.map((labels) => Math.exp(byHand(rows, labels)))
    expect(chiSquare(counts, probabilities).pValue).toBeGreaterThan(1e-4)
    // The same without a parent: rows that are not told apart.
    const apart = labellings.map((labels) => Math.exp(byHand([rows[0]!, rows[1]!, rows[1]!], labels)))
    expect(chiSquare(counts, apart).pValue).toBeLessThan(1e-4)
    expect(one().sample(Rng.key(3), rows, 10)).toEqual(draws.slice(0, 10 * nodes))
  })

  it("draws two trees from two tables", () => {
    const factor = factors
      .parentConditional()
      .make(siteOf("categorical", shared(Dist.categorical([0.5, 0.5])), [2, 3], m))
    // The first tree is all 0, the second all 1.
    const row = [9, -9, -9, 9]
    const draws = factor.sample(Rng.key(1), [row, row, row], 50)
    expect(Array.from(draws)).toEqual(Array.from({ length: 50 }, () => [0, 0, 0, 1, 1, 1]).flat())
  })

  it("wants the nodes of a skeleton, and has nothing to tell other sites", () => {
    const make = (shape: ReadonlyArray<number>) =>
      factors.parentConditional().make(siteOf("categorical", shared(Dist.categorical([0.5, 0.5])), shape, m))
    expect(() => make([2, 6])).toThrow(CompileError)
    expect(() => make([2, 6])).toThrow('the site "site" has the shape [2,6]')
    expect(() => make([])).toThrow(CompileError)
    expect(() => make([1]).moments(Nd.algebra, [])).toThrow("a prior depends on the categories")
    near(
      divergence(make([1]), [
        [1, 0],
        [0, 0],
        [0, 0],
      ]),
      Dist.kl(Dist.categorical(softmax([1, 0])), Dist.categorical([0.5, 0.5])),
    )
  })
})
