import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { Fitter, type Hooks, type Settings } from "../../../src/cli/Fitter.ts"
import * as LibraryFitter from "../../../src/cli/LibraryFitter.ts"
import * as Law from "../../../src/models/law.ts"
import * as LawGrammar from "../../../src/models/LawGrammar.ts"
import * as Source from "../../../src/models/Source.ts"
import * as Vasst from "../../../src/models/vasst.ts"
import * as Document from "../../../src/report/Document.ts"
import type { Dataset } from "../../../src/data/Data.ts"
import { run } from "../../support/cli.ts"

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

  it("learns numbers inside of terms where it is told to, in the size that it is told", async () => {
    const growth = Array.from({ length: 60 }, (_, i) => {
      const t = i / 6
      return `${t},${(50 / (1 + 20 * Math.exp(-0.83 * t))).toFixed(3)}`
    })
    const flags =
      "--operators add,mul,exp --links identity,inverse --depth 3 --trees 1 --test-fraction 0 --seed 4"
    const fitted = async (more: ReadonlyArray<string>) =>
      decode(
        (
          await run(["fit", "-", "--target", "n", "--json", ...flags.split(" "), ...more], {
            fit: real,
            stdin: ["t,n", ...growth].join("\n"),
          })
        ).stdout,
      ).best
    const [without, small, large] = [
      await fitted(["--learned", "0"]),
      await fitted(["--learned", "1"]),
      await fitted(["--learned", "100"]),
    ]
    // 1/n = 0.02 + 0.4 exp(-0.83 t)
    expect(without.rmseTrain).toBeGreaterThan(0.01)
    for (const { rmseTrain, expression, terms, link } of [small, large]) {
      expect(rmseTrain).toBeLessThan(0.001)
      expect([link, terms.length]).toEqual(["inverse", 1])
      expect(Number(/exp\(-([\d.]+)\*t\)/.exec(expression)?.[1])).toBeCloseTo(0.83, 3)
    }
    // The prior of the number is normal, of that standard deviation; a law of one number has its density at 0.83.
    const density = (size: number): number => -Math.log(size) - (0.83 / size) ** 2 / 2
    // With this seed both write the term alike. Which coefficient is taken for exact differs, and the evidence by tenths with it.
    expect(Math.abs(small.logEvidence - large.logEvidence - (density(1) - density(100)))).toBeLessThan(0.3)
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
      `(default ${Source.testFraction}; with --objective elbo ${paper.testFraction})`,
      `untrained start (default ${paper.steps})`,
      `rank (default ${paper.draws})`,
      `optimiser (default 5e-5)`,
    ])
      expect(help).toContain(said)
    expect([paper.trees, paper.learningRate]).toEqual([defaults.trees, 5e-5])
  })
})
