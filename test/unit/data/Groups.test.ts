import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Data from "../../../src/data/Data.ts"
import * as Groups from "../../../src/data/Groups.ts"

const text = "star,t,y\nVega,1,2\nSirius,2,3\nVega,3,5\nSirius,5,8\n"
const read = (csv: string) => Data.fromCsv(csv, { target: "y", group: "star" })

describe("Groups", () => {
  it("has the rows of each group by name, in the order of first rows", async () => {
    const groups = await Effect.runPromise(Effect.flatMap(read(text), (data) => Groups.of(data, "star")))
    expect(groups.labels).toEqual(["Vega", "Sirius"])
    expect(groups.places.map((rows) => [...rows])).toEqual([
      [0, 2],
      [1, 3],
    ])
    expect(groups.data.features).toEqual(["t"])
    expect(groups.parts.map(({ y }) => [...y])).toEqual([
      [2, 5],
      [3, 8],
    ])
  })

  it("takes numbers as names", () => {
    const data = Effect.runSync(
      Data.fromRows({
        X: [
          [7, 1],
          [9, 2],
          [7, 3],
        ],
        y: [1, 2, 4],
        features: ["g", "x"],
      }),
    )
    expect(Effect.runSync(Groups.of(data, "g")).labels).toEqual(["7", "9"])
  })

  it.each([
    ["t,y\n1,2\n2,3\n", "star"],
    ["star,t,y\na,1,2\na,2,3\n", "one value on all rows"],
    ["star,y\na,2\nb,3\n", "no feature"],
    ["star,t,y\na,1,2\n,2,3\n", "is empty"],
    ["star,t,y\na,1,2\nb,x,3\n", 'column "t"'],
  ])("refuses %j", async (csv, reason) => {
    const result = await Effect.runPromise(
      Effect.flip(Effect.flatMap(read(csv), (data) => Groups.of(data, "star"))),
    )
    expect(result.message).toContain(reason)
  })
})
