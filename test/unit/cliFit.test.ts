import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { Fitter, type Options } from "../../src/cli/Fitter.ts"
import * as VasstFitter from "../../src/cli/VasstFitter.ts"
import * as Vasst from "../../src/models/vasst.ts"
import * as Document from "../../src/report/Document.ts"
import type { Dataset } from "../../src/runtime/Data.ts"
import type { Step } from "../../src/runtime/Progress.ts"
import { fake, run } from "../support/cli.ts"

const { fit: real } = Effect.runSync(
  Effect.provide(
    Effect.map(Fitter, (service) => service),
    VasstFitter.layer,
  ),
)

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Document.Document))

const boyle = ["fit", "examples/data/boyle.csv", "--target", "pressure", "--backend", "cpu", "--json"]

describe("vasst fit with the library behind it", () => {
  it("prints laws that have the values they claim", async () => {
    const args = [...boyle, "--operators", "inv,mul", "--steps", "2", "--draws", "50", "--seed", "3"]
    const { code, stdout, stderr } = await run(args, { fit: real })
    expect([code, stderr]).toEqual([0, "backend: cpu\n"])
    const document = decode(stdout)
    expect(document).toMatchObject({ backend: "cpu", seed: 3, stopReason: "steps", steps: 2 })
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
    const seen: Array<Step> = []
    let press = (): void => undefined
    const fit = (data: Dataset, options: Options) =>
      real(data, {
        ...options,
        onStep: (step) => {
          seen.push(step)
          if (step.step === 3) press()
        },
      })
    const { code, stdout } = await run([...boyle, "--draws", "20", "--operators", "inv,mul"], {
      fit,
      onFit: (interrupt) => {
        press = interrupt
      },
    })
    expect(code).toBe(0)
    const document = decode(stdout)
    expect([document.stopReason, document.steps]).toEqual(["interrupted", seen.length])
    expect(seen.length).toBeLessThan(10)
    expect(seen[0]).toMatchObject({ step: 1, steps: 2000, elboTrend: 0 })
  })

  it("ranks draws from the untrained start after no step", async () => {
    const { stdout } = await run([...boyle, "--steps", "0", "--draws", "20"], { fit: real })
    expect(decode(stdout)).toMatchObject({ steps: 0, stopReason: "steps" })
  })

  it("stops when its time is up", async () => {
    const { stdout } = await run([...boyle, "--draws", "20", "--time", "0.05"], { fit: real })
    expect(decode(stdout).stopReason).toBe("time")
  })

  it("has the library's defaults", async () => {
    const { paper, defaultOperators } = Vasst
    const asked: Array<Options> = []
    await run(
      boyle.filter((argument) => argument !== "--backend" && argument !== "cpu"),
      {
        fit: fake({}, (_, options) => asked.push(options)),
      },
    )
    const { trees, depth, steps, draws, learningRate, testFraction } = paper
    expect(asked[0]).toMatchObject({
      trees,
      depth,
      steps,
      draws,
      learningRate,
      testFraction,
      backend: "auto",
    })
    const { stdout } = await run(["fit", "--help"])
    expect(stdout).toContain(`(default ${defaultOperators.join(",")})`)
  })
})
