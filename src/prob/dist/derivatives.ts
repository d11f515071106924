import * as Jet from "../../numeric/Jet.ts"
import * as Nd from "../../numeric/Nd.ts"
import { reject } from "./DistError.ts"
import type { Derivatives, Dist } from "./Distribution.ts"

/** log p(x) and its derivatives: those of the distribution's record, or else those of its density over an algebra. */
export const derivativesOf = (dist: Dist<"real" | "positive" | "unit">, x: number): Derivatives => {
  const log = dist.logDensity([x])
  if (!(log > -Infinity)) return { log, slope: 0, curvature: 0 }
  if (dist.derivatives !== undefined) return dist.derivatives(x)
  const { lifted, name, parameters } = dist
  if (lifted === undefined)
    return reject(name, "derivatives", "nothing", "given, or a density over an algebra")
  const values = Object.fromEntries(
    Object.entries(parameters).map(([key, value]) => [
      key,
      Jet.constant(typeof value === "number" ? Nd.scalar(value) : Nd.vector(value)),
    ]),
  )
  const { slope, curvature } = lifted.logDensity(Jet.algebra)(Jet.variable(x), values)
  return { log, slope: Nd.toNumber(slope), curvature: Nd.toNumber(curvature) }
}
