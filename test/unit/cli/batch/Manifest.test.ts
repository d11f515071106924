import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Manifest from "../../../../src/cli/batch/Manifest.ts"

const read = (text: string, usual = {}) => Effect.runPromise(Manifest.read("list", text, usual))
const complaint = (text: string): Promise<string> =>
  Effect.runPromise(
    Manifest.read("list", text, {}).pipe(
      Effect.as(""),
      Effect.catch(({ message }) => Effect.succeed(message)),
    ),
  )

describe("a list of data sets", () => {
  it("is read from JSON lines, with settings for all that lines may change", async () => {
    const entries = await read(
      `{"data": "a/x.csv", "target": "y", "depth": 3, "over": {"sin": ["t"]}}\n\n{"data": "b/x.csv.gz", "name": "other", "effort": 7}`,
      { effort: 100, target: "z" },
    )
    expect(entries).toEqual([
      {
        place: "line 1",
        name: "x",
        data: "a/x.csv",
        target: "y",
        features: undefined,
        settings: { effort: 100, depth: 3, over: { sin: ["t"] } },
      },
      {
        place: "line 3",
        name: "other",
        data: "b/x.csv.gz",
        target: "z",
        features: undefined,
        settings: { effort: 7 },
      },
    ])
  })

  it("is read from a table, whose empty cells say nothing", async () => {
    const entries = await read(
      'data,target,effort,operators,constants,features\na.csv,y,100,"mul,sin","1,pi","a,b"\nb.csv,z,,,none,\n',
    )
    expect(
      entries.map(({ name, target, features, settings }) => ({ name, target, features, settings })),
    ).toEqual([
      {
        name: "a",
        target: "y",
        features: ["a", "b"],
        settings: { effort: 100, operators: ["mul", "sin"], constants: [1, Math.PI] },
      },
      { name: "b", target: "z", features: undefined, settings: { constants: [] } },
    ])
  })

  it("gives results names of their own", async () => {
    const lines = ["a/x.csv", "b/x.csv", "x-2.csv", "../../.x", "d:\\t?.csv", "..."].map((data) =>
      JSON.stringify({ data }),
    )
    expect((await read(lines.join("\n"))).map(({ name }) => name)).toEqual([
      "x",
      "x-2",
      "x-2-2",
      "data",
      "t_",
      "data-2",
    ])
  })

  it("has a result for each bootstrap replica of a line", async () => {
    const wanted = async (text: string) => (await read(text)).flatMap(Manifest.wanted)
    expect(
      await wanted(
        '{"data": "x.csv", "bootstrap": 2}\n{"data": "x.csv"}\n{"data": "x.csv", "bootstrap": 1}\n{"data": "b.csv", "bootstrap": null}',
      ),
    ).toEqual([
      { name: "x-replica-1", replica: 1 },
      { name: "x-replica-2", replica: 2 },
      { name: "x", replica: undefined },
      { name: "x-2-replica-1", replica: 1 },
      { name: "b", replica: undefined },
    ])
    expect(await wanted("data,bootstrap\na.csv,1\nb.csv,\n")).toEqual([
      { name: "a-replica-1", replica: 1 },
      { name: "b", replica: undefined },
    ])
    // It is no setting of the fit.
    expect((await read('{"data": "x.csv", "bootstrap": 2, "effort": 3}'))[0]?.settings).toEqual({ effort: 3 })
  })

  it("is refused with the place and the mend", async () => {
    expect(await complaint("{")).toMatch(/^list: line 1 is no JSON/)
    expect(await complaint("")).toMatch(/^list: /)
    expect(await complaint('{"data": "a.csv", "efort": 3}')).toBe(
      'list: line 1: there is no setting "efort"; did you mean "effort"?',
    )
    expect(await complaint('{"data": "a.csv", "depth": "three"}')).toBe(
      "list: line 1: depth must be of the type number",
    )
    expect(await complaint('{"target": "y"}')).toBe("list: line 1: data is missing")
    expect(await complaint('{"data": "a.csv", "name": "../x"}')).toMatch(/cannot be that of a file/)
    expect(await complaint('{"data": "a.csv", "name": "a"}\n{"data": "b.csv", "name": "a"}')).toBe(
      'list: line 2: the name "a" is that of another data set',
    )
    expect(await complaint("data,effort\na.csv,many\n")).toBe(
      "list: row 1 (line 2): effort must be of the type number",
    )
    for (const count of ["0", "-1", "1.5", "1e9"])
      expect(await complaint(`{"data": "a.csv"}\n{"data": "a.csv", "bootstrap": ${count}}`)).toBe(
        `list: line 2: bootstrap must be a whole number of replicas from 1 to 10000, not ${Number(count)}; leave it out to fit the table itself`,
      )
    expect(await complaint('{"data": "a.csv", "bootstrap": "many"}')).toBe(
      "list: line 1: bootstrap must be of the type number",
    )
    expect(
      await complaint(
        '{"data": "a.csv", "name": "a", "bootstrap": 1}\n{"data": "b.csv", "name": "a-replica-1"}',
      ),
    ).toBe('list: line 2: the name "a-replica-1" is that of another data set')
    expect(await complaint("data,over\na.csv,x\n")).toBe(
      'list: the setting "over" has parts; give the list as JSON lines',
    )
  })
})
