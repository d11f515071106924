import { expect, it } from "vitest"
import { above, countsOf } from "../../../scripts/check-instantiations.mjs"

const output =
  "Files:              450\nSymbols:         126911\nTypes:             2762\nInstantiations:    4053\n"

it("reads the counts of the compiler, and passes errors on", () => {
  expect(countsOf(output)).toEqual({ instantiations: 4053, types: 2762 })
  expect(() => countsOf(`model.ts(1,1): error TS2307: Cannot find module\n${output}`)).toThrow(
    /TS2307[^]*npm run build/,
  )
  expect(() => countsOf("Types: 3")).toThrow("nothing of Instantiations")
})

it("names counts above the ceiling", () => {
  const record = { instantiations: 1000, types: 100 }
  expect(above(record, { instantiations: 1150, types: 80 })).toEqual([])
  expect(above(record, { instantiations: 1151, types: 116 })).toEqual([
    "1151 instantiations, 1000 on record, 1150 at most: see which type grew, or --write",
    "116 types, 100 on record, 115 at most: see which type grew, or --write",
  ])
})
