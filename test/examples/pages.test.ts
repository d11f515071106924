// Pages of the documentation whose code is a program: it runs, and does what the page says.
import { expect, test, vi } from "vitest"
import { lines } from "../support/example.ts"
import { ran } from "../support/page.ts"

// As long as a child process may take.
vi.setConfig({ testTimeout: 120_000 })

test("docs/how-to/tree-prior.md: draws from four restricted priors", async () => {
  const [corpus, ...printed] = lines(await ran("docs/how-to/tree-prior.md"))
  // All four formulas have an operator at the root: (4 + 1) / (4 + 2).
  expect(corpus).toMatch(/^0 formulas are outside; split probabilities 0\.83/)
  expect(printed.map((line) => line.split(":")[0])).toEqual(["short", "known", "plain", "priced"])
  expect(printed[1]).toContain("x0")
  for (const line of printed) {
    const [, nodes] = /: (\d+\.\d) nodes, such as .*x[01]/.exec(line)!
    expect(Number(nodes)).toBeGreaterThan(2)
    expect(Number(nodes)).toBeLessThan(9)
  }
})

test("docs/how-to/template.md: the functions of two holes, with what is known of them", async () => {
  const printed = lines(await ran("docs/how-to/template.md"))
  expect(printed[0]).toMatch(/^f\(t\) = 0\.7\d?\*t\^2 \+ 1\.3\d?, proved$/)
  expect(printed[1]).toMatch(/^g\(x\) = 0\.(8|79)\d?\*x, proved$/)
  expect(printed[2]).toMatch(/^y = /)
  expect(Number(printed[3]!.split(" ")[0]) + Number(printed[3]!.split(" ")[1])).toBeCloseTo(1, 0)
  expect(printed[4]).toBe("2 3")
  expect(printed[5]).toMatch(/^height = (2|1\.9|2\.1)\*t - 0\.(5|49|51)\*t\^2$/)
  expect(printed[6]).toMatch(/^speed = /)
  expect(printed[7]).toMatch(/^1 3$/)
  expect(printed[8]).toContain("expected f with 1 argument, as before, and not with 2")
})

test("docs/how-to/distribution.md: a prior of one's own keeps the laws, and is a prior of constants and of sites", async () => {
  const printed = await ran("docs/how-to/distribution.md")
  expect(printed).toMatch(/^([6-9]|1\d) laws, broken: 0$/m)
  expect(printed).toMatch(/exp\(-(0\.(69|70)|7\*x0\/10)/)
  expect(printed).toContain("'shift: Normal(loc, log scale)'")
})

test("docs/how-to/score-laws.md: formulas of one's own are scored, grouped data add up", async () => {
  const printed = lines(await ran("docs/how-to/score-laws.md"))
  expect(printed[0]).toMatch(/^1\.000 {2}\d+\.\d {2}1 terms$/)
  expect(printed.slice(1, 3).every((line) => line.startsWith("0.000"))).toBe(true)
  expect(printed[3]).toContain("the grammar has no tree for exp(t): none of its operators makes exp")
  const [, nats] = /leads by (\d+) nats/.exec(printed[4]!)!
  expect(Number(nats)).toBeGreaterThan(20)
})

test("docs/how-to/move.md: the move finds the same law from fewer ensembles", async () => {
  const printed = lines(await ran("docs/how-to/move.md"))
  const found = printed.map((line) =>
    /^(with|without) the move: score (-?[\d.]+), found after (\d+) /.exec(line)!,
  )
  expect(found.map(([, name]) => name)).toEqual(["without", "with"])
  const [[, , score, without], [, , same, fewer]] = found as [RegExpExecArray, RegExpExecArray]
  // The same values: trees of equal values differ in their priors.
  expect(Math.abs(Number(same) - Number(score))).toBeLessThan(1)
  expect(Number(fewer)).toBeLessThan(Number(without) / 5)
})

test("docs/how-to/algorithm.md: an inference of one's own is driven, resumed, ranked, and keeps the laws", async () => {
  const printed = lines(await ran("docs/how-to/algorithm.md"))
  expect(printed[0]).toMatch(/^1000 steps {2}-?[\d.]+ {2}y = [\d.]+\*x0\*sin\(x1\)/)
  expect(printed[1]).toBe(printed[0])
  const [, accepted] = /^(\d+) of 1000 accepted {2}y = x0\*sin\(x1\)$/.exec(printed[2]!)!
  expect(Number(accepted)).toBeGreaterThan(0)
  expect(Number(accepted)).toBeLessThan(1000)
  expect(printed.slice(3)).toHaveLength(5)
  for (const line of printed.slice(3)) expect(line).toMatch(/^holds: /)
})

test("docs/how-to/my-formula.md: formulas are fitted and compared, and a mistake has a place", async () => {
  const printed = lines(await ran("docs/how-to/my-formula.md"))
  expect(printed[0]).toMatch(
    /^a\*exp\(-b\*x0\) \+ c: \d{2,3} nats above the mean; a=(2\.9|3\.0)\d\d\(0\.0\d\d\) b=0\.[67]\d\d/,
  )
  const nats = printed.slice(0, 4).map((line) => Number(/(-?\d+) nats/.exec(line)?.[1]))
  // Three written numbers are as probable beforehand as three exact ones of a table: on 40 rows of one column they are seldom exact.
  expect(
    nats
      .slice()
      .sort((a, b) => b - a)
      .slice(0, 2),
  ).toEqual([nats[0], nats[3]])
  expect(Math.min(...nats)).toBe(nats[1])
  expect(printed[4]).toMatch(/is worst on row 1; \d+ runs along x0$/)
  expect(printed[5]).toContain('expected ")" (exp takes one argument) at column 12')
})

test("docs/how-to/predict.md: bands grow outside of the data, and with the noise", async () => {
  const printed = lines(await ran("docs/how-to/predict.md"))
  expect(printed).toHaveLength(6)
  const widths = printed.map((line) => {
    const [, low, high, from, to] = /law (\S+) to (\S+), new value (\S+) to (\S+) \(/.exec(line)!
    return [Number(high) - Number(low), Number(to) - Number(from)] as const
  })
  // Noise widens the band of each law. A quantile of a mixture that lies in the tail of an improbable law may move inwards by a little.
  for (const [law, value] of widths) expect(value).toBeGreaterThan(0.95 * law)
  expect(widths[2]![0]).toBeGreaterThan(widths[1]![0])
  expect(widths[3]![1]).toBeGreaterThan(widths[0]![1])
})

test("docs/how-to/groups.md: one law for groups, with a number of each", async () => {
  const printed = lines(await ran("docs/how-to/groups.md"))
  expect(printed[0]).toMatch(/exp\(.*(0\.8|4\*t\/5)/)
  expect(printed[1]).toMatch(/^k1:( -?\d\.\d\d){5}$/)
  const [, known, low, high] = /^known ([\d.]+), unknown (-?[\d.]+) to ([\d.]+)$/.exec(printed[2]!)!
  expect(Number(known)).toBeCloseTo(2.3 * Math.exp(-0.8 * 2.2), 3)
  expect(Number(high) - Number(low)).toBeGreaterThan(0.2)
})

test("docs/how-to/units.md: the law is found in its units", async () => {
  expect(lines(await ran("docs/how-to/units.md"))).toEqual([
    "mass*(speed^2/2 + 9.81*height)",
    "consistent units",
  ])
})

test("docs/how-to/promise.md: progress, the law, predictions, and an error of one line", async () => {
  const printed = lines(await ran("docs/how-to/promise.md"))
  const law = printed.findIndex((line) => line.startsWith("force = "))
  expect(law).toBeGreaterThan(0)
  expect(printed[law]).toMatch(/^force = (2\.(49|50)\d*|5)\*mass\*exp\(-(0\.(39|4)\d*\*t|2\*t\/5)\)(\/2)?$/)
  // What the loop was told last is the result.
  expect(printed[law - 1]).toContain(printed[law])
  expect(printed.at(-1)).toBe('DataError the column "t" has 50 values, but "force" has 49; they must agree')
  const [mean, low, high] = printed.at(-2)!.split(" ").map(Number) as [number, number, number]
  expect(mean).toBeCloseTo(2.5 * Math.exp(-3.6), 1)
  expect(low).toBeLessThan(mean)
  expect(high).toBeGreaterThan(mean)
})

test("docs/how-to/runs-that-last.md: a fit that was ended goes on to the same law", async () => {
  const [first, second, whole] = lines(await ran("docs/how-to/runs-that-last.md"))
  expect(first).toMatch(/^5 steps \(interrupted\): /)
  expect(second).toMatch(/^\d+ steps \((effort|converged)\): .*x0\*sin\(x1\)/)
  expect(second).toBe(whole)
})
