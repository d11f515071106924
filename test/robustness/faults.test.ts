// Faults that were found from outside, each as the command line meets it.
import { spawnSync } from "node:child_process"
import * as tf from "@tensorflow/tfjs-core"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { scalarFunction } from "../../src/expr/evaluate.ts"
import { parse } from "../../src/expr/text/parse.ts"
import * as Document from "../../src/report/Document.ts"
import { run } from "../support/cli.ts"
import { fit } from "../support/libraryFit.ts"

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Document.Document))

describe("a target near the least numbers", () => {
  it.each([1e-155, 1e155])("of %d is fitted, with numbers of its size", async (size) => {
    const rows = Array.from({ length: 12 }, (_, i) => {
      const [a, b] = [1 + (i % 4) / 2, 1 + (i % 3) / 3]
      return [a, b, 3 * size * a * b].join()
    })
    const { code, stdout } = await run(
      ["fit", "-", "--target=y", "--operators=mul", "--effort=300", "--workers=1", "--json"],
      { stdin: `a,b,y\n${rows.join("\n")}\n`, fit },
    )
    expect(code).toBe(0)
    const { best } = decode(stdout)
    expect(best.expression).toMatch(/\ba\*b\b/)
    const law = scalarFunction(Result.getOrThrow(parse(best.expression)), ["a", "b"])
    expect(law([2, 4]) / size).toBeCloseTo(24, 6)
    expect(best.rmseTrain! / size).toBeLessThan(1e-6)
  })
})

describe("an ensemble that is too large for its time", () => {
  it.each([
    ["simd", ["--trees=12", "--depth=6", "--time=0.3"]],
    ["cpu", ["--trees=3", "--depth=2", "--time=0.1"]],
  ])(
    "ends with its laws, says that it was cut off or late, and leaves nothing (%s)",
    async (backend, own) => {
      const stdin = `a,b,y\n${Array.from({ length: 40 }, (_, i) => [i % 7, i % 5, (i % 7) * (i % 5)].join()).join("\n")}\n`
      const flags = ["--target=y", "--objective=elbo", `--backend=${backend}`, ...own]
      const left = () => ({
        handles: process
          .getActiveResourcesInfo()
          // The test runner has timers of its own.
          .filter((one) => one !== "Immediate" && one !== "Timeout")
          .toSorted(),
        tensors: backend === "cpu" ? tf.memory().numTensors : 0,
      })
      const once = () => run(["fit", "-", ...flags], { stdin, fit })
      // What the first of all makes is made once, such as a backend.
      await once()
      const before = left()
      const { code, stdout, stderr } = await once()
      expect([code, stderr.includes("vasst: ")]).toEqual([0, false])
      expect(stdout).toMatch(/^(cut off|late): /m)
      expect(stdout).toMatch(/rank/)
      expect(left()).toEqual(before)
    },
  )
})

describe("a text without an end", () => {
  it("is refused once it needs more memory than there is", () => {
    const script = `(echo x,y; yes 1,2) | "$node" --max-old-space-size=80 --disable-warning=ExperimentalWarning src/cli/main.ts fit - --target y`
    const { status, stdout, stderr } = spawnSync("bash", ["-c", script], {
      env: { ...process.env, node: process.execPath },
      encoding: "utf8",
    })
    expect([status, stdout]).toEqual([1, ""])
    expect(stderr).toMatch(
      /^vasst: standard input: this needs \d+ MB of memory, and Node has \d+ MB; set NODE_OPTIONS=--max-old-space-size=\d+\n$/,
    )
  })
})
