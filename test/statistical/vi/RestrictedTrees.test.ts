// The term of a restricted tree prior in the ELBO, against exact enumeration of every tree of a tiny grammar under q.
// Seeds are fixed: a failure is a change, not bad luck. The stated rates are those of a new seed.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Likelihood from "../../../src/evidence/Likelihood.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Model from "../../../src/prob/Model.ts"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Prior from "../../../src/prob/Prior.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as LawRestrictions from "../../../src/prob/tree/LawRestrictions.ts"
import * as Restriction from "../../../src/prob/tree/Restriction.ts"
import * as Rng from "../../../src/random/Rng.ts"
import { point } from "../../../src/testing/arbitraryModel.ts"
import * as Oracle from "../../../src/vi/engines/oracle/engine.ts"
import * as Simd from "../../../src/vi/engines/simd/engine.ts"
import * as Family from "../../../src/vi/Family.ts"
import * as RestrictedTrees from "../../../src/vi/RestrictedTrees.ts"
import { elbo, softTrees } from "../../support/ensembles.ts"

const grammar = Grammar.make({ features: ["a", "b"], operators: [Operator.mul, Operator.sin] }).pipe(
  Grammar.forbid({ inside: "sin", operator: "sin" }),
)
const depth = 2
const K = 2
const table = [0.8, 0.4, 0.3]

const modelOf = (restrictions: ReadonlyArray<Tree.Restriction>) =>
  Model.gen(function* () {
    const operators = yield* Model.sample("operatorWeights", Dist.dirichlet.symmetric(2, 1))
    const features = yield* Model.sample("featureWeights", Dist.dirichlet.symmetric(2, 1))
    const trees = yield* Model.plate(
      "trees",
      K,
      Tree.prior({ grammar, depth, split: Prior.splitTable(table), operators, features, restrictions }),
    )
    yield* Model.observe("y", Likelihood.conjugateLinear(trees, { mu0: 0, sigma0: 10, a0: 2, b0: 1 }))
  })
const planOf = (restrictions: ReadonlyArray<Tree.Restriction>) => {
  const model = modelOf(restrictions)
  return Effect.runSync(Plan.trace(model).pipe(Effect.provide(Family.meanField(model))))
}

const uniform = { _tag: "Shared", dist: Dist.categorical([0.5, 0.5]) } as const
const size = Tree.logPrior((tree) => -Tree.size(tree) / 2)
const cases: ReadonlyArray<readonly [string, ReadonlyArray<Tree.Restriction>]> = [
  ["a hard one", [Tree.atMostNodes(3)]],
  ["a soft one", [size]],
  ["both", [Tree.atMostUses("sin", 0), size]],
  ["one of both trees", [Tree.inLaw(Tree.atMostUses("sin", 1)), Tree.contains("b"), size]],
]

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))
const softmax = (logits: ReadonlyArray<number>): ReadonlyArray<number> => {
  const total = logits.reduce((sum, x) => sum + Math.exp(x), 0)
  return logits.map((x) => Math.exp(x) / total)
}

/** Every tree that node z of tree k can be the root of, with its probability under the mean-field q. */
const treesOf = (plan: Plan.Plan, flat: Float64Array, k: number) => {
  const of = (site: string) => Plan.parametersOf(plan, site, flat)[0]!
  const [l, o, t] = [of("trees.split"), of("trees.operator"), of("trees.terminal")]
  const nodes = 2 ** (depth + 1) - 1
  const visit = (z: number, insideSin: boolean): ReadonlyArray<readonly [Tree.Tree, number]> => {
    const at = k * nodes + z
    const split = z < 2 ** depth - 1 ? sigmoid(l[at]!) : 0
    const [mul, sin] = softmax([o[2 * at]!, o[2 * at + 1]!])
    const leaf = 1 - split + (insideSin ? split * sin! : 0)
    const leaves = softmax([t[2 * at]!, t[2 * at + 1]!]).map(
      (p, terminal) => [Tree.leaf(terminal), leaf * p] as const,
    )
    if (split === 0) return leaves
    const left = visit(2 * z + 1, insideSin)
    const right = visit(2 * z + 2, insideSin)
    return [
      ...leaves,
      ...left.flatMap(([x, p]) =>
        right.map(([y, q]) => [Tree.branch(0, [x, y]), split * mul! * p * q] as const),
      ),
      ...(insideSin
        ? []
        : visit(2 * z + 1, true).map(([x, p]) => [Tree.branch(1, [x]), split * sin! * p] as const)),
    ]
  }
  return visit(0, false)
}

/** log r of both trees together, from what it needs of each. */
const jointly = (restrictions: ReadonlyArray<Tree.Restriction>) => {
  const { log, folds, states } = Restriction.compile(grammar, restrictions)
  const together = LawRestrictions.ofTrees(LawRestrictions.make(grammar, folds))
  if (together === undefined) return undefined
  const known = new Map<string, { readonly own: number; readonly states: Float64Array }>()
  const of = (tree: Tree.Tree) => {
    const key = Tree.key(tree)
    const before = known.get(key)
    if (before !== undefined) return before
    const made = { own: log(tree), states: states(tree) }
    known.set(key, made)
    return made
  }
  return (first: Tree.Tree, second: Tree.Tree): number => {
    const [a, b] = [of(first), of(second)]
    return a.own + b.own + together(0, [a.states, b.states])
  }
}

/** log Q(A) + E_q~[log r], summed over the trees; of the pair of trees with a restriction of laws. */
const exactly = (
  plan: Plan.Plan,
  flat: Float64Array,
  restrictions: ReadonlyArray<Tree.Restriction>,
): number => {
  const { log } = Restriction.compile(grammar, restrictions)
  const together = jointly(restrictions)
  if (together !== undefined) {
    let [inside, sum] = [0, 0]
    const others = treesOf(plan, flat, 1)
    for (const [first, p] of treesOf(plan, flat, 0))
      for (const [second, q] of others) {
        const own = together(first, second)
        if (own === -Infinity) continue
        inside += p * q
        sum += p * q * own
      }
    return Math.log(inside) + sum / inside
  }
  let total = 0
  for (let k = 0; k < K; k++) {
    let [all, inside, sum] = [0, 0, 0]
    for (const [tree, p] of treesOf(plan, flat, k)) {
      const own = log(tree)
      all += p
      if (own === -Infinity) continue
      inside += p
      sum += p * own
    }
    expect(all).toBeCloseTo(1, 12)
    total += Math.log(inside) + sum / inside
  }
  return total
}

describe("the term of a restricted prior", () => {
  it.effect.each(cases)(
    "and its gradient have the expectations of enumeration (five standard errors, fails once in 1,000 seeds): %s",
    ([, restrictions]) =>
      Effect.gen(function* () {
        const plan = planOf(restrictions)
        const { parameters } = point(plan, 1, 4, 0.7)
        // With many draws the ratio's bias, of order 1 / H, is far below the standard errors.
        const term = yield* RestrictedTrees.make(plan, 2048)
        const count = 60
        const length = plan.parameterCount
        const [sums, squares] = [new Float64Array(length + 1), new Float64Array(length + 1)]
        for (let i = 0; i < count; i++) {
          const gradient = new Float64Array(length)
          const noise = Rng.normal(Rng.fold(Rng.key(77), i), new Float32Array(2))
          const value = term!.value(parameters, noise, 1, gradient)
          ;[...gradient, value].forEach((x, at) => {
            sums[at]! += x
            squares[at]! += x * x
          })
        }
        const step = 1e-5
        const expected = Array.from({ length }, (_, at) => {
          const moved = (by: number) => parameters.with(at, parameters[at]! + by)
          return (
            (exactly(plan, moved(step), restrictions) - exactly(plan, moved(-step), restrictions)) /
            (2 * step)
          )
        })
        expected.push(exactly(plan, parameters, restrictions))
        let moving = 0
        expected.forEach((want, at) => {
          const mean = sums[at]! / count
          const error = Math.sqrt(Math.max(0, squares[at]! / count - mean ** 2) / (count - 1))
          expect(Math.abs(mean - want), `parameter ${at}`).toBeLessThan(5 * error + 1e-9)
          // The test would see a sign, a factor of 2 or a missing part of most derivatives.
          if (Math.abs(want) > 10 * error && error > 0) moving++
        })
        expect(moving).toBeGreaterThan(10)
      }),
  )

  it("is E_q[log r] where nothing is excluded", () => {
    const plan = planOf([size])
    const { parameters } = point(plan, 1, 5, 0.7)
    let expected = 0
    for (let k = 0; k < K; k++)
      for (const [tree, p] of treesOf(plan, parameters, k)) expected -= (p * Tree.size(tree)) / 2
    expect(exactly(plan, parameters, [size])).toBeCloseTo(expected, 12)
  })

  it.effect("is what engines add to the ELBO, with the weight of the divergence", () =>
    Effect.gen(function* () {
      const restrictions = [Tree.atMostNodes(3), size]
      const [plan, plain] = [planOf(restrictions), planOf([])]
      const { parameters, noise } = point(plan, 3, 6, 0.7)
      const data = {
        features: ["a", "b"],
        columns: [Float64Array.of(0.5, -1, 2), Float64Array.of(1.5, 0.25, -0.75)],
        target: "y",
        y: Float64Array.of(1, 0, -2),
        rows: 3,
      }
      const controls = { temperature: 0.8, divergenceWeight: 0.25 }
      const term = (yield* RestrictedTrees.make(plan))!
      const own = new Float64Array(plan.parameterCount)
      const value = term.value(parameters, noise, 0.25, own)
      expect(value).toBe(term.value(parameters, noise))
      for (const engine of [Oracle.engine, Simd.engine])
        yield* Effect.scoped(
          Effect.gen(function* () {
            const run = (of: Plan.Plan) =>
              Effect.map(engine.compile(of, data, softTrees(200), elbo(3)), (compiled) => {
                const gradient = new Float64Array(plan.parameterCount)
                const result = compiled.valueAndGradient(parameters, noise, controls, gradient)
                expect(compiled.value(parameters, noise, controls).objective).toBeCloseTo(result.objective, 5)
                return { ...result, gradient }
              })
            const [with_, without] = [yield* run(plan), yield* run(plain)]
            expect(with_.evidence).toBe(without.evidence)
            expect(with_.divergence).toBeCloseTo(without.divergence - value, 10)
            expect(with_.objective).toBeCloseTo(without.objective + 0.25 * value, 10)
            own.forEach((slope, at) =>
              expect(with_.gradient[at]).toBeCloseTo(without.gradient[at]! + slope, 10),
            )
          }),
        )
    }),
  )

  it.effect("moves a family to trees that are not excluded", () =>
    Effect.gen(function* () {
      const restrictions = [Tree.atMostNodes(3), Tree.atMostUses("b", 0)]
      const plan = planOf(restrictions)
      const term = (yield* RestrictedTrees.make(plan))!
      const parameters = point(plan, 1, 8, 0.3).parameters
      const before = exactly(plan, parameters, restrictions)
      for (let step = 0; step < 200; step++) {
        const gradient = new Float64Array(plan.parameterCount)
        term.value(parameters, Rng.normal(Rng.fold(Rng.key(9), step), new Float32Array(2)), 0.3, gradient)
        gradient.forEach((slope, at) => (parameters[at]! += slope))
      }
      // From a probability of both trees below 0.2 to one above 0.9.
      expect(before).toBeLessThan(Math.log(0.2))
      expect(exactly(plan, parameters, restrictions)).toBeGreaterThan(Math.log(0.9))
    }),
  )

  it("has weights that say nothing where nothing is excluded and all are alike, and a value when nothing is in A", () => {
    expect(RestrictedTrees.estimateOf(Float64Array.of(-2, -2, -2))).toEqual({ value: -2, weights: undefined })
    expect(RestrictedTrees.estimateOf(new Float64Array(8).fill(-Infinity))).toEqual({
      value: Math.log(1 / 16),
      weights: undefined,
    })
    const { value, weights } = RestrictedTrees.estimateOf(Float64Array.of(0, -Infinity, 0, -1))
    expect(value).toBeCloseTo(Math.log(0.75) - 1 / 3, 14)
    expect(weights!.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(0, 14)
  })

  it.effect("needs the scores of factors", () =>
    Effect.gen(function* () {
      const model = modelOf([size])
      const { score: _, ...unscored } = Family.factors
        .categorical()
        .make({ name: "trees.operator", support: "categorical", shape: [2, 7], size: 2, prior: uniform })
      const roles = { operator: { categorical: { support: "categorical", make: () => unscored } as const } }
      const plan = yield* Plan.trace(model).pipe(Effect.provide(Family.meanField(model, { roles })))
      const error = yield* Effect.flip(RestrictedTrees.make(plan))
      expect(error.message).toMatch(/the factor .* of the site "trees\.operator" has no `score`/)
    }),
  )
})
