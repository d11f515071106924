import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { Fitter, type Hooks, type Settings } from "../../src/cli/Fitter.ts"
import * as LibraryFitter from "../../src/cli/LibraryFitter.ts"
import * as Law from "../../src/models/law.ts"
import * as LawGrammar from "../../src/models/LawGrammar.ts"
import * as Source from "../../src/models/Source.ts"
import * as Vasst from "../../src/models/vasst.ts"
import * as Document from "../../src/report/Document.ts"
import type { Dataset } from "../../src/runtime/Data.ts"
import { run } from "../support/cli.ts"

const { fit: real } = Effect.runSync(
  Effect.provide(
    Effect.map(Fitter, (service) => service),
    LibraryFitter.layer,
  ),
)

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Document.Document))

const boyle = ["fit", "examples/data/boyle.csv", "--target", "pressure", "--json"]
const elbo = [...boyle, "--objective", "elbo", "--backend", "cpu"]
const search = [...boyle, "--operators", "mul,div", "--links", "identity,inverse", "--depth", "2"]

/** The library's fit, with Ctrl-C as soon as it has said so many times how it stands. */
const interrupted = (times: number) => {
  let press = (): void => undefined
  let seen = 0
  const fit = (data: Dataset, settings: Settings, hooks: Hooks) =>
    real(data, settings, {
      ...hooks,
      onProgress: () => {
        if (++seen === times) press()
      },
    })
  return {
    seen: () => seen,
    setting: {
      fit,
      onFit: (interrupt: () => void) => {
        press = interrupt
      },
    },
  }
}

describe("vasst fit with the search behind it", () => {
  it("prints laws that have the values they claim", async () => {
    const { code, stdout, stderr } = await run([...search, "--seed", "3"], { fit: real })
    expect([code, stderr]).toEqual([0, "backend: simd\n"])
    const document = decode(stdout)
    expect(document).toMatchObject({
      objective: "inclusive",
      backend: "simd",
      seed: 3,
      stopReason: "converged",
    })
    expect(document.best).toEqual(document.models[0])
    const posteriors = document.models.map(({ posterior }) => posterior)
    expect(posteriors).toEqual(posteriors.toSorted((a, b) => b - a))
    expect(posteriors.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9)
    for (const model of document.models) {
      expect(model.coefficients).toHaveLength(model.terms.length + 1)
      expect(model.lmpse).toBeCloseTo(model.logEvidence + model.logPrior, 9)
    }
    // The mean alone is always among what is ranked.
    expect(document.models.some(({ terms }) => terms.length === 0)).toBe(true)
    expect(document.best.rmseTrain).toBeLessThan(1)
    // The same seed, the same document, but for the time that it took.
    const again = decode((await run([...search, "--seed", "3"], { fit: real })).stdout)
    expect({ ...again, seconds: 0 }).toEqual({ ...document, seconds: 0 })
  })

  it("stops when it is asked to, even before it has found anything, and ranks what there is", async () => {
    const { seen, setting } = interrupted(1)
    const { code, stdout } = await run(search, setting)
    expect(code).toBe(0)
    expect(decode(stdout)).toMatchObject({ stopReason: "interrupted", steps: seen() })
    expect(seen()).toBeLessThan(100)
  })

  it("stops when its time is up", async () => {
    const { stdout } = await run([...boyle, "--time", "0.01"], { fit: real })
    expect(decode(stdout).stopReason).toBe("time")
  })
})

describe("vasst fit with the paper's method behind it", () => {
  it("prints laws that have the values they claim", async () => {
    const args = [...elbo, "--operators", "inv,mul", "--steps", "2", "--draws", "50", "--seed", "3"]
    const { code, stdout, stderr } = await run(args, { fit: real })
    expect([code, stderr]).toEqual([0, "backend: cpu\n"])
    const document = decode(stdout)
    expect(document).toMatchObject({
      objective: "elbo",
      backend: "cpu",
      seed: 3,
      stopReason: "steps",
      steps: 2,
    })
    expect(document.best).toEqual(document.models[0])
    const lmpse = document.models.map((model) => model.lmpse)
    expect(lmpse).toEqual(lmpse.toSorted((a, b) => b - a))
    expect(document.models.reduce((sum, { posterior }) => sum + posterior, 0)).toBeCloseTo(1, 9)
    for (const model of document.models) {
      expect(model.coefficients).toHaveLength(4)
      expect(model.terms).toHaveLength(3)
      expect(model.lmpse).toBeCloseTo(model.logEvidence + model.logPrior, 9)
    }
    // The same seed, the same document, but for the time that it took.
    const again = decode((await run(args, { fit: real })).stdout)
    expect({ ...again, seconds: 0 }).toEqual({ ...document, seconds: 0 })
  })

  it("stops when it is asked to, and ranks what there is", async () => {
    const { seen, setting } = interrupted(3)
    const { code, stdout } = await run([...elbo, "--draws", "20", "--operators", "inv,mul"], setting)
    expect(code).toBe(0)
    expect(decode(stdout)).toMatchObject({ stopReason: "interrupted", steps: seen() })
    expect(seen()).toBeLessThan(10)
  })

  it("ranks draws from the untrained start after no step", async () => {
    const { stdout } = await run([...elbo, "--steps", "0", "--draws", "20"], { fit: real })
    expect(decode(stdout)).toMatchObject({ steps: 0, stopReason: "steps" })
  })

  it("stops when its time is up", async () => {
    const { stdout } = await run([...elbo, "--draws", "20", "--time", "0.05"], { fit: real })
    expect(decode(stdout).stopReason).toBe("time")
  })
})

describe("what --help says", () => {
  it("are the library's defaults", async () => {
    // Lines of the help are broken anywhere between words.
    const help = (await run(["fit", "--help"])).stdout.replaceAll(/\s+/g, " ")
    const { defaults } = Law
    const { paper, defaultOperators } = Vasst
    for (const said of [
      `(default ${LawGrammar.operators.join(",")}; with --objective elbo ${defaultOperators.join(",")})`,
      `(default ${LawGrammar.constants.map((value) => (value === Math.PI ? "pi" : value)).join(",")})`,
      `that many (default ${defaults.trees})`,
      `(default ${defaults.depth}; with --objective elbo ${paper.depth})`,
      `(default ${defaults.time}; with --objective elbo no limit)`,
      `(default ${Source.testFraction})`,
      `untrained start (default ${paper.steps})`,
      `rank (default ${paper.draws})`,
      `optimiser (default 5e-5)`,
    ])
      expect(help).toContain(said)
    expect([paper.trees, paper.learningRate]).toEqual([defaults.trees, 5e-5])
  })
})
