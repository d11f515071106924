import type * as Law from "../../src/models/law.ts"
import * as Rng from "../../src/random/Rng.ts"

/** A small table and a search of it that takes some restarts: those may be made by threads, and by workers of a queue. */
const generator = Rng.generator(Rng.key(8))
const draw = (): Float64Array => Float64Array.from({ length: 60 }, () => 1 + generator.next())
const [a, b] = [draw(), draw()]
export const data = {
  features: ["a", "b"],
  columns: [a, b],
  target: "y",
  y: a.map((x, i) => Math.sin(3 * x) * b[i]! + x / b[i]! + 0.3 * generator.normal()),
  rows: 60,
}
export const options: Law.Options = { trees: 2, depth: 3, search: { library: 300, patience: 40, rows: 30 } }
