import type { Algebra } from "../../numeric/Algebra.ts"
import * as Dual from "../../numeric/Dual.ts"
import * as Nd from "../../numeric/Nd.ts"
import * as Special from "../../numeric/Special.ts"
import { reject } from "./DistError.ts"
import type { Derivatives, Dist } from "./Distribution.ts"

/** Products and quotients are 0 where a factor is: a constant has the derivative 0 even at a pole of a function. */
const arrays: Algebra<Nd.Nd> = {
  ...Nd.algebra,
  binary: {
    ...Nd.algebra.binary,
    mul: (x, y) => Nd.zipWith(x, y, (a, b) => (a === 0 || b === 0 ? 0 : a * b)),
    div: (x, y) => Nd.zipWith(x, y, (a, b) => (a === 0 ? 0 : a / b)),
  },
}
const once = Dual.elementwise(arrays, (x) => Nd.map(x, Special.trigamma))
const twice = Dual.elementwise(once, ({ value, slope }) => ({
  value: Nd.map(value, Special.trigamma),
  slope: slope && arrays.binary.mul(Nd.map(value, Special.tetragamma), slope),
}))

/** log p(x) and its derivatives: those of the distribution's record, or else those of its density over an algebra. */
export const derivativesOf = (dist: Dist<"real" | "positive" | "unit">, x: number): Derivatives => {
  const log = dist.logDensity([x])
  if (!(log > -Infinity)) return { log, slope: 0, curvature: 0 }
  if (dist.derivatives !== undefined) return dist.derivatives(x)
  const { lifted, name, parameters } = dist
  if (lifted === undefined)
    return reject(name, "derivatives", "nothing", "given, or a density over an algebra")
  const constant = (value: Nd.Nd) => ({ value: { value, slope: undefined }, slope: undefined })
  const values = Object.fromEntries(
    Object.entries(parameters).map(([key, value]) => [
      key,
      constant(typeof value === "number" ? Nd.scalar(value) : Nd.vector(value)),
    ]),
  )
  const variable = {
    value: { value: Nd.scalar(x), slope: Nd.scalar(1) },
    slope: once.literal(1),
  }
  const { slope } = lifted.logDensity(twice)(variable, values)
  const number = (part: Nd.Nd | undefined): number => (part === undefined ? 0 : Nd.toNumber(part))
  return { log, slope: number(slope?.value), curvature: number(slope?.slope) }
}
