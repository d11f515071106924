import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Interpreter from "../../../../../src/prob/Interpreter.ts"
import * as Plan from "../../../../../src/prob/Plan.ts"
import * as Tape from "../../../../../src/vi/engines/tape/Tape.ts"
import type { Algebra } from "../../../../../src/numeric/Algebra.ts"
import * as Dist from "../../../../../src/prob/Dist.ts"
import { type Factor, type Moments, relaxedBy } from "../../../../../src/prob/Factor.ts"
import * as Grammar from "../../../../../src/prob/Grammar.ts"
import * as Likelihood from "../../../../../src/evidence/Likelihood.ts"
import * as Model from "../../../../../src/prob/Model.ts"
import * as Nd from "../../../../../src/numeric/Nd.ts"
import * as Operator from "../../../../../src/expr/Operator.ts"
import * as Prior from "../../../../../src/prob/Prior.ts"
import * as Sym from "../../../../../src/prob/Sym.ts"
import * as Tree from "../../../../../src/prob/Tree.ts"
import * as Family from "../../../../../src/vi/Family.ts"
import { elbo, softTrees } from "../../../../support/ensembles.ts"
import { shared, siteOf } from "../../../../support/factors.ts"
import { runs } from "../../../../support/property.ts"

// The shipped factors, and whole plans, on a tape: values bit for bit those of the float64 algebra, gradients by central
// differences.

const { factors } = Family
const relaxation = softTrees(undefined)

/** Arrays of an algebra, by name. */
type Results<T> = Readonly<Record<string, T>>

interface Context<T> {
  readonly A: Algebra<T>
  readonly array: (values: ReadonlyArray<number>, shape: ReadonlyArray<number>) => T
  /** stands for the forest, which tapes leave to others: any arrays to [S] */
  readonly elsewhere: (inputs: ReadonlyArray<T>) => T
}

/** Something written once for every algebra, with the shapes of its parameters and inputs; temperature comes last. */
interface Written {
  readonly parameters: ReadonlyArray<ReadonlyArray<number>>
  readonly inputs: ReadonlyArray<ReadonlyArray<number>>
  /** `root` is the scalar that is differentiated */
  readonly run: <T extends Nd.Nd | Tape.Value>(
    context: Context<T>,
    parameters: ReadonlyArray<T>,
    inputs: ReadonlyArray<T>,
  ) => Results<T> & { readonly root: T }
}

const samples = 2

/** sum of cos(i) x_i^2 over all elements i of a sample, in all arrays [S, ...] */
const mixed = (out: Float64Array, inputs: ReadonlyArray<{ readonly data: Float64Array }>): void => {
  out.fill(0)
  for (const { data } of inputs)
    data.forEach((x, i) => (out[Math.floor((i * samples) / data.length)]! += x * x * Math.cos(i)))
}

const onNd = ({ run }: Written, parameters: ReadonlyArray<Nd.Nd>, inputs: ReadonlyArray<Nd.Nd>) => {
  const elsewhere = (arrays: ReadonlyArray<Nd.Nd>): Nd.Nd => {
    const out = new Float64Array(samples)
    mixed(out, arrays)
    return Nd.vector(out)
  }
  return run({ A: Nd.algebra, array: (values, shape) => Nd.of(shape, values), elsewhere }, parameters, inputs)
}

const record = (written: Written) =>
  Tape.record(({ algebra, array, parameter, input, external }) => {
    const parameters = written.parameters.map(parameter)
    const inputs = written.inputs.map(input)
    const elsewhere = (arrays: ReadonlyArray<Tape.Value>): Tape.Value =>
      external({
        inputs: arrays,
        shape: [samples],
        forward: (output, from) => mixed(output.data, from),
        backward: ({ adjoint: g }, from) => {
          for (const { data, adjoint } of from)
            data.forEach((x, i) => {
              adjoint![i]! += g![Math.floor((i * samples) / data.length)]! * 2 * x * Math.cos(i)
            })
        },
      })
    const results = written.run({ A: algebra, array, elsewhere }, parameters, inputs)
    return { parameters, inputs, results: Object.values(results), root: results.root }
  })

/** Compares a tape with the same thing in float64 at a point made of some numbers. */
const check = (
  written: Written,
  tape: ReturnType<typeof record>,
  numbers: ReadonlyArray<number>,
  temperature: number,
): void => {
  let next = 0
  const fill = (shape: ReadonlyArray<number>): Nd.Nd =>
    Nd.of(
      shape,
      Array.from({ length: Nd.product(shape) }, () => numbers[next++ % numbers.length]!),
    )
  const parameters = written.parameters.map(fill)
  const inputs = [...written.inputs.slice(0, -1).map(fill), Nd.scalar(temperature)]
  parameters.forEach(({ data }, i) => tape.outputs.parameters[i]!.data.set(data))
  inputs.forEach(({ data }, i) => tape.outputs.inputs[i]!.data.set(data))
  tape.forward()
  const expected = onNd(written, parameters, inputs)
  expect(tape.outputs.results.map(({ shape, data }) => ({ shape, data }))).toEqual(
    Object.values(expected).map(({ shape, data }) => ({ shape, data })),
  )

  tape.backward(tape.outputs.root)
  const rootAt = (data: Float64Array, i: number, x: number): number => {
    const old = data[i]!
    data[i] = x
    const root = Nd.toNumber(onNd(written, parameters, inputs).root)
    data[i] = old
    return root
  }
  const here = Math.abs(Nd.toNumber(expected.root))
  parameters.forEach(({ data }, index) =>
    data.forEach((x, i) => {
      const slope = (h: number): number => (rootAt(data, i, x + h) - rootAt(data, i, x - h)) / (2 * h)
      const [coarse, fine] = [slope(1e-3), slope(5e-4)]
      const found = tape.outputs.parameters[index]!.adjoint![i]!
      const tolerance = 1e-9 * (1 + here + Math.abs(fine)) + 0.2 * Math.abs(fine - coarse)
      expect(Math.abs(found - (4 * fine - coarse) / 3)).toBeLessThanOrEqual(tolerance)
    }),
  )
}

/** The draw, the moments and the divergence of a factor, with its parents' moments from parameters of their own. */
const ofFactor = (factor: Factor, parents: Readonly<Record<string, Factor>> = {}): Written => {
  const all = [factor, ...Object.values(parents)]
  return {
    parameters: all.flatMap(({ parameters }) => parameters.map(({ shape }) => shape)),
    inputs: [...factor.noise.map(({ shape }) => [samples, ...shape]), []],
    run: <T extends Nd.Nd | Tape.Value>(
      { A, array }: Context<T>,
      parameters: ReadonlyArray<T>,
      inputs: ReadonlyArray<T>,
    ) => {
      const own = parameters.slice(0, factor.parameters.length)
      const moments = new Map<string, Moments<T>>()
      let first = own.length
      for (const [name, parent] of Object.entries(parents)) {
        moments.set(name, parent.moments(A, parameters.slice(first, (first += parent.parameters.length))))
      }
      const divergence = factor.divergence(A, array, own, (name) => moments.get(name)!)
      const draw = factor.draw?.(A, own, inputs.slice(0, -1), relaxedBy<T>(relaxation, []), inputs.at(-1)!)
      const told: Moments<T> = factor.moments(A, own)
      const terms = [divergence, ...(draw === undefined ? [] : [draw]), ...Object.values(told)]
      // Weights that are all different, so that no two slopes cancel.
      const weighed = terms.map((term, t) => {
        const weights = Array.from(term.data, (_, i) => Math.cos(1 + t + i))
        return A.sumAll(A.binary.mul(term, array(weights, term.shape)))
      })
      const root = weighed.reduce((sum, term) => A.binary.add(sum, term))
      return { ...told, ...(draw !== undefined && { draw }), divergence, root }
    },
  }
}

const each = <D>(...dists: ReadonlyArray<D>) => ({ _tag: "Each", dists }) as const

const plate = [2, 3]
const unit = factors.beta().make(siteOf("unit", shared(Dist.beta(2, 3))))
const real = factors.normal().make(siteOf("real", shared(Dist.normal(0.5, 2))))
const positive = factors.logNormal().make(siteOf("positive", shared(Dist.gamma(2, 1))))
const simplex = factors.dirichlet().make(siteOf("simplex", shared(Dist.dirichlet([1, 2, 0.5])), [], 3))

const cases: Readonly<Record<string, Written>> = {
  "Bernoulli, shared prior": ofFactor(
    factors.bernoulli().make(siteOf("binary", shared(Dist.bernoulli(0.2)), plate)),
  ),
  "Bernoulli, a prior for each": ofFactor(
    factors.bernoulli().make(siteOf("binary", each(...[0.2, 0.5, 0.9].map((p) => Dist.bernoulli(p))), plate)),
  ),
  "Bernoulli, latent probability": ofFactor(
    factors.bernoulli().make(siteOf("binary", shared(Dist.bernoulli(Sym.make("p", "unit", []))), plate)),
    { p: unit },
  ),
  "Categorical, shared prior": ofFactor(
    factors.categorical().make(siteOf("categorical", shared(Dist.categorical([0.5, 0, 0.5])), plate, 3)),
  ),
  "Categorical, a prior for each": ofFactor(
    factors
      .categorical()
      .make(
        siteOf("categorical", each(Dist.categorical([0.1, 0.9]), Dist.categorical([0.5, 0.5])), [3, 2], 2),
      ),
  ),
  "Categorical, latent weights": ofFactor(
    factors
      .categorical()
      .make(siteOf("categorical", shared(Dist.categorical(Sym.make("w", "simplex", [], 3))), plate, 3)),
    { w: simplex },
  ),
  "Dirichlet, shared prior": ofFactor(simplex),
  "Dirichlet, a prior for each": ofFactor(
    factors
      .dirichlet()
      .make(siteOf("simplex", each(Dist.dirichlet([1, 2]), Dist.dirichlet([0.5, 4])), [3, 2], 2)),
  ),
  "Normal, shared prior": ofFactor(factors.normal().make(siteOf("real", shared(Dist.normal(1, 2)), plate))),
  "Normal, a prior for each": ofFactor(
    factors
      .normal()
      .make(siteOf("real", each(Dist.normal(1, 2), Dist.normal(-1, 0.5), Dist.normal(0, 1)), plate)),
  ),
  "Normal, latent mean and scale": ofFactor(
    factors
      .normal()
      .make(
        siteOf("real", shared(Dist.normal(Sym.make("m", "real", []), Sym.make("s", "positive", []))), plate),
      ),
    { m: real, s: positive },
  ),
  "Full rank, latent mean and scale": ofFactor(
    factors
      .fullRank()
      .make(
        siteOf("real", shared(Dist.normal(Sym.make("m", "real", []), Sym.make("s", "positive", []))), plate),
      ),
    { m: real, s: positive },
  ),
  "LogNormal, Gamma prior": ofFactor(
    factors.logNormal().make(siteOf("positive", shared(Dist.gamma(2, 3)), plate)),
  ),
  "LogNormal, a prior for each": ofFactor(
    factors
      .logNormal()
      .make(
        siteOf(
          "positive",
          each<Dist.Dist<"positive">>(Dist.inverseGamma(2, 1), Dist.halfNormal(1.5), Dist.logNormal(0, 2)),
          plate,
        ),
      ),
  ),
  "Beta, shared prior": ofFactor(factors.beta().make(siteOf("unit", shared(Dist.beta(2, 3)), plate))),
  "Beta, a prior for each": ofFactor(
    factors.beta().make(siteOf("unit", each(Dist.beta(1, 1), Dist.beta(0.5, 2), Dist.beta(3, 3)), plate)),
  ),
}

const number = fc.double({ min: -1, max: 1, noNaN: true })
const numbers = fc.array(number, { minLength: 7, maxLength: 31 })

describe("a factor on a tape", () => {
  it.each(Object.keys(cases))("%s", (name) => {
    const written = cases[name]!
    const tape = record(written)
    fc.assert(
      fc.property(numbers, fc.constantFrom(0.5, 1, 0.1), (values, temperature) =>
        check(written, tape, values, temperature),
      ),
      runs(20),
    )
  })
})

const grammar = Grammar.make({ features: ["a", "b"], operators: [Operator.mul, Operator.sin, Operator.add] })

/** A site of every support, parents among them, inside of plates and outside. */
const model = Model.gen(function* () {
  const scale = yield* Model.sample("scale", Dist.gamma(2, 1))
  const rate = yield* Model.sample("rate", Dist.beta(2, 5))
  const mean = yield* Model.sample("mean", Dist.normal(1.5, 0.25))
  const [operators, features] = [
    yield* Model.sample("operatorWeights", Dist.dirichlet([1, 2, 3])),
    yield* Model.sample("featureWeights", Dist.dirichlet([0.5, 4])),
  ]
  yield* Model.sample("drift", Dist.normal(mean, scale))
  yield* Model.plate("flags", 3, Model.sample("flag", Dist.bernoulli(rate)))
  const prior = Tree.prior({ grammar, depth: 1, split: Prior.depthDecay(0.8, 1), operators, features })
  const forest = yield* Model.plate("trees", 2, prior)
  yield* Model.observe("y", Likelihood.conjugateLinear(forest, { mu0: 0, sigma0: 1, a0: 1, b0: 1 }))
})
const plan = Effect.runSync(
  Plan.trace(model).pipe(Effect.flatMap(Plan.relaxable), Effect.provide(Family.meanField(model))),
)

describe("a plan on a tape", () => {
  it("has the evidence, the divergence, the objective and the gradient of the same graph over Nd", () => {
    const objective = elbo(samples)
    const written: Written = {
      parameters: plan.parameters.map(({ shape }) => shape),
      inputs: [...plan.noise.map(({ shape }) => [samples, ...shape]), []],
      run: ({ A, array, elsewhere }, parameters, inputs) => {
        const { evidence, divergence } = Interpreter.run(
          plan.graph,
          {
            algebra: A,
            array,
            forest: (_, { split, operator, terminal }) => elsewhere([split, operator, terminal]),
            evidence: (_, design) => design,
          },
          { parameters, noise: inputs.slice(0, -1), samples, relaxation, temperature: inputs.at(-1)! },
        )
        const root = objective.combine(A, evidence, divergence, A.literal(0.3))
        return { evidence, divergence, root }
      },
    }
    const tape = record(written)
    fc.assert(
      fc.property(numbers, fc.constantFrom(0.5, 1, 0.1), (values, temperature) =>
        check(written, tape, values, temperature),
      ),
      runs(20),
    )
  })
})
