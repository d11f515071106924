/**
 * 04. A variational family site by site, with a factor of your own.
 *
 * The mean-field family gives every node of every tree a logit of its own for whether it splits. The factor below gives
 * all trees one profile of splits: K times fewer parameters there. A factor is written once over `Algebra<T>` and runs in
 * every engine; `Family.make` checks by type that each site of the model has one, of the right support.
 *
 *     npm run ts -- examples/04_your_own_family.ts
 */
import * as Effect from "effect/Effect"
import * as Plan from "vasst/prob/Plan"
import type { Factor, FactorSite } from "vasst/prob/Factor"
import * as Grammar from "vasst/prob/Grammar"
import * as Operator from "vasst/expr/Operator"
import * as Family from "vasst/vi/Family"
import * as Infer from "vasst/vi/Infer"
import * as Vasst from "vasst/models/vasst"
import * as Backend from "vasst/vi/Backend"
import * as Data from "vasst/data/Data"
import * as Rng from "vasst/random/Rng"

const logit = (p: number): number => Math.log(p / (1 - p))

/** q(e_kz) = Ber(sigmoid(l_z)): one logit for each node, shared by all trees. */
const tied = (site: FactorSite<"binary">): Factor<"binary"> => {
  const { prior, shape } = site
  if (prior._tag !== "Each") throw new Error(`the site "${site.name}" has no prior for each node`)
  const priorLogits = prior.dists.flatMap((dist) => dist.mean().map(logit))
  const nodes = priorLogits.length
  const trees = shape.slice(0, -1).reduce((product, length) => product * length, 1)
  return {
    name: "Bernoulli(tied logit)",
    support: "binary",
    parameters: [{ name: "logit", shape: [nodes], initialise: () => priorLogits }],
    noise: [{ kind: "logistic", shape }],
    // [nodes] broadcasts against the noise, [S, trees, nodes].
    draw: (A, [l], [noise], relaxation, temperature) => relaxation.binary(A, l!, noise!, temperature),
    moments: (A, [l]) => ({ mean: A.sigmoid(l!) }),
    // KL(q || p) = sigmoid(l) (l - l0) - softplus(l) + softplus(l0), for each node of each tree
    divergence: (A, constant, [l]) => {
      const { add, mul, sub } = A.binary
      const l0 = constant(priorLogits, [nodes])
      const kl = add(sub(mul(A.sigmoid(l!), sub(l!, l0)), A.softplus(l!)), A.softplus(l0))
      return mul(A.literal(trees), A.sumAll(kl))
    },
    sample: (key, [l], count) => {
      const random = Rng.generator(key)
      return Float64Array.from({ length: count * trees * nodes }, (_, i) =>
        logit(random.next()) < l![i % nodes]! ? 1 : 0,
      )
    },
  }
}

const grammar = Grammar.make({
  features: ["x0", "x1"],
  operators: [Operator.mul, Operator.sin, Operator.cos],
})
const model = Vasst.model(grammar)

const meanField = Family.meanField(model)
// Forget a site here, or give `Family.factors.dirichlet()` to "trees.split", and the compiler says so.
const shared = Family.make(model)({
  operatorWeights: Family.factors.dirichlet(),
  featureWeights: Family.factors.dirichlet(),
  "trees.split": { support: "binary", make: tied },
  "trees.operator": Family.factors.categorical(),
  "trees.terminal": Family.factors.categorical({ logitsClip: 10, initialScale: 0.1 }),
})

const random = Rng.generator(Rng.key(1))
const X = Array.from({ length: 200 }, () => [random.next(), 2 + random.next()] as const)
const y = X.map(([x0, x1]) => 6 * Math.sin(x0) * Math.cos(x1) + 0.1 * random.normal())

const program = Effect.gen(function* () {
  const data = yield* Data.fromRows({ X, y })
  for (const [name, family] of Object.entries({ meanField, shared })) {
    const plan = yield* Plan.trace(model).pipe(Effect.provide(family))
    const { trace } = yield* Infer.fit(model, data).pipe(
      // The family that is provided first is the one that the model meets; the rest is the paper's.
      Effect.provide(family),
      Effect.provide(Vasst.inference(model, { steps: 100, learningRate: 0.02 })),
    )
    const mean = (values: ReadonlyArray<number>) => values.reduce((a, b) => a + b, 0) / values.length
    console.log(
      `${name.padEnd(9)}  ${plan.parameterCount} parameters  ` +
        `ELBO ${mean(trace.slice(0, 20)).toFixed(0)} -> ${mean(trace.slice(-20)).toFixed(0)}`,
    )
  }
})

await Effect.runPromise(program.pipe(Effect.provide(Backend.layer())))
