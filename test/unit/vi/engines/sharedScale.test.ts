import { describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import * as Constant from "../../../../src/prob/Constant.ts"
import * as Dist from "../../../../src/prob/Dist.ts"
import * as Elbo from "../../../../src/vi/Elbo.ts"
import * as Family from "../../../../src/vi/Family.ts"
import * as Grammar from "../../../../src/prob/Grammar.ts"
import * as Operator from "../../../../src/expr/Operator.ts"
import * as Plan from "../../../../src/prob/Plan.ts"
import * as Rng from "../../../../src/random/Rng.ts"
import * as Scalar from "../../../../src/vi/engines/oracle/engine.ts"
import * as Simd from "../../../../src/vi/engines/simd/engine.ts"
import * as Tfjs from "../../../../src/vi/engines/tfjs/engine.ts"
import * as Vasst from "../../../../src/models/vasst.ts"
import { point } from "../../../../src/testing/arbitraryModel.ts"
import { availableBackends } from "../../../support/backends.ts"
import { activate } from "../../../support/ensembles.ts"
import { evaluatorOf, worstSlope } from "../../../support/onEngines.ts"

// Values of a fitted constant that share a latent scale, in relaxed trees: s ~ p(s), c_1, c_2, ... | s ~ N(0, s^2).

const prior = { location: 0.3, scale: 0.8 }
const grammar = Grammar.make({
  features: ["a", "b"],
  operators: [Operator.mul, Operator.sin],
  constants: {
    c: Constant.hierarchical({
      scale: Dist.logNormal(prior.location, prior.scale),
      given: (s) => Dist.normal(0, s),
    }),
  },
})
const [trees, depth, nodes] = [2, 2, 7]
const model = Vasst.model(grammar, trees, depth)
const plan = Effect.runSync(Plan.trace(model).pipe(Effect.provide(Family.meanField(model))))

const evaluate = evaluatorOf(plan, 2)

describe("a scale that the values of a constant share", () => {
  it("is one positive site for all trees, of which their prior is", () => {
    const of = (name: string) => plan.sites.find((site) => site.name === name)
    expect(of("trees.scale.c")).toMatchObject({ support: "positive", shape: [], role: "scale" })
    expect(of("trees.scale.c")?.factor.name).toBe("LogNormal(loc, log scale)")
    expect(of("trees.value.c")).toMatchObject({ support: "real", shape: [trees, nodes] })
    const { prior: given } = of("trees.value.c")!
    expect(given._tag === "Shared" && given.dist._tag).toBe("Conditional")
    expect(Effect.runSync(Plan.relaxable(plan)).sites).toHaveLength(plan.sites.length)
  })

  it("costs its divergence, and decides those of the values", () => {
    const at = point(plan, 2, 4, 0.4)
    const [loc, logScale] = Plan.parametersOf(plan, "trees.scale.c", at.parameters)
    const [means, logScales] = Plan.parametersOf(plan, "trees.value.c", at.parameters)
    // Without noise of its own the scale is e^loc in every draw.
    const narrow = -18
    logScale![0] = narrow
    const cost = (): number => {
      const s = Math.exp(loc![0]!)
      const own = Dist.kl(
        Dist.logNormal(loc![0]!, Math.exp(narrow)),
        Dist.logNormal(prior.location, prior.scale),
      )
      return means!.reduce(
        (sum, mean, i) => sum + Dist.kl(Dist.normal(mean, Math.exp(logScales![i]!)), Dist.normal(0, s)),
        own,
      )
    }
    const before = evaluate(Scalar.engine, at.parameters, at.noise).divergence
    const first = cost()
    loc![0]! += 0.9
    means!.forEach((_, i) => {
      means![i]! -= 0.3
    })
    const after = evaluate(Scalar.engine, at.parameters, at.noise).divergence
    expect(after - before).toBeCloseTo(cost() - first, 6)
  })

  it("has the same objective and gradient on every engine", async () => {
    for (let seed = 0; seed < 3; seed++) {
      const at = point(plan, 2, seed, 0.5)
      const scalar = evaluate(Scalar.engine, at.parameters, at.noise)
      const compare = (found: typeof scalar, tolerance: number): void => {
        expect(Math.abs(found.objective / scalar.objective - 1)).toBeLessThan(tolerance)
        expect(worstSlope(found, scalar)).toBeLessThan(tolerance)
      }
      for (const { offset, length } of plan.parameters.filter(({ site }) => site === "trees.scale.c"))
        expect(scalar.gradient.subarray(offset, offset + length).every((slope) => slope !== 0)).toBe(true)
      compare(evaluate(Simd.engine, at.parameters, at.noise), 1e-4)
      for (const backend of availableBackends()) {
        await activate(backend)
        compare(evaluate(Tfjs.engine, at.parameters, at.noise), 1e-3)
      }
    }
  })

  it("starts within its prior", () => {
    const [loc] = Plan.parametersOf(plan, "trees.scale.c", Elbo.initialParameters(plan, Rng.key(1)))
    expect(Math.abs(loc![0]!)).toBeLessThan(3)
  })

  it("needs a function that takes the site, which one that computes with a number does not", () => {
    const computing = Grammar.make({
      features: ["a"],
      operators: [Operator.sin],
      constants: {
        c: Constant.hierarchical({
          scale: Dist.inverseGamma(2, 2),
          given: (variance) => Dist.normal(0, Math.sqrt(variance)),
        }),
      },
    })
    const program = Vasst.model(computing)
    const traced = Plan.declared(program)
    const relaxable = Plan.trace(program).pipe(
      Effect.provide(Family.meanField(program)),
      Effect.flatMap(Plan.relaxable),
    )
    expect(Effect.runSync(traced).sites.map(({ name }) => name)).not.toContain("trees.scale.c")
    const { message } = Effect.runSync(Effect.flip(relaxable))
    expect(message).toContain('the constant "c" share a latent scale')
    expect(message).toContain("(s) => Dist.normal(0, s)")
  })
})
