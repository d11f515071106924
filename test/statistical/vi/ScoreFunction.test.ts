// Bounds of hard draws and their score-function gradients, against enumeration of all trees of a tiny grammar under q.
// Seeds are fixed: a failure is a change, not bad luck. The stated rates are those of a new seed.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { logSumExp } from "../../../src/numeric/logSum.ts"
import * as Nd from "../../../src/numeric/Nd.ts"
import * as TreePrior from "../../../src/evidence/treePrior.ts"
import * as Joint from "../../../src/prob/Joint.ts"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Family from "../../../src/vi/Family.ts"
import * as Estimate from "../../../src/vi/hard/Estimate.ts"
import * as HardDraws from "../../../src/vi/hard/HardDraws.ts"
import * as Objective from "../../../src/vi/Objective.ts"
import { data, exact, formOf, model, planOf } from "../../support/tinyModel.ts"

const plans = {
  meanField: planOf(model, Family.meanField(model)),
  treeConditional: planOf(model, Family.treeConditional(model)),
  autoregressive: planOf(model, Family.autoregressive(model)),
  mixture: planOf(model, Family.mixture(model, [Family.meanField(model), Family.autoregressive(model)])),
}
const hardOf = (plan: Plan.Plan): HardDraws.HardDraws => Effect.runSync(HardDraws.make(plan, data))

/** Parameters at which all trees have some probability, none the same. */
const parametersOf = (plan: Plan.Plan): Float64Array =>
  Rng.normal(Rng.key(5), new Float64Array(plan.parameterCount)).map((z) => 0.4 * z)

interface Listed {
  readonly key: string
  readonly log: number
  readonly evidence: number
  readonly prior: number
}

/** Every tree with log q, log p(y | T) and log p(T): from factors and enumeration, not from hard draws. */
const listed = (plan: Plan.Plan, parameters: Float64Array): ReadonlyArray<Listed> => {
  const { ensembles, prior } = exact(plan)
  const logPrior = TreePrior.logPrior(prior)
  const last = Math.log1p(-0.4)
  const { sites, grammar } = plan.likelihood.forest
  const nodes = 3
  return ensembles.flatMap(({ trees: [tree], logEvidence }) => {
    const orders =
      tree!._tag === "Branch" && grammar.operators[tree!.operator]!.commutative
        ? [tree!, Tree.branch(tree!.operator, tree!.children.toReversed())]
        : [tree!]
    const keys = new Map(orders.map((one) => [Tree.key(one), one]))
    return [...keys].map(([key, one]) => {
      const blank = () => new Float64Array(nodes).fill(NaN)
      const [split, operator, terminal] = [blank(), blank(), blank()]
      split[0] = Number(one._tag === "Branch")
      if (one._tag === "Leaf") terminal[0] = one.terminal
      else {
        operator[0] = one.operator
        one.children.forEach((child, i) => {
          if (child._tag === "Leaf") terminal[1 + i] = child.terminal
        })
      }
      const values = new Map([
        [sites.split, split],
        [sites.operator, operator],
        [sites.terminal, terminal],
      ])
      const joints = [...new Set([...values.keys()].map((name) => Plan.jointOf(plan, name)))]
      return {
        key,
        log: joints.reduce(
          (sum, joint) =>
            sum + joint.logDensity!(Plan.parametersOf(plan, Joint.keyOf(joint), parameters), values)[0]!,
          0,
        ),
        evidence: logEvidence,
        prior: logPrior([one]) - TreePrior.deepest(prior, [one]) * last,
      }
    })
  })
}

const valueOf = (
  form: ReturnType<typeof formOf>,
  evidence: ReadonlyArray<number>,
  div: ReadonlyArray<number>,
) =>
  Nd.toNumber(
    form.combine(
      Nd.algebra,
      Nd.vector([...evidence]),
      form.divergence === "drawn"
        ? Nd.vector([...div])
        : Nd.scalar(div.reduce((sum, x) => sum + x, 0) / div.length),
      Nd.scalar(1),
    ),
  )

/** E_q of an objective over `samples` independent draws, by a sum over all lists of trees. */
const expected = (form: ReturnType<typeof formOf>, all: ReadonlyArray<Listed>): number => {
  const visit = (drawn: ReadonlyArray<Listed>, log: number): number =>
    drawn.length === form.samples
      ? Math.exp(log) *
        valueOf(
          form,
          drawn.map(({ evidence }) => evidence),
          drawn.map(({ log, prior }) => log - prior),
        )
      : all.reduce((sum, one) => sum + visit([...drawn, one], log + one.log), 0)
  return visit([], 0)
}

const objectives = {
  elbo: formOf(Objective.elbo({ samples: 2 })),
  importanceWeighted: formOf(Objective.importanceWeighted({ samples: 2 })),
  renyi: formOf(Objective.renyi({ samples: 2, alpha: 0.5 })),
}

describe.each(["meanField", "treeConditional", "autoregressive", "mixture"] as const)(
  "hard draws of %s",
  (name) => {
    const plan = plans[name]
    const hard = hardOf(plan)
    const parameters = parametersOf(plan)
    const all = listed(plan, parameters)

    it("are the trees of q, with the terms of their importance weights", () => {
      expect(all.length).toBe(10)
      expect(all.reduce((sum, { log }) => sum + Math.exp(log), 0)).toBeCloseTo(1, 10)
      const count = 40_000
      const { trees, evidence, divergence } = hard.draw(Rng.key(1), parameters, count)
      const found = new Map<string, number>()
      trees.forEach(([tree], h) => {
        const key = Tree.key(tree!)
        found.set(key, (found.get(key) ?? 0) + 1)
        const one = all.find((each) => each.key === key)!
        expect(evidence[h]).toBeCloseTo(one.evidence, 8)
        expect(divergence[h]).toBeCloseTo(one.log - one.prior, 8)
      })
      // Pearson's statistic with 9 degrees of freedom exceeds 31.8 with a probability of 2e-4.
      const statistic = all.reduce((sum, { key, log }) => {
        const mean = count * Math.exp(log)
        return sum + ((found.get(key) ?? 0) - mean) ** 2 / mean
      }, 0)
      expect(statistic).toBeLessThan(31.8)
      // The weights of all trees are the whole evidence.
      expect(logSumExp(all.map(({ evidence, prior }) => evidence + prior))).toBeCloseTo(
        exact(plan).logMarginal,
        8,
      )
    })

    it.each(["elbo", "importanceWeighted", "renyi"] as const)("have unbiased gradients of %s", (which) => {
      const form = objectives[which]
      const gradient = parameters.map((x, i) => {
        const at = (moved: number): number => expected(form, listed(plan, parameters.with(i, moved)))
        return (at(x + 1e-4) - at(x - 1e-4)) / 2e-4
      })
      const variances = (["leaveOneOut", "none"] as const).map((baseline) => {
        const estimate = Estimate.make(form, baseline)
        const runs = 3000
        const sums = new Float64Array(gradient.length)
        const squares = new Float64Array(gradient.length)
        for (let run = 0; run < runs; run++) {
          const draws = hard.draw(Rng.fold(Rng.key(2), run), parameters, form.samples)
          const own = new Float64Array(gradient.length)
          hard.score(parameters, draws, estimate(draws.evidence, draws.divergence, 1).scores, own)
          own.forEach((x, i) => {
            sums[i]! += x
            squares[i]! += x * x
          })
        }
        const variance = sums.map((sum, i) => squares[i]! / runs - (sum / runs) ** 2)
        // Some dozen numbers: one of them is 4.5 standard errors off with a probability below 4e-4.
        variance.forEach((v, i) => {
          expect(Math.abs(sums[i]! / runs - gradient[i]!)).toBeLessThan(4.5 * Math.sqrt(v / runs) + 1e-6)
        })
        return variance.reduce((sum, v) => sum + v, 0)
      })
      // The test can fail: some slopes are dozens of standard errors from 0.
      expect(Math.max(...gradient.map(Math.abs))).toBeGreaterThan(0.15)
      expect(variances[0]).toBeLessThan(0.2 * variances[1]!)
    })
  },
)

describe("bounds over hard draws", () => {
  const plan = plans.meanField
  const all = listed(plan, parametersOf(plan))
  const { logMarginal } = exact(plan)
  const bound = (alpha: number, samples: number): number =>
    expected(formOf(Objective.renyi({ samples, alpha })), all)

  it("begin at the ELBO, rise with the number of draws, and end at log p(y)", () => {
    const elbo = expected(formOf(Objective.elbo({ samples: 1 })), all)
    const rising = [1, 2, 3, 4].map((samples) => bound(0, samples))
    expect(rising[0]).toBeCloseTo(elbo, 10)
    for (const [i, value] of rising.entries()) {
      expect(value).toBeGreaterThan(rising[i - 1] ?? -Infinity)
      expect(value).toBeLessThan(logMarginal)
    }
    const hard = hardOf(plan)
    const { evidence, divergence } = hard.draw(Rng.key(3), parametersOf(plan), 20_000)
    const many = valueOf(
      formOf(Objective.importanceWeighted({ samples: 20_000 })),
      [...evidence],
      [...divergence],
    )
    // The standard error of the mean weight, relative to the mean, is that of the logarithm.
    const relative = Math.sqrt(
      (all.reduce(
        (sum, { evidence, log, prior }) => sum + Math.exp(2 * (evidence + prior - logMarginal) - log),
        0,
      ) -
        1) /
        20_000,
    )
    expect(relative).toBeLessThan(0.02)
    // Four standard errors: a new seed fails with a probability below 1e-4.
    expect(Math.abs(many - logMarginal)).toBeLessThan(4 * relative)
  })

  it("fall with the order alpha, from the importance-weighted bound to the ELBO", () => {
    const falling = [0, 0.5, 0.9, 1 - 1e-7, 1, 1 + 1e-7, 2].map((alpha) => bound(alpha, 3))
    for (const [i, value] of falling.entries()) if (i > 0) expect(value).toBeLessThan(falling[i - 1]! + 1e-9)
    expect(falling[0]).toBe(expected(formOf(Objective.importanceWeighted({ samples: 3 })), all))
    expect(falling[3]).toBeCloseTo(falling[4]!, 5)
    expect(falling[4]).toBeCloseTo(expected(formOf(Objective.elbo({ samples: 3 })), all), 9)
    expect(falling[4]! - falling[6]!).toBeGreaterThan(0.1)
  })
})
