import { spawnSync } from "node:child_process"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Infer from "../../../../../src/vi/Infer.ts"
import { engine as direct } from "../../../../../src/vi/engines/tfjs/engine.ts"
import { engine as onDemand } from "../../../../../src/vi/engines/tfjs/onDemand.ts"
import { data, everything, model } from "../../../../support/smallFit.ts"

/** What a program prints that imports the table of contents, with the packages of tfjs refused. */
const withoutTensors = (program: string) => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      "--conditions=vasst-source",
      "--disable-warning=ExperimentalWarning",
      "--import",
      "./test/support/refuseTensors.mjs",
      "--input-type=module",
      "--eval",
      program,
    ],
    { encoding: "utf8" },
  )
  return { stdout, stderr }
}

describe("the tfjs engine on demand", () => {
  it("is listed in the table of contents without loading tfjs", () => {
    expect(withoutTensors(`import { tfjs } from "vasst"; console.log(tfjs.name)`)).toEqual({
      stdout: "tfjs\n",
      stderr: "",
    })
  })

  it("fails with a CompileError that says what to install where tfjs does not load", () => {
    const program = `
      import * as Effect from "effect/Effect"
      import { tfjs } from "vasst"
      const error = await Effect.runPromise(Effect.flip(Effect.scoped(tfjs.compile())))
      console.log(error._tag, error.message)`
    expect(withoutTensors(program)).toEqual({
      stdout: expect.stringMatching(
        /^CompileError the tfjs engine does not load \(npm install @tensorflow\/tfjs-core\): .*was loaded\n$/,
      ),
      stderr: "",
    })
  })

  it.effect("fits as the engine that it loads", () =>
    Effect.gen(function* () {
      const [first, second] = yield* Effect.forEach([direct, onDemand], (engine) =>
        Infer.fit(model, data).pipe(
          Effect.provide(everything({ backend: "cpu", steps: 3 })),
          Effect.provide(Infer.engine(engine)),
        ),
      )
      expect(first!.trace).toHaveLength(3)
      expect(second!.trace).toEqual(first!.trace)
    }),
  )
})
