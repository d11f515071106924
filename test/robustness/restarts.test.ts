// Messages about restarts of a search as nobody should send them: what they are made of, and what has come of them.
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Operator from "../../src/expr/Operator.ts"
import * as Term from "../../src/expr/Term.ts"
import * as Checkpoint from "../../src/infer/Checkpoint.ts"
import * as Cluster from "../../src/jobs/Cluster.ts"
import type * as Law from "../../src/models/law.ts"
import * as Link from "../../src/prob/Link.ts"
import type { Report } from "../../src/search/Ahead.ts"
import { damage, damaged, places, replaced } from "./changes.ts"
import { changed, done, flat, oneLine, refusal } from "./jobs.ts"

/** Every kind of option that a search has. */
const spec: Law.Options = {
  trees: 2,
  depth: 3,
  operators: ["add", "mul", Operator.unary("gauss", (x) => Term.exp(Term.neg(Term.square(x))))],
  constants: [1, Math.PI],
  fitted: "none",
  links: [Link.log],
  units: { columns: { x: { powers: { m: 1 }, logFactor: 0 } }, numbers: "either", target: "y" },
  noise: ["additive", "heavy"],
  effort: 60,
  time: undefined,
  workers: 2,
  start: "x^2",
  search: {
    library: 300,
    patience: 25,
    rows: 20,
    begin: [{ link: 0, trees: [{ _tag: "Leaf", terminal: 0 }] }],
  },
}

/** A part that has another type at a place. */
const noneOf = (value: unknown, path: ReadonlyArray<string>): unknown =>
  typeof path.reduce<unknown>((part, key) => Object(part)[key], value) === "boolean" ? "none" : false

describe("the options of a restart", () => {
  const payload = JSON.stringify({ task: "restart", seed: 3, start: { restart: 2, rows: 20 } })
  const refused = async (other: unknown): Promise<string> => {
    const { error } = await done({ payload, data: Checkpoint.write({ spec: other, data: flat }) })
    expect(error?._tag).toBe("DataError")
    oneLine(error?.message ?? "")
    return error?.message ?? ""
  }

  it("are read as they are posted, before the table is", async () => {
    expect(await refused(structuredClone(spec))).toMatch(refusal)
  })

  it.each(
    places(structuredClone(spec))
      .filter((path) => path.at(-1) !== "time")
      .map((path) => [path.join("."), path] as const),
  )("are refused with their restart and the field %s where it is none", async (_, path) => {
    const message = await refused(replaced(structuredClone(spec), path, noneOf(spec, path)))
    expect(message).toMatch(/^the search of restart 2 cannot be read: /)
    // Of a choice of kinds the choice is named.
    expect(message).toContain(path[0] ?? "spec")
  })

  it.each([
    ["an option that is none", { trees: 1, threads: 2 }, "threads"],
    ["an operator that is none", { operators: ["add", "constructor"] }, '["operators"][1]'],
    ["a term over another variable", { links: [{ ...Link.log, forward: Term.variable("z") }] }, "forward"],
    ["a negative number of trees", { trees: -1 }, "trees"],
    ["a restriction", { restrictions: [{ name: "none" }] }, "restrictions"],
  ])("are refused with %s", async (_, other, field) => {
    expect(await refused(structuredClone(other))).toContain(field)
  })
})

const leaf = { _tag: "Leaf", terminal: 0 } as const
const report: Report = {
  infos: [
    { objective: -3.5, logEvidence: -4, scored: 12, rows: 24, converged: false },
    { objective: -3, logEvidence: -4, scored: 15, rows: 24, converged: true },
  ],
  outcome: {
    ensembles: [
      {
        link: 0,
        trees: [{ _tag: "Branch", operator: 1, children: [leaf, { ...leaf, value: 0.5 }] }],
        score: -3,
        found: 14,
        key: "k",
        stays: true,
      },
    ],
    scored: 15,
    best: -3,
    logEvidence: -4,
    form: "0 x",
    exact: false,
    exhausted: 2,
    rows: 24,
    most: 24,
  },
  ended: true,
}

describe("the result of a restart", () => {
  const text = Cluster.textOf(report)
  const read = (result: string | null) => Cluster.answerOf("y: restart 2", { result, error: null })

  it("is read as it was written", () => {
    expect(read(text)).toEqual({ _tag: "Done", output: report })
  })

  it("that has changed by a bit, or is cut off, is a failure and no other report (1,000 cases)", () => {
    const bytes = new TextEncoder().encode(text)
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), (changes) => {
        const other = new TextDecoder().decode(changes.reduce(damaged, bytes))
        const answer = read(other)
        if (answer._tag === "Done") expect(answer.output).toEqual(report)
        else oneLine(answer._tag === "Failed" ? answer.message : "\n")
      }),
      { numRuns: 1000 },
    )
  })

  it("of another shape is refused with the names of the job and of the field (1,000 cases)", () => {
    let refused = 0
    fc.assert(
      fc.property(changed(fc.constant(report)), (value) => {
        const answer = read(Cluster.textOf(value))
        if (answer._tag === "Done") expect(answer.output).toEqual(value)
        else {
          refused++
          expect(answer._tag).toBe("Failed")
          const message = answer._tag === "Failed" ? answer.message : ""
          oneLine(message)
          expect(message).toMatch(/^the result of y: restart 2 cannot be read: /)
        }
      }),
      { numRuns: 1000 },
    )
    expect(refused).toBeGreaterThan(500)
  })

  it.each(places(report).map((path) => [path.join("."), path] as const))(
    "names the field %s where it is none",
    (_, path) => {
      const answer = read(Cluster.textOf(replaced(report, path, noneOf(report, path))))
      expect(answer).toMatchObject({ _tag: "Failed" })
      const message = answer._tag === "Failed" ? answer.message : ""
      for (const name of path) expect(message).toContain(name)
    },
  )

  it("is missing", () => oneLine(JSON.stringify(read(null))))
})
