import { expect, test } from "vitest"
import { lines, printed } from "../support/example.ts"

test("00_minivasst: five laws, all ranked by LMPSE, the best with 6 sin(x0) cos(x1)", async () => {
  const output = await printed("00_minivasst.ts")
  expect(output).toMatch(/^step 100 {2}temperature 0\.50 {2}ELBO -\d+\.\d$/m)

  const laws = lines(output).slice(-5)
  const scores = laws.map((line) => Number(/^ *(-\d+\.\d+) {3}y = /.exec(line)?.[1]))
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  const coefficient = Number(/([\d.]+) cos\(x1\)\*sin\(x0\)/.exec(laws[0] ?? "")?.[1])
  expect(coefficient).toBeGreaterThan(5.8)
  expect(coefficient).toBeLessThan(6.2)
}, 120_000)
